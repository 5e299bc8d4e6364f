"use strict";

const { ownBridgeOf } = require("./own-bridge");

/** What the editor subscribes to while a dialog is open. */
const TOPIC = "schedule-trigger/bridge";

/**
 * Tells editors how this Node-RED's own bridge gets on: a dialog may be what first needs it.
 * @param {any} RED of schedule-trigger, whose catalogue has the sentences
 */
function publishBridgeNews(RED) {
    const bridge = ownBridgeOf(RED);
    bridge.on("change", () => {
        const news = { runs: Boolean(bridge.url), message: whyNot(RED, bridge), progress: bridge.progress };
        RED.comms.publish(TOPIC, news);
    });
}

/**
 * @param {any} RED of schedule-trigger
 * @param {ReturnType<typeof ownBridgeOf>} bridge
 * @returns {string} a sentence that says why it cannot be asked
 */
function whyNot(RED, { inTheWay, hasBegun }) {
    const { key, values } = inTheWay ?? { key: hasBegun ? "bridgeAway" : "notBegun", values: {} };
    return RED._(`schedule-trigger.error.${key}`, values);
}

module.exports = { publishBridgeNews, whyNot };
