"use strict";

const { ask } = require("./bridge-http");
const { BridgeError } = require("./bridge-error");
const { managedConnection } = require("./connection");
const { Reader, schedule } = require("./trigger-config");
const { withDefaults } = require("./trigger-defaults");
const { whyNot } = require("./bridge-news");
const { ownBridgeOf } = require("./own-bridge");
const { localTime } = require("./clock-words");
const { ownTimezone } = require("./own-timezone");
const { runtimeOf } = require("./runtime");
const { scheduleRoutes } = require("./schedules/routes");

const TICKS_SHOWN = 5;

/** How long a preview waits for this Node-RED's own bridge to start. Milliseconds. */
const START_PATIENCE = 8_000;

/**
 * @typedef {import("./connection").Connection} Connection
 * @typedef {{status(code: number): Response, json(body: unknown): void}} Response
 */

/**
 * The routes that the editor calls. They reach deployed configuration nodes only, never an address from the browser.
 * @param {any} RED
 */
function addRoutes(RED) {
    const { needsPermission } = RED.auth;
    const read = needsPermission("schedule-trigger.read");
    const write = needsPermission("schedule-trigger.write");
    RED.httpAdmin.post("/schedule-trigger/preview", read, answering(RED, preview));
    RED.httpAdmin.post("/schedule-trigger/set-up/cancel", write, answering(RED, cancelSetUp));
    RED.httpAdmin.post("/schedule-trigger/:id/run", write, answering(RED, runNow));
    const schedules = scheduleRoutes(RED, runtimeOf(RED));
    for (const [method, path, handle] of schedules.read) RED.httpAdmin[method](path, read, answering(RED, (_, request) => handle(request)));
    for (const [method, path, handle] of schedules.write) RED.httpAdmin[method](path, write, answering(RED, (_, request) => handle(request)));
}

/**
 * Makes a route out of a function; what it throws becomes a status and a sentence.
 * @param {any} RED
 * @param {(RED: any, request: any) => Promise<object>} handle
 */
function answering(RED, handle) {
    /**
     * @param {any} request
     * @param {Response} response
     */
    return async (request, response) => {
        try {
            response.json(await handle(RED, request));
        } catch (error) {
            const failure = /** @type {InstanceType<typeof BridgeError>} */ (error);
            const { message, status = 0, problem, errors = [], progress } = failure;
            const clientsFault = status >= 400 && status < 500 && status !== 401;
            response.status(clientsFault ? status : 503).json({ message, problem, errors, progress });
        }
    };
}

/**
 * The next ticks of a schedule that is being edited, as the bridge computes them.
 * @param {any} RED
 * @param {{body: any}} request the schedule properties of the node, and its `bridge`
 */
async function preview(RED, { body }) {
    const reader = new Reader();
    /** @type {any} */
    const wanted = schedule(withDefaults(body), reader, ownTimezone());
    if (reader.complaints.length > 0) throw unsound(RED, reader.complaints[0]);
    if (wanted.kind === "interval") wanted.anchor = triggerNode(RED, body.id)?.trigger.gridOf(wanted.every);
    const connection = connectionOf(RED, body.bridge);
    await untilManagedRuns(RED, connection.managed);
    const answer = await askFirst(connection, { schedule: wanted, count: TICKS_SHOWN });
    return inZone(answer, wanted.kind === "cron" ? undefined : ownTimezone());
}

/**
 * Readies an answer for the editor: a schedule without a zone is shown in Node-RED's own.
 * @param {{timezone: string, ticks: {at: string, local: string}[]}} answer
 * @param {string | undefined} ownZone undefined where the schedule has a zone, in which the bridge has said the times
 */
function inZone(answer, ownZone) {
    const timezone = ownZone ?? answer.timezone;
    const today = localTime(Date.now(), timezone).slice(0, "2026-01-01".length);
    if (!ownZone) return { ...answer, today };
    const ticks = answer.ticks.map((tick) => ({ ...tick, local: localTime(Date.parse(tick.at), timezone) }));
    return { ...answer, timezone, ticks, today };
}

/**
 * @param {any} RED
 * @param {import("./trigger-config").Complaint} complaint
 */
function unsound(RED, { key, values }) {
    return new BridgeError(RED._(`schedule-trigger.mistake.${key}`, values), { status: 422 });
}

/**
 * @param {any} RED
 * @param {string} [bridgeNodeId] "" is this Node-RED's own bridge
 * @returns {Connection}
 */
function connectionOf(RED, bridgeNodeId) {
    if (!bridgeNodeId) return managedConnection(ownBridgeOf(RED));
    const node = RED.nodes.getNode(bridgeNodeId);
    if (node?.type !== "schedule-bridge" || !node.connection) {
        throw new BridgeError(RED._("schedule-trigger.error.bridgeNotDeployed"), { status: 404 });
    }
    return node.connection;
}

/**
 * Starts this Node-RED's own bridge if it has never been needed so far.
 * @param {any} RED
 * @param {Connection["managed"]} bridge
 * @throws {InstanceType<typeof BridgeError>} while it is being set up, or if it cannot run
 */
async function untilManagedRuns(RED, bridge) {
    if (!bridge) return;
    bridge.startUnlessCancelled();
    await bridge.settled(START_PATIENCE);
    if (bridge.url) return;
    throw new BridgeError(whyNot(RED, bridge), { problem: "ownBridge", progress: bridge.progress });
}

/**
 * Cancels the first set-up of this Node-RED's own bridge; a deploy begins it anew.
 * @param {any} RED
 */
async function cancelSetUp(RED) {
    if (ownBridgeOf(RED).cancelSetUp()) return {};
    throw new BridgeError(RED._("schedule-trigger.error.noSetUp"), { status: 409 });
}

/**
 * Asks the bridges of a connection in turn, until one answers.
 * @param {Connection} connection
 * @param {object} body
 */
async function askFirst({ urls, token }, body) {
    const [last] = urls.slice(-1);
    for (const url of urls.slice(0, -1)) {
        try {
            return await askPreview(url, token(), body);
        } catch (error) {
            if (!(error instanceof BridgeError) || error.problem !== "bridgeAway") throw error;
        }
    }
    return askPreview(last, token(), body);
}

/**
 * @param {string} url
 * @param {string} token
 * @param {object} body
 */
function askPreview(url, token, body) {
    return ask({ url, token }, "POST", "/v1/schedules/preview", { body });
}

/**
 * The button of a deployed trigger.
 * @param {any} RED
 * @param {{params: {id: string}}} request
 */
async function runNow(RED, { params }) {
    const node = triggerNode(RED, params.id);
    if (!node) throw new BridgeError(RED._("schedule-trigger.error.notDeployed"), { status: 404 });
    const decisions = await node.trigger.runNow();
    return { decisions: decisions.map((/** @type {any} */ { decision, message }) => ({ decision, message })) };
}

/**
 * @param {any} RED
 * @param {string} id
 * @returns {any} undefined for what is no deployed trigger
 */
function triggerNode(RED, id) {
    const node = RED.nodes.getNode(id);
    return node?.type === "schedule-trigger" ? node : undefined;
}

module.exports = { addRoutes };
