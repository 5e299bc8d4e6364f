"use strict";

const { MANAGED } = require("./identity");
const { readNumber } = require("./numbers");
const { readToken } = require("./token-file");

const DEFAULT_URL = "http://127.0.0.1:8765";

/**
 * How a client reaches its bridge.
 * @typedef {object} Connection
 * @property {string} bridgeNodeId the configuration node's id, or "managed"
 * @property {string} workspaceId
 * @property {string[]} urls base URLs, tried in turn; several are several bridges of one store
 * @property {() => string} token read at each attempt to connect
 * @property {number} [maxConcurrentExecutions] the limit to set for the workspace, 0 for none; undefined leaves it as
 *   it is
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
 * The bridge of this Node-RED, for triggers that name no configuration node.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Connection}
 */
function managedConnection(env = process.env) {
    return {
        bridgeNodeId: MANAGED,
        workspaceId: "default",
        urls: parseUrls(env.SCHEDULE_BRIDGE_URL || DEFAULT_URL),
        token: () => readToken(),
    };
}

/**
 * What a configuration node says.
 * @param {{id: string, mode?: string, url?: string, workspaceId?: string, maxConcurrentExecutions?: unknown}} config
 * @param {{token?: string}} [credentials] without a token the token file is read
 * @returns {Connection}
 * @throws {TypeError} when its URL is none
 * @throws {RangeError} when its limit is no whole number
 */
function configuredConnection(config, credentials = {}) {
    const managed = managedConnection();
    return {
        bridgeNodeId: config.id,
        workspaceId: config.workspaceId || managed.workspaceId,
        urls: config.mode === "url" ? parseUrls(config.url || DEFAULT_URL) : managed.urls,
        token: config.mode === "url" && credentials.token ? () => String(credentials.token) : managed.token,
        maxConcurrentExecutions: parseLimit(config.maxConcurrentExecutions ?? ""),
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
