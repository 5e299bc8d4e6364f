"use strict";

const { BridgeError } = require("../bridge-error");
const { ownTimezone } = require("../own-timezone");
const { monotonic, sleep } = require("../timers");
const { troubleOf } = require("./standing");

/**
 * @typedef {InstanceType<typeof import("../trigger").Trigger>} Trigger
 * @typedef {InstanceType<typeof import("../runtime").Runtime>} Runtime
 * @typedef {import("./standing").Client} Client
 * @typedef {{workspace: any, states: Map<string, any>, refused?: string}} Known what a bridge said last
 */

/** Milliseconds from one reading to the next, however many ask: those that come between share the next one. */
const PAUSE = 500;

/** What the sidebar lists: every deployed trigger, and how its bridge and workspace stand. */
class Overview {
    #RED;
    #runtime;
    /** @type {WeakMap<Client, Known>} shown on while its bridge is away */
    #known = new WeakMap();
    /** @type {Promise<object> | undefined} */
    #next;
    #lastAt = -Infinity;

    /**
     * @param {any} RED
     * @param {Runtime} runtime
     */
    constructor(RED, runtime) {
        this.#RED = RED;
        this.#runtime = runtime;
    }

    /** @returns {Promise<object>} `{now, timezone, bridges, triggers}`, read after this was called */
    read() {
        this.#next ??= sleep(Math.max(0, this.#lastAt + PAUSE - monotonic())).then(() => {
            this.#next = undefined;
            this.#lastAt = monotonic();
            return this.#make();
        });
        return this.#next;
    }

    async #make() {
        const triggers = this.#runtime.triggers;
        const places = this.#places(triggers);
        const bridges = await Promise.all([...places].map(([id, trigger]) => this.#bridge(id, trigger)));
        return { now: Date.now(), timezone: ownTimezone(), bridges, triggers: triggers.map((trigger) => this.#entry(trigger)) };
    }

    /**
     * @param {Trigger[]} triggers
     * @returns {Map<string, Trigger>} by the bridge, a trigger that leads there
     */
    #places(triggers) {
        const places = new Map();
        for (const trigger of triggers) {
            const known = places.get(trigger.summary.bridge);
            if (trigger.connection && !(known && this.#runtime.clientOf(known))) places.set(trigger.summary.bridge, trigger);
        }
        return places;
    }

    /**
     * @param {string} id of the configuration node, or "managed"
     * @param {Trigger} trigger
     */
    async #bridge(id, trigger) {
        const connection = /** @type {import("../connection").Connection} */ (trigger.connection);
        const { workspaceId, maxConcurrentExecutions: configuredLimit } = connection;
        const name = this.#RED.nodes.getNode(id)?.name ?? "";
        const client = this.#runtime.clientOf(trigger);
        if (!client) return { id, name, workspaceId, configuredLimit };
        const trouble = troubleOf(this.#RED, client, connection);
        const { workspace, refused } = await this.#ask(client);
        return { id, name, workspaceId, configuredLimit, trouble, refused, workspace: trouble ? undefined : workspace };
    }

    /**
     * @param {Client} client
     * @returns {Promise<Known>} what its bridge says, or said last
     */
    async #ask(client) {
        const known = this.#known.get(client) ?? { workspace: undefined, states: new Map() };
        if (client.condition !== "connected") return known;
        const answer = await this.#answer(client, known);
        this.#known.set(client, answer);
        return answer;
    }

    /**
     * @param {Client} client
     * @param {Known} known
     * @returns {Promise<Known>}
     */
    async #answer({ reads, workspaceId }, known) {
        try {
            const [workspace, states] = await Promise.all([reads.workspace(workspaceId), reads.triggers(workspaceId)]);
            return { workspace, states: new Map(states.map((state) => [state.triggerId, state])) };
        } catch (error) {
            if (!(error instanceof BridgeError)) throw error;
            return { ...known, refused: error.message };
        }
    }

    /** @param {Trigger} trigger */
    #entry(trigger) {
        const client = this.#runtime.clientOf(trigger);
        const state = client && this.#known.get(client)?.states.get(trigger.triggerId);
        return { ...trigger.summary, ...(state ? fromBridge(state) : {}) };
    }
}

/** @param {any} state of a trigger, as the bridge tells it */
function fromBridge({ nextRun, recentRuns, lastDecision, skipping }) {
    return { nextRun, runs: recentRuns, last: lastOutcome(recentRuns, lastDecision), skipping };
}

/**
 * @param {{outcome: string, endedAt: string}[]} recentRuns newest first
 * @param {{decision: string, decidedAt: string, message: string} | null} lastDecision
 * @returns {{mark: string, at: string, message?: string} | undefined} what happened last: an end or a decision
 */
function lastOutcome([run], lastDecision) {
    const end = run && { mark: run.outcome, at: run.endedAt };
    if (!lastDecision || (end && end.at >= lastDecision.decidedAt)) return end;
    return { mark: lastDecision.decision, at: lastDecision.decidedAt, message: lastDecision.message };
}

module.exports = { Overview, lastOutcome };
