"use strict";

/**
 * @typedef {{id: string, type: string, z?: string, d?: boolean}} FlowNode a node of a flow file
 * @typedef {{id: string, z?: string}} Place a running node: its id and the tab or subflow instance that it is in
 * @typedef {object} Diff what a deploy changes, as Node-RED tells it at `flows:stopping`
 * @property {string[]} added
 * @property {string[]} changed
 * @property {string[]} removed
 * @property {string[]} rewired
 * @property {string[]} linked
 * @property {string[]} flowChanged
 */

/**
 * Says which running nodes stop.
 * @param {{type: string, diff?: Diff & {globalConfigChanged?: boolean}}} stopping Node-RED's `flows:stopping`
 * @param {FlowNode[]} nodes the flow file as it was until now; the new one no longer has what was removed
 * @returns {(node: Place) => boolean}
 */
function stoppingNodes({ type, diff }, nodes) {
    if (!diff || diff.globalConfigChanged || (type !== "nodes" && type !== "flows")) return () => true;
    const single = singleNodes(type, diff);
    const tabs = new Set([...diff.flowChanged, ...diff.added, ...diff.removed]);
    const stops = (/** @type {Place} */ { id, z = "" }) => single.has(id) || tabs.has(z);
    const instances = nodes.filter((node) => node.type.startsWith("subflow:") && stops(node)).map(({ id }) => id);
    return (node) => stops(node) || instances.some((id) => isWithin(node.z ?? "", id));
}

/**
 * @param {"nodes" | "flows"} type
 * @param {Diff} diff
 * @returns {Set<string>} the nodes that Node-RED stops one by one
 */
function singleNodes(type, { changed, removed, linked, rewired }) {
    const always = [...changed, ...removed];
    return new Set(type === "flows" ? [...always, ...linked, ...rewired] : always);
}

/**
 * @param {string} container
 * @param {string} instance a subflow instance; what is nested in it has ids that begin with its own
 */
function isWithin(container, instance) {
    return container === instance || container.startsWith(`${instance}-`);
}

module.exports = { stoppingNodes };
