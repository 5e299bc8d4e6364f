"use strict";

/**
 * What keeps a managed bridge from running. The key is that of a status text and of a sentence that says what to do.
 * @typedef {"noPython" | "oldPython" | "badPython" | "noVenv" | "noWheel" | "noNetwork" | "proxy" | "certificate"
 *   | "readOnly" | "diskFull" | "installFailed" | "startFailed" | "setUpCancelled"} TroubleKey
 */

/** A set-up or a start that failed, for the catalogue to put in words. */
class Trouble extends Error {
    /**
     * @param {TroubleKey} key
     * @param {Record<string, string>} [values] what the sentence names
     */
    constructor(key, values = {}) {
        super(key);
        this.name = "Trouble";
        this.key = key;
        this.values = values;
    }
}

/** @type {Record<string, TroubleKey>} */
const KEYS = { EACCES: "readOnly", EPERM: "readOnly", EROFS: "readOnly", ENOSPC: "diskFull", EDQUOT: "diskFull" };

/**
 * What an error means for a person.
 * @param {any} error of the file system, as a rule
 * @param {string} directory that was written to
 * @returns {Trouble}
 */
function troubleOf(error, directory) {
    if (error instanceof Trouble) return error;
    return new Trouble(KEYS[error.code] ?? "installFailed", { directory, message: error.message });
}

module.exports = { Trouble, troubleOf };
