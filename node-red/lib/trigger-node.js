"use strict";

const identity = require("./identity");
const { managedConnection } = require("./connection");
const { ownBridgeOf } = require("./own-bridge");
const { ownTimezone } = require("./own-timezone");
const { triggerConfig } = require("./trigger-config");
const { withDefaults } = require("./trigger-defaults");
const { Trigger } = require("./trigger");
const { runtimeOf } = require("./runtime");

/**
 * Wires a schedule-trigger node to its Trigger.
 * @param {any} RED
 * @param {any} node made by Node-RED
 * @param {any} definition its properties
 * @returns {InstanceType<typeof Trigger>}
 */
function makeTrigger(RED, node, definition) {
    const properties = withDefaults(definition);
    const runtime = runtimeOf(RED);
    const connection = properties.bridge ? RED.nodes.getNode(properties.bridge)?.connection : managedConnection(ownBridgeOf(RED));
    const { bridgeNodeId = properties.bridge, workspaceId = "default" } = connection ?? {};
    const { instance } = runtime;
    const clientId = identity.clientId(instance, bridgeNodeId, workspaceId);
    const surroundings = { instance, clientId, workspaceId, timezone: ownTimezone(), evaluate: evaluator(RED, node) };
    const { config, complaints, warnings } = triggerConfig(properties, surroundings);
    if (!connection) complaints.push({ key: "bridge", values: {} });
    const timezone = properties.scheduleKind === "cron" && isZone(properties.timezone) ? properties.timezone : ownTimezone();
    const settings = { properties, config, connection, complaints, warnings, timezone };
    return new Trigger(settings, portsOf(RED, node), runtime);
}

/**
 * @param {any} RED
 * @param {any} node
 */
function evaluator(RED, node) {
    /**
     * @param {string} value
     * @param {string} type
     */
    return (value, type) => RED.util.evaluateNodeProperty(value, type, node);
}

/**
 * @param {string} text
 * @returns {boolean} whether Node.js can speak of times in it; whether the bridge can is the bridge's to say
 */
function isZone(text) {
    try {
        return Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone !== "";
    } catch {
        return false;
    }
}

/**
 * @param {any} RED
 * @param {any} node
 * @returns {import("./trigger").Ports}
 */
function portsOf(RED, node) {
    /**
     * @param {string} key
     * @param {object} [values]
     */
    const say = (key, values) => RED._(`schedule-trigger.${key}`, values);
    return {
        say,
        send: (messages) => node.send(messages),
        status: (status) => node.status(status ? inWords(status, say) : {}),
        warn: (key, values) => node.warn(say(key, values)),
        error: (key, values) => node.error(say(key, values)),
        clone: (message) => RED.util.cloneMessage(message),
        evaluate: (value, type, message) => evaluateAsync(RED, { value, type, node, message }),
    };
}

/**
 * @param {import("./status").Status} status
 * @param {(key: string, values?: object) => string} say
 */
function inWords({ fill, shape, key, values }, say) {
    return { fill, shape, text: say(`status.${key}`, values) };
}

/**
 * @param {any} RED
 * @param {{value: string, type: string, node: any, message?: object}} what
 * @returns {Promise<unknown>}
 */
function evaluateAsync(RED, { value, type, node, message = {} }) {
    return new Promise((resolve, reject) => {
        /**
         * @param {Error | null} error
         * @param {unknown} result
         */
        const settle = (error, result) => (error ? reject(error) : resolve(result));
        RED.util.evaluateNodeProperty(value, type, node, message, settle);
    });
}

module.exports = { makeTrigger };
