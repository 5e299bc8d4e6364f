"use strict";

const { errorText } = require("../run-end");

/** Says on an error that it has done with the message, and in no other way. */
const SAYS_NO_MORE = "link call";

/**
 * @typedef {import("./trail").Hop} Hop
 * @typedef {{id: string, type?: string}} Source the node that failed
 */

/**
 * Which run an error belongs to that no Catch node handled. Node-RED either hands an error to a Catch node or writes it
 * to the log, at once and never both.
 */
class UnhandledErrors {
    /** @type {Hop | undefined} whose node has just said that it failed, and whose error is on its way */
    #failing;
    #settle;

    /** @param {(hop: Hop) => void} settle what to do with a hop that its error ends */
    constructor(settle) {
        this.#settle = settle;
    }

    /** @param {Hop} hop whose node says that it has done, with an error */
    expect(hop) {
        this.#failing = hop;
    }

    /**
     * A Catch node was handed an error.
     * @param {Source} source
     * @param {Hop | undefined} context
     */
    caught(source, context) {
        this.#failing = undefined;
        this.#settleIfLast(source, context);
    }

    /**
     * An error was written to the log.
     * @param {Source} source
     * @param {unknown} error
     * @param {Hop | undefined} context
     */
    logged(source, error, context) {
        const hop = [this.#failing, context].find((each) => each?.node.id === source.id);
        this.#failing = undefined;
        if (hop) hop.run.error ??= errorText(error);
        this.#settleIfLast(source, context);
    }

    /**
     * @param {Source} source
     * @param {Hop | undefined} context
     */
    #settleIfLast({ id, type }, context) {
        if (type === SAYS_NO_MORE && context?.node.id === id) this.#settle(context);
    }
}

module.exports = { UnhandledErrors };
