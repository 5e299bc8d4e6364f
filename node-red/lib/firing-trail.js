"use strict";

const { LatestMap, LatestSet } = require("./latest");

/** Decisions after which nothing of a firing starts any more. */
const FINAL = new Set(["skipped", "dropped", "missed"]);

/** Stands for the place of a firing of which nothing comes. */
const NOWHERE = "";

/**
 * @typedef {object} Decision
 * @property {string} firingId
 * @property {string} decision
 * @property {string} triggerId
 * @property {string | null} [lockKey]
 * @property {string | null} [executionId]
 */

/**
 * Follows firings from decision to decision, in the order in which the bridge made them, to say whether a run may
 * still come of one. A firing stands at a place: the execution that it waits for or, while it is delayed or buffered,
 * the firing that is held; of those merged at a place the newest one counts (R12).
 */
class FiringTrail {
    /** @type {Map<string, string>} where each firing stands */
    #places = new LatestMap();
    /** @type {Map<string, string>} the firing that came to a place last */
    #newest = new LatestMap();
    /** @type {Map<string, string>} the delayed firing of a trigger and lock key (R2) */
    #delayed = new LatestMap();
    #over = new LatestSet();

    /**
     * Takes in the next decision on a firing.
     * @param {Decision} decision
     */
    note({ firingId, decision, triggerId, lockKey, executionId }) {
        const pair = JSON.stringify([triggerId, lockKey || ""]);
        if (decision === "delayed") this.#delayed.set(pair, firingId);
        const held = decision === "merged" ? this.#delayed.get(pair) : undefined;
        const place = FINAL.has(decision) ? NOWHERE : executionId || held || firingId;
        if (decision === "merged") this.#newest.set(place, firingId);
        if (decision === "dropped" && executionId) this.#over.add(executionId);
        this.#places.set(firingId, place);
    }

    /** @param {string} firingId */
    knows(firingId) {
        return this.#places.has(firingId);
    }

    /** @param {string} executionId of which nothing more starts: it was claimed, or has ended */
    close(executionId) {
        this.#over.add(executionId);
    }

    /**
     * @param {string} firingId
     * @returns {boolean} whether no run comes of the firing any more: it was turned down, its run has been claimed or
     *   has ended, or a newer firing was merged into what it waited for
     */
    isOver(firingId) {
        if (this.#newest.has(firingId)) return true;
        let at = firingId;
        let place = this.#places.get(at);
        while (place !== undefined && place !== at) {
            if (this.#endsAt(place, at)) return true;
            at = place;
            place = this.#places.get(at);
        }
        return false;
    }

    /**
     * @param {string} place
     * @param {string} firingId that stands there
     */
    #endsAt(place, firingId) {
        const newest = this.#newest.get(place) ?? firingId;
        return place === NOWHERE || this.#over.has(place) || newest !== firingId;
    }
}

module.exports = { FiringTrail, FINAL };
