"use strict";

const { ask } = require("../bridge-http");
const { BridgeError } = require("../bridge-error");
const { whyNot } = require("../bridge-news");
const { managedConnection } = require("../connection");
const { ownBridgeOf } = require("../own-bridge");

/** How long a question waits for this Node-RED's own bridge to start. Milliseconds. */
const START_PATIENCE = 8_000;

/**
 * @typedef {import("../connection").Connection} Connection
 * @typedef {(method: "GET" | "POST", path: string, body?: object) => Promise<any>} Asking
 */

/**
 * The bridge that a deployed configuration node leads to. None is started by this: whoever may read may ask.
 * @param {any} RED
 * @param {string} [bridgeNodeId] "" is this Node-RED's own bridge
 * @returns {Promise<Asking>} asks its API; several bridges of one store are tried in turn
 * @throws {InstanceType<typeof BridgeError>} before it was started, while it is being set up, if it cannot run, or if
 *   there is no such node
 */
async function bridgeForEditor(RED, bridgeNodeId) {
    const connection = connectionOf(RED, bridgeNodeId);
    await untilManagedRuns(RED, connection.managed);
    return asking(connection);
}

/**
 * @param {any} RED
 * @param {string} [bridgeNodeId]
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
 * @param {any} RED
 * @param {Connection["managed"]} bridge
 */
async function untilManagedRuns(RED, bridge) {
    if (!bridge) return;
    if (bridge.hasBegun) await bridge.settled(START_PATIENCE);
    if (bridge.url) return;
    throw new BridgeError(whyNot(RED, bridge), { problem: "ownBridge", progress: bridge.progress });
}

/**
 * Begins to set up and to start this Node-RED's own bridge for a dialog that needs it.
 * @param {any} RED
 * @param {{body: any}} request `bridge` is the configuration node; nothing is begun if that leads elsewhere
 */
async function beginSetUp(RED, { body }) {
    connectionOf(RED, body?.bridge).managed?.startUnlessCancelled();
    return {};
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
 * @param {Connection} connection
 * @returns {Asking}
 */
function asking({ urls, token }) {
    return async (method, path, body) => {
        const [last] = urls.slice(-1);
        for (const url of urls.slice(0, -1)) {
            try {
                return await ask({ url, token: token() }, method, path, { body });
            } catch (error) {
                if (!(error instanceof BridgeError) || error.problem !== "bridgeAway") throw error;
            }
        }
        return ask({ url: last, token: token() }, method, path, { body });
    };
}

module.exports = { bridgeForEditor, beginSetUp, cancelSetUp };
