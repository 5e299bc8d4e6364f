"use strict";

/**
 * @typedef {object} Details
 * @property {number} [status]
 * @property {string} [problem]
 * @property {{pointer: string, message: string}[]} [errors]
 * @property {object} [progress]
 */

/**
 * Why the bridge did not do what it was asked.
 * `status` is the HTTP status, 0 when no answer came; `errors` names what is wrong with the body, by JSON pointer.
 */
class BridgeError extends Error {
    /**
     * @param {string} message a sentence for a person
     * @param {Details} [details]
     */
    constructor(message, { status = 0, problem = "refused", errors = [], progress } = {}) {
        super(message);
        this.name = "BridgeError";
        this.status = status;
        /** @type {string} a Problem of the connection, "refused", or "ownBridge" when that does not run */
        this.problem = problem;
        this.errors = errors;
        /** Of the set-up of this Node-RED's own bridge, while that can be cancelled: `{step, steps}`. */
        this.progress = progress;
    }
}

module.exports = { BridgeError };
