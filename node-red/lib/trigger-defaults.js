"use strict";

/** What a property that is missing from a flow file means. */
const DEFAULTS = Object.freeze({
    name: "",
    bridge: "",
    workflowId: "",
    scheduleKind: "interval",
    every: 10,
    everyUnit: "minutes",
    cron: "*/10 * * * *",
    timezone: "",
    overlapPolicy: "skip",
    maxConcurrent: 1,
    maxRunMinutes: 0,
    payload: "",
    payloadType: "date",
    lockKey: "",
    lockKeyType: "str",
    lockKeys: [],
    priority: 5,
    delaySeconds: 0,
    catchUp: "none",
    catchUpWindowSeconds: 3600,
    endsOnSilence: true,
    fireAtStart: false,
});

/**
 * The properties of a trigger node as its flow file holds them, defaults filled in; numbers may still be text.
 * @typedef {{[K in keyof typeof DEFAULTS]: any} & {id: string, z: string}} TriggerProperties
 */

/**
 * @param {any} node a node of a flow file
 * @returns {TriggerProperties}
 */
function withDefaults(node) {
    const given = Object.entries(node).filter(([, value]) => value !== undefined && value !== null);
    return { ...DEFAULTS, ...Object.fromEntries(given), id: node.id, z: node.z };
}

module.exports = { DEFAULTS, withDefaults };
