"use strict";

/** Longest error text that is handed to the bridge. */
const LONGEST_ERROR = 1000;

/**
 * How a finish node ends the run of a message.
 * @param {any} message
 * @param {"auto" | "completed" | "failed" | "cancelled"} setting "auto" is failed when `msg.error` is there
 * @returns {{outcome: "completed" | "failed" | "cancelled", error?: string}}
 */
function runEnd(message, setting) {
    const hasError = message.error !== undefined && message.error !== null;
    const auto = hasError ? "failed" : "completed";
    const outcome = setting === "auto" ? auto : setting;
    return outcome === "failed" && hasError ? { outcome, error: errorText(message.error) } : { outcome };
}

/**
 * @param {any} error an Error, what a Catch node makes of one, or a text
 * @returns {string}
 */
function errorText(error) {
    return String(error.message ?? error).slice(0, LONGEST_ERROR);
}

module.exports = { errorText, runEnd };
