"use strict";

const { configuredConnection } = require("./lib/connection");
const { ownBridgeOf } = require("./lib/own-bridge");

/** @param {any} RED */
module.exports = function (RED) {
    /**
     * @this {any}
     * @param {any} definition
     */
    function ScheduleBridgeNode(definition) {
        RED.nodes.createNode(this, definition);
        try {
            /** Where the bridge is; without it the triggers that name this node are not declared. */
            this.connection = configuredConnection(definition, this.credentials ?? {}, ownBridgeOf(RED));
        } catch (error) {
            const key = error instanceof RangeError ? "limit" : "url";
            this.error(RED._(`schedule-bridge.error.${key}`, definition));
        }
    }

    RED.nodes.registerType("schedule-bridge", ScheduleBridgeNode, {
        credentials: { token: { type: "password" } },
    });
};
