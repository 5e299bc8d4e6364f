"use strict";

const { FiringTrail, FINAL } = require("./firing-trail");
const { LatestSet } = require("./latest");
const { monotonic } = require("./timers");

/** How many firings are remembered, and how long: as long as the bridge remembers their keys. */
const BOUNDS = Object.freeze({ number: 1000, age: 24 * 60 * 60 * 1000 });

/**
 * @typedef {import("./firing-trail").Decision} Decision
 * @typedef {object} OwnFiring
 * @property {string} triggerId
 * @property {number} since
 * @property {any} message the message that fired, or undefined
 * @property {boolean} failed its fire was reported as failed
 * @property {boolean} taken a run was claimed for it
 * @property {Decision[] | undefined} open what the answer said of its firings, one a lock key (R26), of which runs
 *   may still come; undefined until they are decided
 */

/**
 * The firings that this client asked for, by key (their `Idempotency-Key`), and the messages that wait for what was
 * decided. A message is let go as soon as no run can come of its firing; the bounds are for decisions that were lost
 * with a connection.
 */
class OwnFirings {
    /** @type {Map<string, OwnFiring>} */
    #firings = new Map();
    #trail = new FiringTrail();
    #followed = new LatestSet();
    #now;
    #bounds;

    /** @param {{now?: () => number, bounds?: {number: number, age: number}}} [options] */
    constructor({ now = monotonic, bounds = BOUNDS } = {}) {
        this.#now = now;
        this.#bounds = bounds;
    }

    get size() {
        return this.#firings.size;
    }

    /**
     * A firing is about to be asked for.
     * @param {string} key
     * @param {string} triggerId
     * @param {any} [message] goes out itself if the firing starts
     */
    ask(key, triggerId, message) {
        this.#letGoOfTheOldest();
        const since = this.#now();
        this.#firings.set(key, { triggerId, since, message, failed: false, taken: false, open: undefined });
    }

    /**
     * The answer to what was asked.
     * @param {string} key
     * @param {Decision[]} decisions
     */
    decided(key, decisions) {
        const firing = this.#firings.get(key);
        if (!firing) return;
        firing.open = decisions.filter(({ decision }) => !FINAL.has(decision));
        this.#letGo();
    }

    /**
     * No decision was heard of.
     * @param {string} key
     * @returns {boolean} false when a run of the firing was claimed all the same, so that it did not fail
     */
    failed(key) {
        const firing = this.#firings.get(key);
        if (!firing) return true;
        if (firing.taken) {
            this.#firings.delete(key);
            return false;
        }
        firing.failed = true;
        firing.message = undefined;
        return true;
    }

    /**
     * @param {string} key
     * @returns {boolean} whether its fire was reported as failed, so that no run may come of it
     */
    hasFailed(key) {
        return this.#firings.get(key)?.failed === true;
    }

    /**
     * A run is claimed: hands out the message that waits for it.
     * @param {string | null | undefined} key of the newest firing in the offer; none for a tick
     * @param {string} executionId
     * @returns {{message: any, again: boolean} | undefined} `again` when an earlier run of the firing got the message
     */
    take(key, executionId) {
        const firing = key ? this.#firings.get(key) : undefined;
        const held = firing?.message && { message: firing.message, again: firing.taken };
        if (firing) firing.taken = true;
        this.over(executionId);
        return held;
    }

    /**
     * @param {string} firingId
     * @returns {any} the message that waits for what comes of it, if there is one
     */
    messageOf(firingId) {
        return [...this.#firings.values()].find(({ open }) => open?.some((each) => each.firingId === firingId))?.message;
    }

    /**
     * Takes in a decision on any firing of the client, in the bridge's order.
     * @param {Decision & {decidedAt?: string}} decision
     * @returns {boolean} false where it was heard before, as over a network that repeats itself
     */
    follow(decision) {
        if (!this.#followed.add(`${decision.firingId} ${decision.decision} ${decision.decidedAt}`)) return false;
        this.#trail.note(decision);
        this.#letGo();
        return true;
    }

    /**
     * A connection is made. What was answered before, but not yet told on the one before, will not be told any more:
     * the answer is all that will be known of where such a firing stands.
     */
    reconnected() {
        for (const { open = [] } of this.#firings.values()) {
            for (const decision of open) if (!this.#trail.knows(decision.firingId)) this.#trail.note(decision);
        }
        this.#letGo();
    }

    /** @param {string} executionId of which nothing more starts */
    over(executionId) {
        this.#trail.close(executionId);
        this.#letGo();
    }

    /**
     * Lets go of the messages of triggers that are not there any more.
     * @param {Set<string>} triggerIds those that are
     */
    keepOnly(triggerIds) {
        for (const firing of this.#firings.values()) {
            if (!triggerIds.has(firing.triggerId)) firing.message = undefined;
        }
    }

    #letGo() {
        for (const [key, firing] of this.#firings) {
            firing.open = firing.open?.filter(({ firingId }) => !this.#trail.isOver(firingId));
            if (firing.open?.length === 0) this.#firings.delete(key);
        }
    }

    #letGoOfTheOldest() {
        const oldest = this.#now() - this.#bounds.age;
        for (const [key, { since }] of this.#firings) {
            if (since > oldest && this.#firings.size < this.#bounds.number) return;
            this.#firings.delete(key);
        }
    }
}

module.exports = { OwnFirings };
