"use strict";

/** How many entries are kept unless said otherwise. */
const MOST = 1000;

/**
 * A Map that keeps the entries that were set or got last and lets the others go, so that it cannot grow without bound.
 * @template Key, Value
 * @extends {Map<Key, Value>}
 */
class LatestMap extends Map {
    #most;
    /** Goes along with what is let go: one that is made anew steps over every hole that was left before. */
    #oldest = this.keys();

    /** @param {number} [most] */
    constructor(most = MOST) {
        super();
        this.#most = most;
    }

    /**
     * @override
     * @param {Key} key
     * @param {Value} value
     */
    set(key, value) {
        this.delete(key);
        super.set(key, value);
        if (this.size > this.#most) this.delete(/** @type {Key} */ (this.#oldest.next().value));
        return this;
    }

    /**
     * @override
     * @param {Key} key
     * @returns {Value | undefined}
     */
    get(key) {
        const value = super.get(key);
        if (value !== undefined) this.set(key, value);
        return value;
    }

    /**
     * @param {Key} key
     * @returns {Value | undefined} what stands there; to look at it does not make it one of the latest
     */
    peek(key) {
        return super.get(key);
    }
}

/** The latest members of a set, at most so many. */
class LatestSet {
    #most;
    /** @type {Set<string>} */
    #members = new Set();
    #oldest = this.#members.keys();

    /** @param {number} [most] */
    constructor(most = MOST) {
        this.#most = most;
    }

    get size() {
        return this.#members.size;
    }

    /** @param {string | undefined} member */
    has(member) {
        return member !== undefined && this.#members.has(member);
    }

    /**
     * @param {string} member
     * @returns {boolean} whether it is a new one
     */
    add(member) {
        const before = this.#members.size;
        const { size } = this.#members.add(member);
        if (size > this.#most) this.#members.delete(/** @type {string} */ (this.#oldest.next().value));
        return size > before;
    }
}

module.exports = { LatestMap, LatestSet };
