"use strict";

const { addRoutes } = require("./lib/admin-routes");
const { publishBridgeNews } = require("./lib/bridge-news");
const { ownTimezone } = require("./lib/own-timezone");
const { runtimeOf } = require("./lib/runtime");
const { publishNews } = require("./lib/schedules/news");
const { makeTrigger } = require("./lib/trigger-node");

/** @param {any} RED */
module.exports = function (RED) {
    const runtime = runtimeOf(RED);

    /**
     * @this {any}
     * @param {any} definition
     */
    function ScheduleTriggerNode(definition) {
        RED.nodes.createNode(this, definition);
        const trigger = makeTrigger(RED, this, definition);
        runtime.add(trigger);
        /** For the editor's routes. */
        this.trigger = trigger;
        this.on("input", (/** @type {any} */ message, /** @type {any} */ _send, /** @type {any} */ done) => {
            trigger.input(message).then(() => done(), done);
        });
        this.on("close", () => runtime.remove(trigger));
    }

    RED.nodes.registerType("schedule-trigger", ScheduleTriggerNode, {
        settings: { scheduleTriggerTimezone: { value: ownTimezone(), exportable: true } },
    });
    addRoutes(RED);
    publishBridgeNews(RED);
    publishNews(RED, runtime);
};
