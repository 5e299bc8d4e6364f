"use strict";

/**
 * @typedef {InstanceType<typeof import("./tracked-run").TrackedRun>} TrackedRun
 * @typedef {ReturnType<TrackedRun["setOut"]>} Hop
 */

/**
 * Which hops a message object is making. One object can make several: the first receiver of a message gets the
 * original, sends it on, and says only later that it has done.
 */
class Trails {
    /** @type {WeakMap<object, {run: TrackedRun, hops: Hop[]}>} */
    #trails = new WeakMap();

    /**
     * @param {object} message
     * @returns {TrackedRun | undefined} the run that it was last seen in
     */
    runOf(message) {
        return this.#trails.get(message)?.run;
    }

    /**
     * @param {object} message
     * @param {Hop} hop
     */
    begin(message, hop) {
        const trail = this.#trails.get(message);
        if (trail) {
            trail.run = hop.run;
            trail.hops.push(hop);
        } else this.#trails.set(message, { run: hop.run, hops: [hop] });
    }

    /**
     * A message that was on its way has come to a node.
     * @param {object} message
     * @param {string} nodeId
     * @returns {Hop | undefined} undefined for one that was handed to the node directly
     */
    arrive(message, nodeId) {
        const hop = this.#trails.get(message)?.hops.find((each) => !each.isThere && each.node.id === nodeId);
        if (hop) hop.isThere = true;
        return hop;
    }

    /**
     * A node says that it has done with a message, perhaps not for the first time.
     * @param {object} message
     * @param {string} nodeId
     * @returns {Hop | undefined} undefined where it has said so already
     */
    complete(message, nodeId) {
        const hops = this.#trails.get(message)?.hops;
        const index = hops?.findIndex((hop) => hop.isThere && hop.node.id === nodeId) ?? -1;
        return index === -1 ? undefined : hops?.splice(index, 1)[0];
    }
}

module.exports = { Trails };
