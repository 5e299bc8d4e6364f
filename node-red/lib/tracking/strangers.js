"use strict";

const { LatestSet } = require("../latest");

const REMEMBERED = 10_000;

/**
 * Messages that belong to no run, as far as they could be taken for a run's: a node that keeps a shared queue sends
 * them on in the context of whichever message came first.
 */
class Strangers {
    /** @type {WeakSet<object>} nodes that have had messages of runs */
    #meetingPlaces = new WeakSet();
    /** @type {WeakSet<object>} messages on their way */
    #onTheWay = new WeakSet();
    #there = new LatestSet(REMEMBERED);

    /** @param {object} node that has had a message of a run */
    watch(node) {
        this.#meetingPlaces.add(node);
    }

    /** @param {object} message of no run that was sent in the context of one */
    setOut(message) {
        this.#onTheWay.add(message);
    }

    /**
     * @param {object} message
     * @returns {boolean} whether it was told from the run when it was sent
     */
    isOnTheWay(message) {
        return this.#onTheWay.has(message);
    }

    /**
     * A message of no run comes to a node, which may send it on as a copy.
     * @param {import("./tracked-run").Place} node
     * @param {{_msgid?: string}} message
     */
    arrive(node, { _msgid }) {
        if (this.#meetingPlaces.has(node)) this.#there.add(`${node.id} ${_msgid}`);
    }

    /**
     * @param {string} nodeId that sends a message
     * @param {{_msgid?: string}} message
     * @returns {boolean} whether such a message came to the node without a run
     */
    cameTo(nodeId, { _msgid }) {
        return this.#there.has(`${nodeId} ${_msgid}`);
    }
}

module.exports = { Strangers };
