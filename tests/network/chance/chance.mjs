/** Chance that a seed repeats, as far as the machine lets it: what happens first is up to both. */
export class Chance {
    #state;

    /** @param {number} seed */
    constructor(seed) {
        this.#state = seed >>> 0;
    }

    /** From 0 to 1; mulberry32. */
    next() {
        this.#state = (this.#state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    }

    below(limit) {
        return Math.floor(this.next() * limit);
    }

    /** One of some, or undefined of none. */
    of(some) {
        return some[this.below(some.length)];
    }

    /** One by weight. */
    weighted(weights) {
        const entries = Object.entries(weights);
        let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
        return entries.find(([, weight]) => (left -= weight) < 0)?.[0] ?? entries[0][0];
    }
}
