/** Chance from a seed, the same in every life of it. */

/** Numbers from 0 to 1, as Math.random gives them. */
export function chance(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
}

/** One of these. */
export const pick = (random, from) => from[Math.floor(random() * from.length)];

/** All of these in another order. */
export function shuffled(random, all) {
    const keyed = all.map((each) => [random(), each]);
    return keyed.sort(([a], [b]) => a - b).map(([, each]) => each);
}
