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
        if (this.size > this.#most) this.delete(/** @type {Key} */ (this.keys().next().value));
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
}

/** The latest members of a set, at most so many. */
class LatestSet {
    /** @type {LatestMap<string, true>} */
    #members;

    /** @param {number} [most] */
    constructor(most = MOST) {
        this.#members = new LatestMap(most);
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
        if (this.#members.has(member)) return false;
        this.#members.set(member, true);
        return true;
    }
}

module.exports = { LatestMap, LatestSet };
