"use strict";

/**
 * Reads a number field of a flow file, which may hold a text.
 * @param {unknown} value
 * @returns {number} NaN for what is no number
 */
function readNumber(value) {
    if (typeof value === "string" && value.trim() === "") return NaN;
    return typeof value === "string" || typeof value === "number" ? Number(value) : NaN;
}

module.exports = { readNumber };
