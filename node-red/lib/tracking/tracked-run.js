"use strict";

/**
 * What is known of a node: enough to find it on the canvas.
 * @typedef {{id: string, type: string, name?: string, z?: string}} Place
 */

/** A message of a run on its way to a node, or at it, until the node has done with it. */
class Hop {
    isThere = false;
    /** The node's handler threw, so that it will never say that it has done. */
    hasThrown = false;

    /**
     * @param {TrackedRun} run
     * @param {Place} node
     */
    constructor(run, node) {
        this.run = run;
        this.node = node;
    }
}

/** The messages of a run that are in flight. A set, never a counter: nothing is subtracted twice. */
class TrackedRun {
    /** @type {Set<Hop>} */
    #inFlight = new Set();
    /** @type {"active" | "silent" | "over"} silent: taken for completed because nothing was in flight */
    fate = "active";
    /** @type {string | undefined} the first error that no Catch node handled */
    error = undefined;
    /** How often nothing was in flight any more. */
    silences = 0;
    /** When that was last so; milliseconds since the Unix epoch. */
    silentSince = 0;
    /** Whether its silence is being timed. */
    isSuspected = false;

    /**
     * @param {import("../runs").RunInfo} info
     * @param {boolean} endsOnSilence
     */
    constructor(info, endsOnSilence) {
        this.info = info;
        this.endsOnSilence = endsOnSilence;
    }

    get isActive() {
        return this.fate === "active";
    }

    get isSilent() {
        return this.#inFlight.size === 0;
    }

    /**
     * A message sets out for a node. Of a run that is over nothing is counted.
     * @param {Place} node
     * @returns {Hop}
     */
    setOut(node) {
        const hop = new Hop(this, node);
        if (this.isActive) this.#inFlight.add(hop);
        return hop;
    }

    /**
     * A node has done with a message.
     * @param {Hop} hop
     * @returns {boolean} whether the run fell silent by that
     */
    settle(hop) {
        return this.#inFlight.delete(hop) && this.isSilent;
    }

    /** @param {Exclude<TrackedRun["fate"], "active">} fate */
    end(fate) {
        this.fate = fate;
        this.#inFlight.clear();
    }

    /**
     * @param {(node: Place) => boolean} ofNode
     * @returns {boolean} whether a message is on its way to such a node or at it
     */
    isIn(ofNode) {
        return [...this.#inFlight].some(({ node }) => ofNode(node));
    }
}

module.exports = { TrackedRun };
