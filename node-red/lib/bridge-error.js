"use strict";

/**
 * Why the bridge did not do what it was asked.
 * `status` is the HTTP status, 0 when no answer came; `errors` names what is wrong with the body, by JSON pointer.
 */
class BridgeError extends Error {
    /**
     * @param {string} message a sentence for a person
     * @param {{status?: number, problem?: string, errors?: {pointer: string, message: string}[]}} [details]
     */
    constructor(message, { status = 0, problem = "refused", errors = [] } = {}) {
        super(message);
        this.name = "BridgeError";
        this.status = status;
        /** @type {string} a Problem of the connection, "refused", or "ownBridge" when that does not run */
        this.problem = problem;
        this.errors = errors;
    }
}

module.exports = { BridgeError };
