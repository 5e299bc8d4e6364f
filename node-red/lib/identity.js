"use strict";

const { randomUUID } = require("node:crypto");
const { hostname } = require("node:os");

/** Names this process; it changes with every start, so that the bridge knows a restart from a reconnect. */
const SESSION_ID = randomUUID();

/** Stands for a configuration node where a trigger names none. */
const MANAGED = "managed";

/**
 * The name of this Node-RED, the same over restarts.
 * @param {{available(): boolean, get(name: string): any}} settings Node-RED's
 * @returns {string} its instanceId, or the host's name where it cannot keep settings
 */
function instanceName(settings) {
    return (settings.available() && settings.get("instanceId")) || hostname();
}

/**
 * @param {string} instance this Node-RED's name
 * @param {string} nodeId
 * @returns {string} the id by which the bridge knows the node; two Node-REDs with the same flow stay apart
 */
function triggerId(instance, nodeId) {
    return `${instance}.${nodeId}`;
}

/**
 * The workflow of a trigger: "" is the trigger alone, "flow" its tab or subflow instance, any other text itself.
 * @param {string} instance
 * @param {{id: string, z: string, workflowId: string}} node
 * @returns {string}
 */
function workflowId(instance, { id, z, workflowId: text }) {
    if (text === "") return triggerId(instance, id);
    return text === "flow" ? triggerId(instance, z) : text;
}

/**
 * @param {string} instance
 * @param {string} bridgeNodeId the configuration node's id, or MANAGED
 * @param {string} workspaceId
 * @returns {string} the id that names the client for good
 */
function clientId(instance, bridgeNodeId, workspaceId) {
    return `${instance}.${bridgeNodeId}.${workspaceId}`;
}

module.exports = { SESSION_ID, MANAGED, instanceName, triggerId, workflowId, clientId };
