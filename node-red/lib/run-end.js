"use strict";

/** Longest error text that is handed to the bridge. */
const LONGEST_ERROR = 1000;

/** What no store keeps: NUL, and one half of a surrogate pair without the other. */
const UNFIT = /\0|\p{Surrogate}/gu;

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
 * What is told of an error. The bridge takes no text that its store could not keep, and a report that it does not take
 * would be sent again for ever.
 * @param {any} error an Error, what a Catch node makes of one, or a text
 * @returns {string} bounded, without NUL characters and halves of surrogate pairs
 */
function errorText(error) {
    const text = String(error.message ?? error).slice(0, LONGEST_ERROR);
    return text.replace(UNFIT, "\ufffd");
}

module.exports = { errorText, runEnd };
