"use strict";

const { BridgeError } = require("../bridge-error");
const { readNumber } = require("../numbers");
const { details, older } = require("./details");
const { Overview } = require("./overview");
const { askable } = require("./standing");

/**
 * @typedef {InstanceType<typeof import("../runtime").Runtime>} Runtime
 * @typedef {InstanceType<typeof import("../trigger").Trigger>} Trigger
 * @typedef {{params: any, query: any, body: any}} Request
 */

/**
 * What the sidebar asks for and does. A trigger is named by its node, a workspace by its configuration node, an
 * execution by its id and the node of its trigger: whatever is not this Node-RED's is out of reach.
 * @param {any} RED of schedule-trigger, whose catalogue has the sentences
 * @param {Runtime} runtime
 * @returns {Record<"read" | "write", [string, string, (request: Request) => Promise<object>][]>} method, path, handler
 */
function scheduleRoutes(RED, runtime) {
    const overview = new Overview(RED, runtime);
    /** @param {Request} request */
    const trigger = ({ params }) => triggerOf(RED, params.id);
    return {
        read: [
            ["get", "/schedule-trigger/triggers", () => overview.read()],
            ["get", "/schedule-trigger/triggers/:id", (request) => details(RED, runtime, trigger(request))],
            ["get", "/schedule-trigger/triggers/:id/history", (request) => older(RED, runtime, trigger(request), cursors(request))],
        ],
        write: [
            ["post", "/schedule-trigger/triggers/:id/pause", (request) => commanded(trigger(request), "pause")],
            ["post", "/schedule-trigger/triggers/:id/resume", (request) => commanded(trigger(request), "resume")],
            ["post", "/schedule-trigger/triggers/:id/executions/:executionId/:verb", (request) => ended(RED, runtime, request)],
            ["put", "/schedule-trigger/workspaces/:bridge", (request) => limited(RED, runtime, request)],
        ],
    };
}

/**
 * @param {any} RED
 * @param {string} id of a node
 * @returns {Trigger}
 * @throws {BridgeError} for what is no deployed trigger
 */
function triggerOf(RED, id) {
    const node = RED.nodes.getNode(id);
    if (node?.type !== "schedule-trigger") throw notFound(RED, "notDeployed");
    return node.trigger;
}

/** @param {Request} request */
function cursors({ query }) {
    const text = (/** @type {unknown} */ value) => (typeof value === "string" ? value : undefined);
    return { decisions: text(query.decisions), executions: text(query.executions) };
}

/**
 * @param {Trigger} trigger
 * @param {"pause" | "resume"} verb
 */
async function commanded(trigger, verb) {
    await trigger.command(verb);
    return {};
}

/**
 * @param {any} RED
 * @param {Runtime} runtime
 * @param {Request} request
 */
async function ended(RED, runtime, { params }) {
    const { id, executionId, verb } = params;
    if (verb !== "cancel" && verb !== "terminate") throw notFound(RED, "noSuchVerb");
    const trigger = triggerOf(RED, id);
    const { triggerId } = await askable(RED, runtime.clientOf(trigger)).reads.execution(executionId);
    if (triggerId !== trigger.triggerId) throw notFound(RED, "notItsRun");
    await trigger.end(verb, executionId);
    return {};
}

/**
 * @param {any} RED
 * @param {Runtime} runtime
 * @param {Request} request
 */
async function limited(RED, runtime, { params, body }) {
    const limit = readNumber(body?.maxConcurrentExecutions);
    if (!Number.isSafeInteger(limit) || limit < 0) throw new BridgeError(RED._("schedule-trigger.error.limit"), { status: 422 });
    const trigger = runtime.triggers.find((each) => each.connection?.bridgeNodeId === params.bridge && runtime.clientOf(each));
    const client = trigger && runtime.clientOf(trigger);
    if (!client) throw notFound(RED, "bridgeNotDeployed");
    await client.calls.setLimit(client.workspaceId, limit);
    return client.reads.workspace(client.workspaceId);
}

/**
 * @param {any} RED
 * @param {string} key
 */
function notFound(RED, key) {
    return new BridgeError(RED._(`schedule-trigger.error.${key}`), { status: 404 });
}

module.exports = { scheduleRoutes };
