"use strict";

const TERMINAL = new Set(["completed", "failed", "cancelled", "expired", "interrupted"]);
const STARTED = new Set(["pending", "running", "paused"]);

/** Reasons of a skip that an active run caused. */
const OVERLAP_REASONS = new Set(["active", "maxConcurrent"]);

/** Decisions after which an execution waits, and in which state. */
const WAITING = new Map([
    ["queued", "queued"],
    ["waiting", "queued"],
    ["onHold", "onHold"],
]);

/** What the executions of one trigger are doing, gathered from what the bridge says: the source of its status. */
class TriggerActivity {
    /** @type {Map<string, {state: string, place: number}>} */
    #active = new Map();
    #skipped = 0;
    /** @type {string | null} */
    nextRun = null;
    /** @type {string | null} */
    pausedSince = null;

    /** @param {string} executionId */
    started(executionId) {
        this.#active.set(executionId, { state: "running", place: 0 });
    }

    /** @param {string} executionId */
    ended(executionId) {
        this.#active.delete(executionId);
        if (this.#active.size === 0) this.#skipped = 0;
    }

    /** @param {{decision: string, reason?: string | null, executionId?: string | null}} decision */
    decided({ decision, reason, executionId }) {
        if (decision === "skipped" && OVERLAP_REASONS.has(reason ?? "")) this.#skipped += 1;
        if (!executionId) return;
        const state = WAITING.get(decision);
        if (state) this.#active.set(executionId, { state, place: 0 });
        if (decision === "dropped") this.ended(executionId);
    }

    /** @param {{executionId: string, state: string, waitsFor?: {position?: number | null} | null}} execution */
    changed({ executionId, state, waitsFor }) {
        if (TERMINAL.has(state)) this.ended(executionId);
        else this.#active.set(executionId, { state, place: waitsFor?.position ?? 0 });
    }

    /** @param {{nextRun?: string | null, pausedSince?: string | null, skipping?: {count: number} | null}} state */
    scheduled({ nextRun = null, pausedSince = null, skipping }) {
        this.nextRun = nextRun;
        if (skipping !== undefined) this.#skipped = skipping?.count ?? 0;
        this.pausedSince = pausedSince;
    }

    /** Forgets what only the bridge can know; it is told anew after a lost connection. */
    forgetWaiting() {
        for (const [executionId, { state }] of this.#active) {
            if (!STARTED.has(state)) this.#active.delete(executionId);
        }
    }

    /** @returns {{running: number, queued: number, onHold: number, place: number, skipped: number}} */
    get counts() {
        const active = [...this.#active.values()];
        const held = active.filter(({ state }) => state === "onHold");
        return {
            running: active.filter(({ state }) => STARTED.has(state)).length,
            queued: active.filter(({ state }) => state === "queued").length,
            onHold: held.length,
            place: Math.min(...held.map(({ place }) => place), Infinity),
            skipped: this.#skipped,
        };
    }
}

module.exports = { TriggerActivity };
