"use strict";

const { after } = require("./timers");

/** Lets callers wait for the next change of something. */
class Changes {
    /** @type {Set<() => void>} */
    #waiting = new Set();

    /** Something has changed. */
    tell() {
        for (const wake of this.#waiting) wake();
    }

    /**
     * @param {number} limit milliseconds
     * @returns {Promise<void>} resolved when something changed or the time is up
     */
    next(limit) {
        return new Promise((resolve) => {
            const wake = () => {
                clearTimeout(timer);
                this.#waiting.delete(wake);
                resolve();
            };
            const timer = after(limit, wake).unref();
            this.#waiting.add(wake);
        });
    }
}

module.exports = { Changes };
