"use strict";

const { BridgeError } = require("../bridge-error");
const { askable } = require("./standing");

const PAGE = 50;
/** Ticks to come that are shown. */
const TICKS = 5;
/** Of active executions, and of runs in the way, so many are looked at one by one. */
const SINGLE_READS = 20;

/**
 * @typedef {InstanceType<typeof import("../trigger").Trigger>} Trigger
 * @typedef {InstanceType<typeof import("../runtime").Runtime>} Runtime
 * @typedef {InstanceType<typeof import("../bridge-reads").BridgeReads>} Reads
 */

/**
 * One trigger, opened: its executions and decisions, newest first, and whose runs are in the way.
 * @param {any} RED
 * @param {Runtime} runtime
 * @param {Trigger} trigger
 */
async function details(RED, runtime, trigger) {
    const { reads, workspaceId } = askable(RED, runtime.clientOf(trigger));
    const { triggerId } = trigger;
    const [state, page] = await Promise.all([reads.trigger(triggerId), history(reads, triggerId, {})]);
    const listed = new Set(page.executions.map(({ executionId }) => executionId));
    const missing = state.active.filter((/** @type {string} */ id) => !listed.has(id)).slice(0, SINGLE_READS);
    const older = await single(reads, missing);
    // After the executions: what is on hold there is so because all is in use here.
    const workspace = await reads.workspace(workspaceId);
    const active = [...older, ...page.executions].filter(({ endedAt }) => !endedAt);
    return {
        ...{ now: Date.now(), workspace, ...page, older, holders: await holders(reads, runtime, active) },
        ...{ ticks: await nextTicks(reads, trigger, state.nextRun), buffered: state.buffered, delayed: state.delayed, skipping: state.skipping },
    };
}

/**
 * @param {Reads} reads
 * @param {Trigger} trigger
 * @param {string | null} nextRun a point of the grid of its ticks; none while it is paused or has no schedule
 * @returns {Promise<string[]>} the next ticks, as instants
 */
async function nextTicks(reads, { config }, nextRun) {
    if (!nextRun) return [];
    const { schedule } = config;
    const { ticks } = await reads.preview(schedule.kind === "interval" ? { ...schedule, anchor: nextRun } : schedule, TICKS);
    return ticks.map((/** @type {{at: string}} */ { at }) => at);
}

/**
 * @param {Reads} reads
 * @param {string} triggerId
 * @param {{decisions?: string, executions?: string}} cursors of the page before
 */
async function history(reads, triggerId, cursors) {
    const query = { triggerId, limit: PAGE };
    const [decisions, executions] = await Promise.all([
        pageOf(cursors.decisions, (cursor) => reads.decisions({ ...query, cursor })),
        pageOf(cursors.executions, (cursor) => reads.executions({ ...query, cursor })),
    ]);
    return {
        decisions: decisions.items,
        executions: executions.items,
        cursors: { decisions: decisions.nextCursor, executions: executions.nextCursor },
    };
}

/**
 * @param {string | undefined} cursor "" where the page before was the last one
 * @param {(cursor?: string) => Promise<import("../bridge-reads").Page>} read
 */
async function pageOf(cursor, read) {
    return cursor === "" ? { items: [], nextCursor: null } : read(cursor);
}

/**
 * @param {Runtime} runtime
 * @param {Trigger} trigger
 * @param {any} RED
 * @param {{decisions?: string, executions?: string}} cursors
 */
function older(RED, runtime, trigger, cursors) {
    const { reads } = askable(RED, runtime.clientOf(trigger));
    return history(reads, trigger.triggerId, cursors);
}

/**
 * @param {Reads} reads
 * @param {string[]} ids
 * @returns {Promise<any[]>} without those that are gone meanwhile
 */
async function single(reads, ids) {
    const found = await Promise.all(ids.map((id) => reads.execution(id).catch(ifGone)));
    return found.filter((execution) => execution !== undefined);
}

/** @param {unknown} error */
function ifGone(error) {
    if (error instanceof BridgeError && error.status === 404) return undefined;
    throw error;
}

/**
 * @param {Reads} reads
 * @param {Runtime} runtime
 * @param {any[]} active executions
 * @returns {Promise<Record<string, {node: string, name: string} | undefined>>} by execution id, which trigger's node has
 *   the run that is in the way; undefined for that of another Node-RED or program
 */
async function holders(reads, runtime, active) {
    const ids = new Set(active.flatMap(({ waitsFor }) => waitsFor?.executionIds ?? []));
    const found = await single(reads, [...ids].slice(0, SINGLE_READS));
    const nodes = new Map(runtime.triggers.map(({ triggerId, summary: { id, name } }) => [triggerId, { node: id, name }]));
    return Object.fromEntries(found.map(({ executionId, triggerId }) => [executionId, nodes.get(triggerId)]));
}

module.exports = { details, older };
