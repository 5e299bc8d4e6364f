"use strict";

const { runtimeOf } = require("./lib/runtime");

/** @param {any} RED */
module.exports = function (RED) {
    const runtime = runtimeOf(RED);

    /**
     * @param {any} node
     * @param {any} message
     * @returns {boolean} whether its run is still wanted; a message of no run is, for nobody can have ended it
     */
    function isWanted(node, message) {
        const executionId = message.run?.executionId;
        if (executionId !== undefined) return runtime.isActive(executionId);
        node.warn(RED._("schedule-guard.warning.noRun"));
        return true;
    }

    /**
     * @this {any}
     * @param {any} definition
     */
    function ScheduleGuardNode(definition) {
        RED.nodes.createNode(this, definition);
        this.on("input", (/** @type {any} */ message, /** @type {any} */ send, /** @type {any} */ done) => {
            send(isWanted(this, message) ? [message, null] : [null, message]);
            done();
        });
    }

    RED.nodes.registerType("schedule-guard", ScheduleGuardNode);
};
