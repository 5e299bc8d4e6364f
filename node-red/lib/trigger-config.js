"use strict";

const identity = require("./identity");
const { readNumber } = require("./numbers");

const UNIT_SECONDS = Object.freeze({ seconds: 1, minutes: 60, hours: 3600, days: 86400 });
/** Seconds. The bridge takes no shorter one. */
const SHORTEST_INTERVAL = 0.1;

const POLICIES = Object.freeze(["skip", "queue", "allow", "buffer", "cancel", "terminate"]);
const CATCH_UPS = Object.freeze(["none", "latest", "all"]);
const LOCK_KEY_TYPES = Object.freeze(["str", "env", "msg", "jsonata"]);

/** The payload types whose value is known when the flow is deployed. */
const STATIC_PAYLOADS = new Set(["str", "num", "bool", "json", "bin"]);

/**
 * @typedef {import("./trigger-defaults").TriggerProperties} TriggerProperties
 * @typedef {{key: string, values: Record<string, unknown>}} Complaint a key of the catalogue and its values
 */

/**
 * What a node needs from Node-RED to read its properties.
 * @typedef {object} Surroundings
 * @property {string} instance this Node-RED's name
 * @property {string} clientId
 * @property {string} workspaceId
 * @property {string} timezone the zone that stands in for ""
 * @property {(value: string, type: string) => unknown} evaluate Node-RED's value of a typed input
 */

/** Collects what is wrong with a node, so that all of it can be said at once. */
class Reader {
    /** @type {Complaint[]} */
    complaints = [];

    /**
     * @param {string} property
     * @param {unknown} value a number, or its text
     * @param {{least: number, most?: number}} bounds of a whole number
     * @returns {number}
     */
    whole(property, value, { least, most = Number.MAX_SAFE_INTEGER }) {
        const number = readNumber(value);
        const fits = Number.isSafeInteger(number) && number >= least && number <= most;
        if (!fits) this.complain("number", { property, value, least, most });
        return number;
    }

    /**
     * @param {string} property
     * @param {unknown} value a number of seconds, or its text
     * @returns {number}
     */
    seconds(property, value) {
        const number = readNumber(value);
        if (!Number.isFinite(number) || number < 0) this.complain("seconds", { property, value });
        return number;
    }

    /**
     * @template Value
     * @param {string} property
     * @param {Value} value
     * @param {readonly unknown[]} words
     * @returns {Value}
     */
    oneOf(property, value, words) {
        if (!words.includes(value)) this.complain("word", { property, value, words: words.join(", ") });
        return value;
    }

    /**
     * @param {string} key
     * @param {Record<string, unknown>} values
     */
    complain(key, values) {
        this.complaints.push({ key, values });
    }
}

/**
 * Makes a trigger's configuration for the bridge out of its node's properties.
 * @param {TriggerProperties} node
 * @param {Surroundings} surroundings
 * @returns {{config: object, complaints: Complaint[], warnings: Complaint[]}}
 *   with complaints the trigger must not be declared; a warning (R11) is only said
 */
function triggerConfig(node, surroundings) {
    const reader = new Reader();
    const { instance, clientId, workspaceId } = surroundings;
    const triggerId = identity.triggerId(instance, node.id);
    const config = {
        ...{ triggerId, clientId, workspaceId },
        name: String(node.name),
        workflowId: identity.workflowId(instance, node),
        schedule: schedule(node, reader, surroundings.timezone),
        ...overlap(node, reader),
        ...passage(node, reader, surroundings),
        payload: payload(node, reader, surroundings),
    };
    return { config, complaints: reader.complaints, warnings: policyWarnings(node) };
}

/**
 * @param {TriggerProperties} node
 * @param {Reader} reader
 * @param {string} ownZone
 */
function schedule(node, reader, ownZone) {
    if (node.scheduleKind === "none") return { kind: "none" };
    if (node.scheduleKind === "cron") {
        return { kind: "cron", expression: String(node.cron).trim(), timezone: node.timezone || ownZone };
    }
    reader.oneOf("scheduleKind", node.scheduleKind, ["interval", "cron", "none"]);
    return { kind: "interval", every: everySeconds(node, reader) };
}

/**
 * @param {TriggerProperties} node
 * @param {Reader} reader
 * @returns {number} seconds; "0.5" hours are 1800
 */
function everySeconds({ every, everyUnit }, reader) {
    reader.oneOf("everyUnit", everyUnit, Object.keys(UNIT_SECONDS));
    const unit = UNIT_SECONDS[/** @type {keyof typeof UNIT_SECONDS} */ (everyUnit)] ?? 1;
    const seconds = readNumber(every) * unit;
    if (!Number.isFinite(seconds) || seconds < SHORTEST_INTERVAL) reader.complain("every", { every });
    return seconds;
}

/**
 * @param {TriggerProperties} node
 * @param {Reader} reader
 */
function overlap(node, reader) {
    return {
        overlapPolicy: node.overlapPolicy,
        maxConcurrent: reader.whole("maxConcurrent", node.maxConcurrent, { least: 1 }),
        maxRunMinutes: reader.whole("maxRunMinutes", node.maxRunMinutes, { least: 0 }),
    };
}

/**
 * The settings of the other gates.
 * @param {TriggerProperties} node
 * @param {Reader} reader
 * @param {Pick<Surroundings, "evaluate">} surroundings
 */
function passage(node, reader, surroundings) {
    return {
        priority: reader.whole("priority", node.priority, { least: 1, most: 100 }),
        delaySeconds: reader.seconds("delaySeconds", node.delaySeconds),
        catchUp: reader.oneOf("catchUp", node.catchUp, CATCH_UPS),
        catchUpWindowSeconds: reader.seconds("catchUpWindowSeconds", node.catchUpWindowSeconds),
        lockKeys: node.lockKeys,
        lockKey: ownLockKey(node, reader, surroundings),
    };
}

/**
 * @param {TriggerProperties} node
 * @param {Reader} reader
 * @param {Pick<Surroundings, "evaluate">} surroundings
 * @returns {string | null} the key of ticks; one that is read from messages is none of theirs
 */
function ownLockKey({ lockKey, lockKeyType }, reader, { evaluate }) {
    reader.oneOf("lockKeyType", lockKeyType, LOCK_KEY_TYPES);
    if (lockKeyType === "env") return String(evaluate(lockKey, "env") ?? "") || null;
    return lockKeyType === "str" && lockKey !== "" ? String(lockKey) : null;
}

/**
 * @param {TriggerProperties} node
 * @param {Reader} reader
 * @param {Surroundings} surroundings
 * @returns {unknown} null where the payload is made when the run starts
 */
function payload(node, reader, { evaluate }) {
    if (!STATIC_PAYLOADS.has(node.payloadType)) return null;
    try {
        return evaluate(node.payload, node.payloadType);
    } catch (error) {
        reader.complain("payload", { message: /** @type {Error} */ (error).message });
        return null;
    }
}

/**
 * @param {TriggerProperties} node
 * @returns {Complaint[]}
 */
function policyWarnings({ overlapPolicy }) {
    if (POLICIES.includes(overlapPolicy)) return [];
    return [{ key: "unknownPolicy", values: { policy: String(overlapPolicy) } }];
}

module.exports = { triggerConfig, schedule, overlap, passage, Reader, STATIC_PAYLOADS };
