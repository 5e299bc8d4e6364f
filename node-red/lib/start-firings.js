"use strict";

const { SESSION_ID } = require("./identity");

/** Triggers that fire when Node-RED starts: once a process, however often the flows are deployed. */
class StartFirings {
    /** @type {Set<string>} */
    #asked = new Set();

    /**
     * Fires a trigger unless this process has done so. What the bridge did not answer is asked for again, under the
     * same key, when the client says `here` the next time.
     * @param {string} triggerId
     * @param {{fireOnce(triggerId: string, key: string): Promise<void>}} client
     */
    async fire(triggerId, client) {
        if (this.#asked.has(triggerId)) return;
        this.#asked.add(triggerId);
        try {
            await client.fireOnce(triggerId, `start:${SESSION_ID}${triggerId}`);
        } catch {
            this.#asked.delete(triggerId);
        }
    }
}

module.exports = { StartFirings };
