"use strict";

const { after } = require("../timers");
const { MessageHooks } = require("./message-hooks");
const { RunTracker } = require("./run-tracker");

/**
 * @typedef {import("./tracked-run").Place} Place
 * @typedef {InstanceType<typeof import("./tracked-run").TrackedRun>} TrackedRun
 */

/**
 * The tracking of runs through the flows of this Node-RED. Its hooks are in place only while a trigger is deployed, or a
 * run of one is still going on.
 */
class Tracking {
    #tracker;
    #hooks;
    #isWanted = false;

    /**
     * @param {{hooks: import("./message-hooks").Hooks, log: import("./message-hooks").Log}} RED
     * @param {Omit<import("./run-tracker").Listener, "later"> & {onFault: (error: Error) => void}} listener
     */
    constructor(RED, listener) {
        /** @type {import("./run-tracker").Listener["later"]} */
        const later = (act, milliseconds) => this.#later(act, milliseconds);
        this.#tracker = new RunTracker({ ...listener, later });
        this.#hooks = new MessageHooks(RED, this.#tracker, listener.onFault);
    }

    /** @param {boolean} wanted whether a trigger is deployed */
    watch(wanted) {
        this.#isWanted = wanted;
        this.#follow();
    }

    /**
     * A run begins with the messages that its trigger sends.
     * @param {import("../runs").RunInfo} info
     * @param {{endsOnSilence: boolean, node: Place}} trigger
     * @param {() => void} send
     */
    begin(info, trigger, send) {
        this.#hooks.outside(() => this.#tracker.begin(info, trigger, send));
    }

    /**
     * A run has ended.
     * @param {string} executionId
     * @param {{halt?: boolean}} [how] `halt`: none of its messages is delivered any more
     */
    end(executionId, how) {
        this.#tracker.end(executionId, how);
        this.#follow();
    }

    /**
     * Acts outside of any run: what is sent meanwhile belongs to none.
     * @param {() => void} act
     */
    outside(act) {
        this.#hooks.outside(act);
    }

    /**
     * @param {(node: Place) => boolean} ofNode
     * @returns {string[]} the runs that have a message on its way to such a node or at it
     */
    executionsIn(ofNode) {
        return this.#tracker.executionsIn(ofNode);
    }

    #follow() {
        this.#hooks.watch(this.#isWanted || this.#tracker.isBusy);
    }

    /**
     * @param {() => void} act
     * @param {number} milliseconds
     */
    #later(act, milliseconds) {
        // Timers come before input and output: what had arrived by then gets its turn first.
        this.#hooks.outside(() => after(milliseconds, () => setImmediate(act)));
    }
}

module.exports = { Tracking };
