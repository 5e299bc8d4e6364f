"use strict";

const { ask } = require("./bridge-http");

/** The most that the bridge gives in one page. */
const PAGE = 1000;

/**
 * @typedef {{items: any[], nextCursor: string | null}} Page
 */

/** What people ask to see of a bridge. Whatever is refused is thrown as a BridgeError. */
class BridgeReads {
    #bridge;

    /** @param {() => import("./bridge-http").Bridge} bridge the one to ask at the time */
    constructor(bridge) {
        this.#bridge = bridge;
    }

    /**
     * @param {string} workspaceId
     * @returns {Promise<any[]>} the state of each of its triggers
     */
    async triggers(workspaceId) {
        const states = [];
        for (let cursor; cursor !== null;) {
            const { triggers, nextCursor } = await this.#get("triggers", { workspaceId, limit: PAGE, cursor });
            states.push(...triggers);
            cursor = nextCursor;
        }
        return states;
    }

    /**
     * @param {string} triggerId
     * @returns {Promise<any>} its state
     */
    trigger(triggerId) {
        return this.#get(`triggers/${encodeURIComponent(triggerId)}`);
    }

    /**
     * @param {string} workspaceId
     * @returns {Promise<any>} its limit, and what counts against it or waits
     */
    workspace(workspaceId) {
        return this.#get(`workspaces/${encodeURIComponent(workspaceId)}`);
    }

    /**
     * @param {string} executionId
     * @returns {Promise<any>}
     */
    execution(executionId) {
        return this.#get(`executions/${encodeURIComponent(executionId)}`);
    }

    /**
     * @param {{triggerId: string, state?: string, limit: number, cursor?: string}} query
     * @returns {Promise<Page>} newest first
     */
    async executions(query) {
        const { executions, nextCursor } = await this.#get("executions", query);
        return { items: executions, nextCursor };
    }

    /**
     * @param {{triggerId: string, limit: number, cursor?: string}} query
     * @returns {Promise<Page>} newest first
     */
    async decisions(query) {
        const { decisions, nextCursor } = await this.#get("decisions", query);
        return { items: decisions, nextCursor };
    }

    /**
     * @param {object} schedule
     * @param {number} count
     * @returns {Promise<{ticks: {at: string}[]}>} its next ticks
     */
    preview(schedule, count) {
        return ask(this.#bridge(), "POST", "/v1/schedules/preview", { body: { schedule, count } });
    }

    /**
     * @param {string} path below /v1
     * @param {Record<string, string | number | undefined>} [query]
     */
    #get(path, query = {}) {
        const given = Object.entries(query).filter(([, value]) => value !== undefined);
        const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
        return ask(this.#bridge(), "GET", `/v1/${path}?${search}`);
    }
}

module.exports = { BridgeReads };
