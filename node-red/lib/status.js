"use strict";

const { briefTime, briefestTime } = require("./clock-words");

/** What "late: " leaves of the 20 characters of a status. */
const LONGEST_NAME = 14;

/**
 * What a trigger's node shows; `key` is a text of the catalogue under "status".
 * @typedef {object} Status
 * @property {"blue" | "yellow" | "red" | "grey"} fill
 * @property {"ring" | "dot"} shape ring: waiting or at rest; dot: running, or needs attention
 * @property {string} key
 * @property {Record<string, unknown>} values
 */

/**
 * @typedef {object} TriggerView
 * @property {string | undefined} mistake the key of what is wrong with its properties
 * @property {string | undefined} warning the key of what is odd about them
 * @property {import("./bridge-process/managed-bridge").InTheWay | undefined} inTheWay of this Node-RED's own bridge
 * @property {string | undefined} lateNode the node that sent a message after its run was taken for completed
 * @property {import("./bridge-client").Condition} condition
 * @property {{running: number, queued: number, onHold: number, place: number, skipped: number}} counts
 * @property {number | undefined} limit `maxConcurrent` where it counts (R13)
 * @property {string | null} nextRun
 * @property {string | null} pausedSince
 */

/**
 * @param {Status["fill"]} fill
 * @param {Status["shape"]} shape
 * @param {string} key
 * @param {Record<string, unknown>} [values]
 * @returns {Status}
 */
const status = (fill, shape, key, values = {}) => ({ fill, shape, key, values });

/**
 * @param {number} count
 * @returns {string} short enough for a status: 999, 1k, at most 99k
 */
const brief = (count) => (count < 1000 ? String(count) : `${Math.min(Math.floor(count / 1000), 99)}k`);

/**
 * @param {string} name
 * @returns {string} short enough for a status
 */
const cut = (name) => (name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name);

/**
 * The most important thing to say about a trigger.
 * @param {TriggerView} view
 * @param {{now: number, timeZone: string, locale?: string}} place
 * @returns {Status | undefined} undefined where there is nothing to say
 */
function triggerStatus(view, place) {
    if (view.mistake) return status("red", "dot", view.mistake);
    if (view.inTheWay) return setUpStatus(view.inTheWay);
    if (view.condition === "connecting") return status("grey", "ring", "connecting");
    if (view.condition !== "connected") return status("red", "ring", view.condition);
    return busyStatus(view) ?? restingStatus(view, place);
}

/** @param {import("./bridge-process/managed-bridge").InTheWay} inTheWay */
function setUpStatus({ key, values }) {
    return key === "installing" ? status("yellow", "ring", key, values) : status("red", "dot", key, values);
}

/**
 * @param {TriggerView} view
 * @returns {Status | undefined}
 */
function busyStatus({ counts, limit }) {
    const { running, queued, onHold, place, skipped } = counts;
    if (queued > 0) return status("yellow", "ring", running > 0 ? "queuedRunning" : "queued", { queued, running });
    if (onHold > 0) return status("yellow", "ring", place > 0 && place < Infinity ? "onHoldPlace" : "onHold", { place });
    if (running === 0) return undefined;
    if (limit !== undefined) return status("blue", "dot", "runningOf", { running, limit });
    return status("blue", "dot", skipped > 0 ? "runningSkipped" : "running", { running, skipped: brief(skipped) });
}

/**
 * @param {TriggerView} view
 * @param {{now: number, timeZone: string, locale?: string}} place
 * @returns {Status | undefined}
 */
function restingStatus({ lateNode, warning, nextRun, pausedSince }, place) {
    if (pausedSince) return status("grey", "ring", "paused", { time: briefestTime(pausedSince, place) });
    if (lateNode) return status("yellow", "dot", "late", { node: cut(lateNode) });
    if (warning) return status("yellow", "dot", warning);
    return nextRun ? status("blue", "ring", "next", { time: briefTime(nextRun, place) }) : undefined;
}

module.exports = { triggerStatus };
