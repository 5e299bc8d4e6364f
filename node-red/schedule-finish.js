"use strict";

const { runEnd } = require("./lib/run-end");
const { runtimeOf } = require("./lib/runtime");

const OUTCOMES = new Set(["auto", "completed", "failed", "cancelled"]);

/** @param {any} RED */
module.exports = function (RED) {
    const runtime = runtimeOf(RED);

    /**
     * Ends the run of a message.
     * @param {any} node
     * @param {any} message
     * @param {any} setting
     */
    function finish(node, message, setting) {
        const executionId = message.run?.executionId;
        if (executionId === undefined) {
            node.warn(RED._("schedule-finish.warning.noRun"));
            return;
        }
        const { outcome, error } = runEnd(message, setting);
        const isFirst = runtime.finish(executionId, outcome, error);
        node.status(isFirst ? {} : { fill: "grey", shape: "ring", text: RED._("schedule-finish.status.over") });
        if (!isFirst) node.trace(`Run ${executionId} is over already or unknown.`);
    }

    /**
     * @param {any} message
     * @returns {boolean} whether it may go on: a run that was cancelled or given up has its messages turned away
     */
    const mayPass = (message) => !runtime.isUnwanted(message.run?.executionId);

    /**
     * @param {any} node
     * @param {any} outcome
     * @returns {any} "auto" for what is no outcome, so that the run ends all the same
     */
    function readSetting(node, outcome) {
        if (OUTCOMES.has(outcome)) return outcome;
        node.error(RED._("schedule-finish.error.outcome", { outcome }));
        node.status({ fill: "red", shape: "dot", text: RED._("schedule-finish.status.outcome") });
        return "auto";
    }

    /**
     * @this {any}
     * @param {any} definition
     */
    function ScheduleFinishNode(definition) {
        RED.nodes.createNode(this, definition);
        const setting = readSetting(this, definition.outcome ?? "auto");
        this.on("input", (/** @type {any} */ message, /** @type {any} */ send, /** @type {any} */ done) => {
            finish(this, message, setting);
            if (mayPass(message)) send(message);
            done();
        });
    }

    RED.nodes.registerType("schedule-finish", ScheduleFinishNode);
};
