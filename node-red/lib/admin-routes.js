"use strict";

const { BridgeError } = require("./bridge-error");
const { beginSetUp, cancelSetUp } = require("./editor/bridge-for-editor");
const { past, replay } = require("./editor/past");
const { preview } = require("./editor/preview");
const { triggerNode } = require("./editor/trigger-node-of");
const { runtimeOf } = require("./runtime");
const { scheduleRoutes } = require("./schedules/routes");

/**
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
    RED.httpAdmin.get("/schedule-trigger/:id/past", read, answering(RED, past));
    RED.httpAdmin.post("/schedule-trigger/:id/replay", read, answering(RED, replay));
    RED.httpAdmin.post("/schedule-trigger/set-up/begin", write, answering(RED, beginSetUp));
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

module.exports = { addRoutes };
