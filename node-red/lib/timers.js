"use strict";

/** What a timer of Node.js can wait at most, about 24.8 days; told to wait longer, it would not wait at all. */
const LONGEST = 2 ** 31 - 1;

/**
 * Acts once a time has passed. Whoever waits for longer than a timer can is woken early, and looks again.
 * @param {number} milliseconds
 * @param {() => void} act
 */
function after(milliseconds, act) {
    return setTimeout(act, Math.min(milliseconds, LONGEST));
}

/**
 * @param {number} milliseconds
 * @returns {Promise<void>} resolved once that time has passed
 */
function sleep(milliseconds) {
    return new Promise((resolve) => {
        after(milliseconds, resolve);
    });
}

/** @returns {number} milliseconds on a clock that nobody sets, for waiting */
function monotonic() {
    return performance.now();
}

module.exports = { after, sleep, monotonic };
