"use strict";

/** Does one thing after the other, in the order in which they were asked for, whether or not one of them fails. */
class Turns {
    /** @type {Promise<unknown>} */
    #last = Promise.resolve();

    /**
     * @template Result
     * @param {() => Promise<Result>} act
     * @returns {Promise<Result>} what `act` gives when its turn comes
     */
    take(act) {
        const turn = this.#last.then(act);
        this.#last = turn.catch(() => {});
        return turn;
    }
}

module.exports = { Turns };
