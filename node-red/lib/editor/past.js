"use strict";

const { BridgeError } = require("../bridge-error");
const { MANAGED } = require("../identity");
const { Reader, overlap } = require("../trigger-config");
const { withDefaults } = require("../trigger-defaults");
const { bridgeForEditor } = require("./bridge-for-editor");
const { triggerNode } = require("./trigger-node-of");

/** How many runs make the usual run time, and among how many executions they are looked for. */
const RUNS = 20;
const LOOKED_THROUGH = 100;
const FIRINGS = 500;
const EXECUTIONS = 1000;

/**
 * @typedef {{executionId: string, state: string, reason: string | null, createdAt: string, startedAt: string | null,
 *   endedAt: string | null, deadline: string | null}} Execution
 */

/**
 * What a deployed trigger has done so far, in brief.
 * @param {any} RED
 * @param {{params: {id: string}}} request
 * @returns {Promise<{hasFired: boolean, runs: number, medianSeconds: number | null}>}
 */
async function past(RED, { params }) {
    const node = triggerNode(RED, params.id);
    if (!node?.trigger.connection) return { hasFired: false, runs: 0, medianSeconds: null };
    const ask = await bridgeOf(RED, node);
    const of = `triggerId=${encodeURIComponent(node.trigger.triggerId)}`;
    const { decisions } = await ask("GET", `/v1/decisions?${of}&limit=1`);
    const { executions } = await ask("GET", `/v1/executions?${of}&limit=${LOOKED_THROUGH}`);
    const times = runTimes(executions).slice(0, RUNS);
    return { hasFired: decisions.length > 0, runs: times.length, medianSeconds: median(times) };
}

/**
 * @param {any} RED
 * @param {any} node of a deployed trigger
 */
function bridgeOf(RED, { trigger }) {
    const { bridgeNodeId } = trigger.connection;
    return bridgeForEditor(RED, bridgeNodeId === MANAGED ? "" : bridgeNodeId);
}

/**
 * Seconds that runs took which ended by themselves, newest first.
 * @param {Execution[]} executions
 */
function runTimes(executions) {
    return executions
        .filter(({ state, reason, startedAt }) => startedAt && (state === "failed" || (state === "completed" && !reason)))
        .map(({ startedAt, endedAt }) => (Date.parse(String(endedAt)) - Date.parse(String(startedAt))) / 1000);
}

/**
 * @param {number[]} times
 * @returns {number | null}
 */
function median(times) {
    if (times.length === 0) return null;
    const sorted = [...times].sort((one, other) => one - other);
    const middle = Math.floor(sorted.length / 2);
    return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * What a deployed trigger really did at its last 500 firings, and what it would have done under other settings.
 * @param {any} RED
 * @param {{params: {id: string}, body: any}} request the properties of the node as they are being edited
 */
async function replay(RED, { params, body }) {
    const node = triggerNode(RED, params.id);
    if (!node?.trigger.connection) throw new BridgeError(RED._("schedule-trigger.error.notDeployed"), { status: 404 });
    const reader = new Reader();
    const settings = overlap(withDefaults(body), reader);
    const [complaint] = reader.complaints;
    if (complaint) throw new BridgeError(RED._(`schedule-trigger.mistake.${complaint.key}`, complaint.values), { status: 422 });
    const ask = await bridgeOf(RED, node);
    const id = encodeURIComponent(node.trigger.triggerId);
    const { decisions } = await ask("GET", `/v1/decisions?triggerId=${id}&limit=${FIRINGS}`);
    const { executions } = await ask("GET", `/v1/executions?triggerId=${id}&limit=${EXECUTIONS}`);
    const replayed = await ask("POST", `/v1/triggers/${id}/replay`, settings);
    const { overlapPolicy, maxConcurrent, maxRunMinutes, name } = node.trigger.config;
    return {
        ...{ decisions, executions: executions.map(briefly), replayed, name, timezone: node.trigger.timezone },
        deployed: { overlapPolicy, maxConcurrent, maxRunMinutes },
    };
}

/**
 * What a picture needs of an execution.
 * @param {Execution} execution
 */
function briefly({ executionId, state, reason, createdAt, startedAt, endedAt, deadline }) {
    return { executionId, state, reason, createdAt, startedAt, endedAt, deadline };
}

module.exports = { past, replay };
