"use strict";

const { ManagedBridge } = require("./bridge-process/managed-bridge");
const { MANAGED } = require("./identity");
const { readNumber } = require("./numbers");
const { readToken } = require("./token-file");

/** Where a configuration node looks that says "url" and no more. */
const DEFAULT_URL = "http://127.0.0.1:8765";

/**
 * @typedef {{urls: string[], token(): string}} Place
 */

/**
 * How a client reaches its bridge.
 * @typedef {object} Connection
 * @property {string} bridgeNodeId the configuration node's id, or "managed"
 * @property {string} workspaceId
 * @property {string[]} urls base URLs, tried in turn; several are several bridges of one store; none while a managed
 *   bridge does not run
 * @property {() => string} token read at each attempt to connect
 * @property {number} [maxConcurrentExecutions] the limit to set for the workspace, 0 for none; undefined leaves it as
 *   it is
 * @property {InstanceType<typeof ManagedBridge>} [managed] the bridge that this Node-RED runs for itself, if it is that one
 */

/**
 * @param {string} text comma-separated base URLs
 * @returns {string[]} without blanks and trailing slashes
 * @throws {TypeError} for what is not an http or https URL
 */
function parseUrls(text) {
    const urls = text.split(",").map((part) => part.trim().replace(/\/+$/, ""));
    for (const url of urls) {
        if (!/^https?:$/.test(new URL(url).protocol)) throw new TypeError(`Not an http or https URL: ${url}`);
    }
    return urls;
}

/**
 * The bridge of this Node-RED, for triggers that name no configuration node: the one that the environment names, as
 * in a container that has one beside it, else the one that it runs for itself.
 * @param {InstanceType<typeof ManagedBridge>} managed
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Connection}
 */
function managedConnection(managed, env = process.env) {
    return connectionTo(ownPlace(managed, env), { bridgeNodeId: MANAGED, workspaceId: "default" });
}

/**
 * What a configuration node says.
 * @param {{id: string, mode?: string, url?: string, workspaceId?: string, maxConcurrentExecutions?: unknown}} config
 * @param {{token?: string}} credentials without a token the token file is read
 * @param {InstanceType<typeof ManagedBridge>} managed
 * @returns {Connection}
 * @throws {TypeError} when its URL is none
 * @throws {RangeError} when its limit is no whole number
 */
function configuredConnection(config, credentials, managed) {
    const maxConcurrentExecutions = parseLimit(config.maxConcurrentExecutions ?? "");
    const who = { bridgeNodeId: config.id, workspaceId: config.workspaceId || "default", maxConcurrentExecutions };
    if (config.mode !== "url") return connectionTo(ownPlace(managed), who);
    const { token } = credentials;
    return connectionTo({ urls: parseUrls(config.url || DEFAULT_URL), token: () => token || readToken() }, who);
}

/**
 * @param {InstanceType<typeof ManagedBridge>} managed
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Place}
 */
function ownPlace(managed, env = process.env) {
    if (!env.SCHEDULE_BRIDGE_URL) return managed;
    return { urls: parseUrls(env.SCHEDULE_BRIDGE_URL), token: () => readToken() };
}

/**
 * @param {Place} place
 * @param {{bridgeNodeId: string, workspaceId: string, maxConcurrentExecutions?: number}} who
 * @returns {Connection}
 */
function connectionTo(place, who) {
    return {
        ...who,
        // A managed bridge has another address after each of its starts.
        get urls() {
            return place.urls;
        },
        token: () => place.token(),
        managed: place instanceof ManagedBridge ? place : undefined,
    };
}

/**
 * @param {unknown} value a number, or its text
 * @returns {number | undefined} undefined for ""
 * @throws {RangeError}
 */
function parseLimit(value) {
    if (value === "") return undefined;
    const limit = readNumber(value);
    if (!Number.isSafeInteger(limit) || limit < 0) throw new RangeError(`Not a limit: ${value}`);
    return limit;
}

/**
 * Whether two connections lead to the same place with the same right.
 * @param {Connection} one
 * @param {Connection} other
 */
function sameConnection(one, other) {
    return one.urls.join() === other.urls.join() && one.token() === other.token();
}

module.exports = { DEFAULT_URL, parseUrls, managedConnection, configuredConnection, sameConnection };
