"use strict";

/**
 * @typedef {InstanceType<typeof import("./tracked-run").TrackedRun>} TrackedRun
 * @typedef {ReturnType<TrackedRun["setOut"]>} Hop
 */

/**
 * The hops that a message object is making. It can make several at once: the first receiver of a message gets the
 * original, sends it on, and says only later that it has done.
 */
class Trail {
    /** @type {Hop[]} */
    #hops = [];
    /** @type {TrackedRun} the run that the message was last seen in */
    run;

    /** @param {Hop} hop */
    constructor(hop) {
        this.run = hop.run;
        this.#hops.push(hop);
    }

    /** @param {Hop} hop */
    add(hop) {
        this.run = hop.run;
        this.#hops.push(hop);
    }

    /**
     * The message, on its way until now, has come to a node.
     * @param {string} nodeId
     * @returns {Hop | undefined} undefined where it was not on its way, but handed to the node directly
     */
    arrive(nodeId) {
        const hop = this.#hops.find((each) => !each.isThere && each.node.id === nodeId);
        if (hop) hop.isThere = true;
        return hop;
    }

    /**
     * A node says that it has done with the message, perhaps not for the first time.
     * @param {string} nodeId
     * @returns {Hop | undefined} undefined where it has said so already
     */
    complete(nodeId) {
        const index = this.#hops.findIndex((hop) => hop.isThere && hop.node.id === nodeId);
        return index === -1 ? undefined : this.#hops.splice(index, 1)[0];
    }
}

module.exports = { Trail };
