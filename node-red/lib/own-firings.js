"use strict";

/** How many firings are remembered, and how long: as long as the bridge remembers their keys. */
const BOUNDS = Object.freeze({ number: 1000, age: 24 * 60 * 60 * 1000 });

/** Decisions after which nothing of a firing starts any more. */
const FINAL = new Set(["skipped", "dropped", "missed"]);

/**
 * @typedef {object} OwnFiring
 * @property {number} since
 * @property {any} message the message that fired, or undefined
 * @property {boolean} failed its fire was reported as failed
 * @property {number} taken runs that were claimed for it
 * @property {number} expected runs that may come of it; Infinity until it is decided
 * @property {Set<string>} executionIds the executions that its decisions named
 */

/**
 * The firings that this client asked for, by key (their `Idempotency-Key`), and the messages that wait for what was
 * decided. Bounded in number and age, so that a message whose end is never heard of is let go.
 */
class OwnFirings {
    /** @type {Map<string, OwnFiring>} */
    #firings = new Map();
    #now;
    #bounds;

    /** @param {{now?: () => number, bounds?: {number: number, age: number}}} [options] */
    constructor({ now = Date.now, bounds = BOUNDS } = {}) {
        this.#now = now;
        this.#bounds = bounds;
    }

    get size() {
        return this.#firings.size;
    }

    /**
     * A firing is about to be asked for.
     * @param {string} key
     * @param {any} [message] goes out itself if the firing starts
     */
    ask(key, message) {
        this.#letGo();
        const firing = { since: this.#now(), message, failed: false, taken: 0, expected: Infinity };
        this.#firings.set(key, { ...firing, executionIds: new Set() });
    }

    /**
     * The firing was decided. A firing that was merged takes the place of the messages that its execution had.
     * @param {string} key
     * @param {{decision: string, executionId?: string}[]} decisions
     */
    decided(key, decisions) {
        const firing = this.#firings.get(key);
        if (!firing) return;
        const open = decisions.filter(({ decision }) => !FINAL.has(decision));
        firing.expected = open.length;
        for (const { decision, executionId } of open) {
            if (!executionId) continue;
            if (decision === "merged") this.settled(executionId);
            firing.executionIds.add(executionId);
        }
        this.#dropIfDone(key, firing);
    }

    /**
     * No decision was heard of.
     * @param {string} key
     * @returns {boolean} false when a run of the firing was claimed all the same, so that it did not fail
     */
    failed(key) {
        const firing = this.#firings.get(key);
        if (!firing) return true;
        if (firing.taken > 0) {
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
     * A run of the firing is claimed: hands out the message that waits for it.
     * @param {string} key
     * @param {string} executionId
     * @returns {{message: any, again: boolean} | undefined} `again` when an earlier run of the firing got the message
     */
    take(key, executionId) {
        const firing = this.#firings.get(key);
        if (firing) firing.taken += 1;
        const held = firing?.message && { message: firing.message, again: firing.taken > 1 };
        this.settled(executionId);
        if (firing) this.#dropIfDone(key, firing);
        return held;
    }

    /**
     * Nothing more comes of an execution: the messages that waited for it alone are let go.
     * @param {string} executionId
     */
    settled(executionId) {
        for (const [key, firing] of this.#firings) {
            if (firing.executionIds.delete(executionId) && firing.executionIds.size === 0) this.#firings.delete(key);
        }
    }

    /**
     * @param {string} key
     * @param {OwnFiring} firing
     */
    #dropIfDone(key, firing) {
        if (firing.taken >= firing.expected) this.#firings.delete(key);
    }

    #letGo() {
        const oldest = this.#now() - this.#bounds.age;
        for (const [key, { since }] of this.#firings) {
            if (since > oldest && this.#firings.size < this.#bounds.number) return;
            this.#firings.delete(key);
        }
    }
}

module.exports = { OwnFirings };
