"use strict";

/**
 * How long to wait before the next attempt to connect: doubling, bounded, and spread by chance so that the clients
 * of a bridge that comes back do not all knock at once.
 * @param {number} attempt failed attempts so far, from 1
 * @param {{first: number, most: number}} bounds milliseconds
 * @param {() => number} [chance] from 0 to 1
 * @returns {number} milliseconds, from half the step to all of it
 */
function backOff(attempt, { first, most }, chance = Math.random) {
    const step = Math.min(most, first * 2 ** Math.min(attempt - 1, 30));
    return step * (0.5 + chance() / 2);
}

module.exports = { backOff };
