"use strict";

const { after } = require("../timers");

/** What the sidebar subscribes to: the ids of the nodes of which there is something new to say. */
const TOPIC = "schedule-trigger/news";

/** Milliseconds between two tidings. */
const PAUSE = 500;

/**
 * Tells editors that triggers have changed. What has changed they ask for by the admin routes, which are open to those
 * who may read; it is not sent to everybody who has an editor open.
 * @param {any} RED
 * @param {InstanceType<typeof import("../runtime").Runtime>} runtime
 */
function publishNews(RED, runtime) {
    /** @type {Set<string>} */
    let changed = new Set();
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const tell = () => {
        timer = undefined;
        RED.comms.publish(TOPIC, { nodes: [...changed] });
        changed = new Set();
    };
    runtime.on("change", (/** @type {InstanceType<typeof import("../trigger").Trigger> | undefined} */ trigger) => {
        if (trigger) changed.add(trigger.node.id);
        timer ??= after(PAUSE, tell).unref();
    });
}

module.exports = { publishNews };
