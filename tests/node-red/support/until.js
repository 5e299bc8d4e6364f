"use strict";

const { setTimeout: pause } = require("node:timers/promises");

/**
 * Waits for something that comes about by itself; the test's own limit ends a wait in vain.
 * @template Value
 * @param {() => Value | undefined | false | null | 0 | ""} look
 * @returns {Promise<Value>}
 */
async function until(look) {
    for (;;) {
        const value = look();
        if (value) return value;
        await pause(5);
    }
}

module.exports = { until };
