"use strict";

const { BridgeError } = require("./bridge-error");
const { ask } = require("./bridge-http");

/**
 * The states of what has not ended, in the order in which an execution passes them. Asked for one after the other they
 * miss nothing that moves on meanwhile, and what waits is ended before the end of what it waits for lets it start.
 */
const ACTIVE_STATES = Object.freeze(["queued", "onHold", "pending", "running", "paused"]);

/** Statuses that say that an execution is over already. */
const OVER = new Set([404, 409]);

/**
 * @typedef {"cancel" | "terminate"} EndingVerb
 * @typedef {{source: "input" | "manual", payload?: unknown, lockKey?: string, priority?: number}} Firing
 */

/** What a client asks of the bridge by HTTP, beside its stream. Whatever is refused is thrown as a BridgeError. */
class BridgeCalls {
    #bridge;

    /** @param {() => import("./bridge-http").Bridge} bridge the one to ask at the time */
    constructor(bridge) {
        this.#bridge = bridge;
    }

    /**
     * @param {string} triggerId
     * @param {Firing} firing
     * @param {string} key its `Idempotency-Key`
     * @returns {Promise<any[]>} the Decisions, one a lock key (R26)
     */
    async fire(triggerId, firing, key) {
        const { decisions } = await this.#post(`/v1/triggers/${encodeURIComponent(triggerId)}/fire`, firing, {
            "idempotency-key": key,
        });
        return decisions;
    }

    /**
     * @param {string} triggerId
     * @param {"pause" | "resume"} verb
     */
    async command(triggerId, verb) {
        await this.#post(`/v1/triggers/${encodeURIComponent(triggerId)}/${verb}`, {});
    }

    /**
     * @param {string} executionId
     * @param {EndingVerb} verb
     */
    async end(executionId, verb) {
        await this.#post(`/v1/executions/${encodeURIComponent(executionId)}/${verb}`, {});
    }

    /**
     * Ends all that is active of a trigger, what waits first.
     * @param {string} triggerId
     * @param {EndingVerb} verb
     */
    async endActive(triggerId, verb) {
        for (const state of ACTIVE_STATES) {
            for (const executionId of await this.#executionsIn(triggerId, state)) await this.#endIfActive(executionId, verb);
        }
    }

    /**
     * @param {string} workspaceId
     * @param {number} maxConcurrentExecutions 0: no limit
     */
    async setLimit(workspaceId, maxConcurrentExecutions) {
        const path = `/v1/workspaces/${encodeURIComponent(workspaceId)}`;
        await ask(this.#bridge(), "PUT", path, { body: { maxConcurrentExecutions } });
    }

    /**
     * @param {string} triggerId
     * @param {string} state
     * @returns {Promise<string[]>}
     */
    async #executionsIn(triggerId, state) {
        const ids = [];
        let more = {};
        do {
            const query = new URLSearchParams({ triggerId, state, limit: "1000", ...more });
            const { executions, nextCursor } = await ask(this.#bridge(), "GET", `/v1/executions?${query}`);
            ids.push(...executions.map((/** @type {{executionId: string}} */ { executionId }) => executionId));
            more = nextCursor ? { cursor: nextCursor } : {};
        } while ("cursor" in more);
        return ids;
    }

    /**
     * @param {string} executionId
     * @param {EndingVerb} verb
     */
    async #endIfActive(executionId, verb) {
        try {
            await this.end(executionId, verb);
        } catch (error) {
            if (!(error instanceof BridgeError) || !OVER.has(error.status)) throw error;
        }
    }

    /**
     * @param {string} path
     * @param {object} body
     * @param {Record<string, string>} [headers]
     */
    #post(path, body, headers) {
        return ask(this.#bridge(), "POST", path, { body, headers });
    }
}

module.exports = { BridgeCalls };
