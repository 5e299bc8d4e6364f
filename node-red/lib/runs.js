"use strict";

const { LatestMap } = require("./latest");

/**
 * An offer of the bridge to start an execution.
 * @typedef {object} Offer
 * @property {string} executionId
 * @property {string} triggerId
 * @property {string} workflowId
 * @property {string} workspaceId
 * @property {string | null} lockKey
 * @property {string} scheduledAt
 * @property {"schedule" | "input" | "event" | "manual"} source
 * @property {any} payload
 * @property {number} fencingToken
 * @property {number} mergedFirings
 * @property {string | null} [firingKey]
 */

/**
 * What a message of a run carries as `msg.run`: plain data, so that it survives cloning.
 * @typedef {object} RunInfo
 * @property {string} executionId
 * @property {string} triggerId
 * @property {string} workflowId
 * @property {string} workspaceId
 * @property {string} scheduledAt
 * @property {string} startedAt
 * @property {string} deadline
 * @property {number} fencingToken
 * @property {string | null} lockKey
 * @property {string} source
 * @property {number} mergedFirings
 */

/**
 * A run of this client: claimed, then confirmed, then emitted.
 * @typedef {object} Run
 * @property {Offer} offer
 * @property {{message: any, again: boolean} | undefined} held the message whose firing it is
 * @property {RunInfo | undefined} info there once it is confirmed
 * @property {boolean} emitted
 */

/**
 * @param {Offer} offer
 * @param {{startedAt: string, deadline: string}} confirmation
 * @returns {RunInfo}
 */
function runInfo(offer, { startedAt, deadline }) {
    const { executionId, triggerId, workflowId, workspaceId, scheduledAt } = offer;
    const { fencingToken, lockKey, source, mergedFirings } = offer;
    return {
        ...{ executionId, triggerId, workflowId, workspaceId, scheduledAt, startedAt, deadline },
        ...{ fencingToken, lockKey, source, mergedFirings },
    };
}

/** The runs of a client from their claim to their end: offer, claim, confirmation, one message, end. */
class Runs {
    /** @type {Map<string, Run>} */
    #runs = new Map();
    /** @type {Map<string, "here" | "bridge">} who ended each execution that has ended */
    #ended = new LatestMap();

    /** @param {string} executionId */
    get(executionId) {
        return this.#runs.get(executionId);
    }

    /** @returns {string[]} what this client has claimed, confirmed or not, and what has not ended */
    get executionIds() {
        return [...this.#runs.keys()];
    }

    /** @returns {Run[]} what is confirmed and waits for running flows, in the order of confirmation */
    get toEmit() {
        return [...this.#runs.values()].filter((run) => run.info && !run.emitted);
    }

    /**
     * @param {string} executionId
     * @returns {boolean} whether it needs no claim any more: a repeated offer, or one of a run that has ended
     */
    isKnown(executionId) {
        return this.#runs.has(executionId) || this.#ended.has(executionId);
    }

    /**
     * @param {Offer} offer
     * @param {Run["held"]} held
     */
    claim(offer, held) {
        this.#runs.set(offer.executionId, { offer, held, info: undefined, emitted: false });
    }

    /**
     * The claim is committed.
     * @param {string} executionId
     * @param {{startedAt: string, deadline: string}} confirmation
     * @returns {Run | undefined} undefined when the run has ended meanwhile
     */
    confirm(executionId, confirmation) {
        const run = this.#runs.get(executionId);
        if (run && !run.info) run.info = runInfo(run.offer, confirmation);
        return run;
    }

    /**
     * Takes out a run whose claim was refused.
     * @param {string} executionId
     * @returns {Run | undefined} undefined when it is none of this client's active runs
     */
    drop(executionId) {
        const run = this.#runs.get(executionId);
        this.#runs.delete(executionId);
        return run;
    }

    /**
     * Takes out a run that this client ends, and remembers the end.
     * @param {string} executionId
     * @returns {Run | undefined} undefined when it is none of this client's active runs; then nothing is remembered
     */
    end(executionId) {
        const run = this.drop(executionId);
        if (run) this.turnDown(executionId);
        return run;
    }

    /** @param {string} executionId that this client ends without having claimed it */
    turnDown(executionId) {
        this.#ended.set(executionId, "here");
    }

    /**
     * Takes out what the bridge has ended, which may never have been claimed here.
     * @param {string} executionId
     * @returns {{run: Run | undefined, isNew: boolean}} `isNew` unless the bridge has said so before
     */
    endedByBridge(executionId) {
        const isNew = this.#ended.get(executionId) !== "bridge";
        this.#ended.set(executionId, "bridge");
        return { run: this.drop(executionId), isNew };
    }

    /**
     * @param {string} executionId
     * @returns {boolean} whether the bridge ended the execution, so that its messages are not wanted any more
     */
    isUnwanted(executionId) {
        return this.#ended.get(executionId) === "bridge";
    }
}

module.exports = { Runs };
