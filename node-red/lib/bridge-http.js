"use strict";

const { BridgeError } = require("./bridge-error");
const { encode, decode } = require("./codec");

const MEDIA_TYPE = "application/msgpack";
const TIMEOUT = 10_000;

/**
 * @typedef {{url: string, token: string}} Bridge
 */

/**
 * Asks the bridge's API.
 * @param {Bridge} bridge
 * @param {"GET" | "PUT" | "POST"} method
 * @param {string} path with its ids percent-encoded
 * @param {{body?: object, headers?: Record<string, string>}} [what]
 * @returns {Promise<any>} the answer's body
 * @throws {BridgeError} when no answer came, or a refusal; Error when the body cannot be encoded
 */
async function ask({ url, token }, method, path, { body, headers = {} } = {}) {
    /** @type {Record<string, string>} */
    const own = { ...headers, authorization: `Bearer ${token}`, accept: MEDIA_TYPE };
    if (body) own["content-type"] = MEDIA_TYPE;
    const request = { method, headers: own, body: body && new Uint8Array(encode(body)) };
    const response = await reach(url + path, request);
    const answer = await readBody(response);
    if (!response.ok) throw refusal(response.status, answer);
    return answer;
}

/**
 * @param {string} url
 * @param {RequestInit} request
 */
async function reach(url, request) {
    try {
        return await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT) });
    } catch (cause) {
        throw away(cause);
    }
}

/** @param {Response} response */
async function readBody(response) {
    const bytes = await response.arrayBuffer().catch((cause) => {
        throw away(cause);
    });
    const type = response.headers.get("content-type") || "";
    try {
        return type.startsWith(MEDIA_TYPE) ? decode(new Uint8Array(bytes)) : JSON.parse(new TextDecoder().decode(bytes));
    } catch {
        return undefined;
    }
}

/** @param {unknown} cause */
function away(cause) {
    const error = new BridgeError("The bridge did not answer.", { problem: "bridgeAway" });
    error.cause = cause;
    return error;
}

/**
 * @param {number} status
 * @param {any} problem the problem details, where the answer had any
 */
function refusal(status, problem) {
    const sentence = problem?.detail || problem?.title || `The bridge answered with status ${status}.`;
    const kind = status === 401 ? "unauthorised" : "refused";
    return new BridgeError(sentence, { status, problem: kind, errors: problem?.errors });
}

module.exports = { ask };
