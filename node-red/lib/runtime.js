"use strict";

const { BridgeClient } = require("./bridge-client");
const identity = require("./identity");
const { stoppingContainers } = require("./stops");

/**
 * @typedef {InstanceType<typeof import("./trigger").Trigger>} Trigger
 * @typedef {InstanceType<typeof BridgeClient>} Client
 * @typedef {import("./bridge-client").Listener} Listener
 * @typedef {{id: string, type: string, z?: string, d?: boolean}} FlowNode
 */

/**
 * What all schedule nodes of this Node-RED share: the clients, which outlive deploys, and the triggers that are
 * deployed. It follows the flows: `here` after they started, `away` when they stop.
 */
class Runtime {
    #instance;
    /** @type {Map<string, Client>} by client id */
    #clients = new Map();
    /** @type {Map<string, Trigger>} by trigger id */
    #triggers = new Map();
    /** @type {FlowNode[]} the flow file as it was when the flows started */
    #nodes = [];

    /**
     * @param {string} instance this Node-RED's name
     * @param {import("node:events").EventEmitter} events Node-RED's
     */
    constructor(instance, events) {
        this.#instance = instance;
        events.on("flows:started", ({ config }) => this.#flowsStarted(config.flows));
        events.on("flows:stopping", (stopping) => this.#flowsStopping(stopping));
    }

    get instance() {
        return this.#instance;
    }

    /** @param {Trigger} trigger whose node was made */
    add(trigger) {
        this.#triggers.set(trigger.triggerId, trigger);
        trigger.show();
    }

    /** @param {Trigger} trigger whose node closes; its successor may be there already */
    remove(trigger) {
        if (this.#triggers.get(trigger.triggerId) === trigger) this.#triggers.delete(trigger.triggerId);
    }

    /** @param {Trigger} trigger */
    clientOf(trigger) {
        return this.#clients.get(trigger.config.clientId);
    }

    /**
     * Ends a run of any client.
     * @param {string} executionId
     * @param {"completed" | "failed" | "cancelled"} outcome
     * @param {string} [error]
     * @returns {boolean} false when no such run is active; the first end wins
     */
    finish(executionId, outcome, error) {
        return [...this.#clients.values()].some((client) => client.finish(executionId, outcome, error));
    }

    /** @param {FlowNode[]} nodes */
    #flowsStarted(nodes) {
        this.#nodes = nodes;
        const sets = this.#triggersByClient();
        for (const [clientId, client] of this.#clients) if (!sets.has(clientId)) client.retire();
        for (const [clientId, triggers] of sets) {
            const client = this.#clientFor(clientId, triggers[0]);
            client.here(triggers.map(({ config }) => config));
        }
    }

    /** @param {{type: string, diff: import("./stops").Diff}} stopping */
    #flowsStopping(stopping) {
        const stops = stoppingContainers(stopping, this.#nodes);
        for (const client of this.#clients.values()) {
            client.interrupt((triggerId) => stops(this.#triggers.get(triggerId)?.container ?? ""));
            client.away();
        }
    }

    /** @returns {Map<string, Trigger[]>} the triggers to declare, by client id */
    #triggersByClient() {
        /** @type {Map<string, Trigger[]>} */
        const sets = new Map();
        for (const trigger of this.#triggers.values()) {
            if (!trigger.isSound) continue;
            const { clientId } = trigger.config;
            sets.set(clientId, [...(sets.get(clientId) ?? []), trigger]);
        }
        return sets;
    }

    /**
     * @param {string} clientId
     * @param {Trigger} trigger one of its triggers, which knows where the bridge is
     * @returns {Client}
     */
    #clientFor(clientId, { connection }) {
        if (!connection) throw new Error(`A sound trigger has no connection: ${clientId}`);
        const known = this.#clients.get(clientId);
        if (known) {
            known.moveTo(connection);
            return known;
        }
        const { workspaceId } = connection;
        const who = { clientId, sessionId: identity.SESSION_ID, workspaceId };
        const client = new BridgeClient(who, connection, this.#listener(clientId));
        this.#clients.set(clientId, client);
        return client;
    }

    /**
     * @param {string} clientId
     * @returns {Listener}
     */
    #listener(clientId) {
        /** @param {string} triggerId */
        const trigger = (triggerId) => this.#triggers.get(triggerId);
        return {
            runsTrigger: (triggerId) => trigger(triggerId)?.isSound === true,
            onClaim: ({ triggerId, executionId }) => trigger(triggerId)?.claimed(executionId),
            onStart: (run) => trigger(run.offer.triggerId)?.start(run),
            onGone: (executionId, triggerId) => trigger(triggerId)?.gone(executionId),
            onEnd: (end, run) => trigger(end.triggerId)?.ended(end, run),
            onDecision: (decision) => trigger(decision.triggerId)?.decided(decision),
            onNews: (news) => this.#spread(news),
            onInvalid: (triggerId, errors) => trigger(triggerId)?.refused(errors),
            onCondition: (condition, isNew) => this.#conditionChanged(clientId, condition, isNew),
            onRetired: () => this.#clients.delete(clientId),
        };
    }

    /** @param {{executions?: any[], triggers?: any[]}} news */
    #spread({ executions = [], triggers = [] }) {
        for (const execution of executions) this.#triggers.get(execution.triggerId)?.changed(execution);
        for (const state of triggers) this.#triggers.get(state.triggerId)?.scheduled(state);
    }

    /**
     * @param {string} clientId
     * @param {import("./bridge-client").Condition} condition
     * @param {boolean} isNew
     */
    #conditionChanged(clientId, condition, isNew) {
        const triggers = [...this.#triggers.values()].filter(({ config }) => config.clientId === clientId);
        for (const trigger of triggers) trigger.conditionChanged(isNew);
        // One line for all of them: the first one speaks.
        if (isNew) triggers[0]?.reportCondition(condition);
    }
}

/** @type {WeakMap<object, Runtime>} */
const runtimes = new WeakMap();

/**
 * The one Runtime of a Node-RED, whichever node asks first.
 * @param {{events: import("node:events").EventEmitter, settings: any}} RED
 * @returns {Runtime}
 */
function runtimeOf({ events, settings }) {
    const runtime = runtimes.get(events) ?? new Runtime(identity.instanceName(settings), events);
    runtimes.set(events, runtime);
    return runtime;
}

module.exports = { Runtime, runtimeOf };
