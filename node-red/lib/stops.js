"use strict";

/**
 * @typedef {{id: string, type: string, z?: string, d?: boolean}} FlowNode a node of a flow file
 * @typedef {object} Diff what a deploy changes, as Node-RED tells it at `flows:stopping`
 * @property {string[]} added
 * @property {string[]} changed
 * @property {string[]} removed
 * @property {string[]} rewired
 * @property {string[]} linked
 * @property {string[]} flowChanged
 */

/**
 * Says in which tabs and subflow instances a node stops.
 * @param {{type: string, diff: Diff}} stopping Node-RED's `flows:stopping`
 * @param {FlowNode[]} nodes the flow file as it was until now; the new one no longer has what was removed
 * @returns {(container: string) => boolean} asked with a node's `z`: its tab's or subflow instance's id
 */
function stoppingContainers({ type, diff }, nodes) {
    if (type !== "nodes" && type !== "flows") return () => true;
    const stopped = stoppedNodes(type, diff, nodes);
    const whole = [...diff.flowChanged, ...diff.added, ...diff.removed];
    const tabs = new Set([...stopped.map(({ z }) => z), ...whole]);
    const instances = stopped.filter((node) => node.type.startsWith("subflow:")).map(({ id }) => id);
    return (container) => tabs.has(container) || instances.some((id) => isWithin(container, id));
}

/**
 * @param {"nodes" | "flows"} type
 * @param {Diff} diff
 * @param {FlowNode[]} nodes
 * @returns {FlowNode[]} the running nodes that Node-RED is about to stop one by one or with their tab
 */
function stoppedNodes(type, diff, nodes) {
    const single = new Set([...diff.changed, ...diff.removed]);
    if (type === "flows") for (const id of [...diff.linked, ...diff.rewired]) single.add(id);
    const tabs = new Set([...diff.flowChanged, ...diff.removed]);
    return nodes.filter((node) => isNode(node) && (single.has(node.id) || tabs.has(node.z ?? "")));
}

/** @param {FlowNode} node a tab or a group is listed as changed when something in it is, but does not stop by that */
function isNode({ type, d }) {
    return !d && type !== "tab" && type !== "group" && type !== "subflow";
}

/**
 * @param {string} container
 * @param {string} instance a subflow instance; what is nested in it has ids that begin with its own
 */
function isWithin(container, instance) {
    return container === instance || container.startsWith(`${instance}-`);
}

module.exports = { stoppingContainers };
