"use strict";

const { LatestSet } = require("./latest");

/** Names the hook, so that it can be taken away again. */
const HOOK = "onReceive.scheduleTrigger";

/**
 * Stops the messages of terminated runs: none is delivered to a node any more. `onReceive` is the one hook that every
 * delivery passes; `receive()` goes round those before it. It is in place only while a trigger is deployed.
 */
class Halts {
    #hooks;
    #halted = new LatestSet();

    /** @param {import("./runtime").Hooks} hooks Node-RED's */
    constructor(hooks) {
        this.#hooks = hooks;
    }

    /** @param {string} executionId of a run whose undelivered messages are discarded from now on */
    halt(executionId) {
        this.#halted.add(executionId);
    }

    /** @param {boolean} wanted whether a trigger is deployed */
    watch(wanted) {
        if (wanted === this.#hooks.has(HOOK)) return;
        if (wanted) this.#hooks.add(HOOK, (/** @type {any} */ { msg }) => this.#judge(msg));
        else this.#hooks.remove(HOOK);
    }

    /**
     * @param {any} message
     * @returns {false | undefined} false: Node-RED drops it
     */
    #judge(message) {
        return this.#halted.has(message?.run?.executionId) ? false : undefined;
    }
}

module.exports = { Halts };
