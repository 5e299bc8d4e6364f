"use strict";

const { BridgeError } = require("../bridge-error");

/**
 * @typedef {InstanceType<typeof import("../bridge-client").BridgeClient>} Client
 * @typedef {import("../connection").Connection} Connection
 */

/**
 * Why a bridge cannot be asked, for people.
 * @typedef {object} Trouble
 * @property {string} kind the problem's key
 * @property {string} sentence
 * @property {number} since milliseconds since the Unix epoch
 * @property {number} keptEnds ends that wait to be handed in
 * @property {number} nextTry when it is tried again, in milliseconds since the Unix epoch; 0 if not by itself
 * @property {Record<string, unknown>} values such as the step of a set-up
 */

/** How long a connection that is being made is no trouble yet. Milliseconds. */
const PATIENCE = 3_000;

/**
 * @param {any} RED of schedule-trigger, whose catalogue has the sentences
 * @param {Client} client
 * @param {Connection} connection
 * @returns {Trouble | undefined} undefined while the bridge can be asked, or will be in a moment
 */
function troubleOf(RED, client, { managed }) {
    const { condition, ...standing } = client.standing;
    const inTheWay = managed?.inTheWay;
    if (inTheWay) return told(RED, inTheWay, standing);
    const isComing = condition === "connecting" && Date.now() - standing.since < PATIENCE;
    if (condition === "connected" || isComing) return undefined;
    return told(RED, { key: condition === "connecting" ? "bridgeAway" : condition, values: {} }, standing);
}

/**
 * @param {any} RED
 * @param {{key: string, values: Record<string, unknown>}} problem
 * @param {{since: number, keptEnds: number, nextTry: number}} standing
 * @returns {Trouble}
 */
function told(RED, { key, values }, standing) {
    return { kind: key, values, sentence: RED._(`schedule-trigger.error.${key}`, values), ...standing };
}

/**
 * @param {Client | undefined} client
 * @param {any} RED
 * @returns {Client}
 * @throws {BridgeError} without one: the trigger is not declared
 */
function askable(RED, client) {
    if (!client) throw new BridgeError(RED._("schedule-trigger.error.notDeclared"), { status: 404 });
    return client;
}

module.exports = { troubleOf, askable };
