"use strict";

const { LatestMap } = require("../latest");

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
    /** @type {InstanceType<typeof LatestMap<string | undefined, string[]>>} by message id, the meeting places it came to */
    #there = new LatestMap(REMEMBERED);

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
        if (!this.#meetingPlaces.has(node)) return;
        const places = this.#there.peek(_msgid);
        if (!places) this.#there.set(_msgid, [node.id]);
        else if (!places.includes(node.id)) places.push(node.id);
    }

    /**
     * @param {string} nodeId that sends a message
     * @param {{_msgid?: string}} message
     * @returns {boolean} whether such a message came to the node without a run
     */
    cameTo(nodeId, { _msgid }) {
        return this.#there.peek(_msgid)?.includes(nodeId) === true;
    }
}

module.exports = { Strangers };
