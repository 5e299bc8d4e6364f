"use strict";

const { BridgeClient } = require("./bridge-client");
const { Halts } = require("./halts");
const identity = require("./identity");
const { ownBridgeOf } = require("./own-bridge");
const { StartFirings } = require("./start-firings");
const { stoppingContainers } = require("./stops");

/**
 * @typedef {InstanceType<typeof import("./trigger").Trigger>} Trigger
 * @typedef {InstanceType<typeof BridgeClient>} Client
 * @typedef {InstanceType<typeof import("./bridge-process/managed-bridge").ManagedBridge>} ManagedBridge
 * @typedef {import("./bridge-client").Listener} Listener
 * @typedef {{id: string, type: string, z?: string, d?: boolean}} FlowNode
 * @typedef {{add(name: string, hook: Function): void, remove(name: string): void, has(name: string): boolean}} Hooks
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
    #startFirings = new StartFirings();
    #halts;

    /**
     * @param {string} instance this Node-RED's name
     * @param {import("node:events").EventEmitter} events Node-RED's
     * @param {Hooks} hooks Node-RED's
     */
    constructor(instance, events, hooks) {
        this.#instance = instance;
        this.#halts = new Halts(hooks);
        events.on("flows:started", ({ config }) => this.#flowsStarted(config.flows));
        events.on("flows:stopping", (stopping) => this.#flowsStopping(stopping));
    }

    get instance() {
        return this.#instance;
    }

    /** @param {Trigger} trigger whose node was made */
    add(trigger) {
        this.#triggers.set(trigger.triggerId, trigger);
        this.#halts.watch(true);
        trigger.show();
    }

    /** @param {Trigger} trigger whose node closes; its successor may be there already */
    remove(trigger) {
        if (this.#triggers.get(trigger.triggerId) === trigger) this.#triggers.delete(trigger.triggerId);
    }

    /**
     * Has triggers show how this Node-RED's own bridge stands, and clients find it after each of its starts.
     * @param {ManagedBridge} bridge
     */
    follow(bridge) {
        bridge.on("change", () => this.#ownBridgeChanged(bridge));
        // One line for all of them: the first one speaks.
        bridge.on("trouble", (inTheWay) => this.#triggersAt(bridge)[0]?.reportTrouble(inTheWay));
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

    /**
     * @param {string} executionId
     * @returns {boolean} whether the bridge ended it, so that its messages are not wanted any more
     */
    isUnwanted(executionId) {
        return [...this.#clients.values()].some((client) => client.isUnwanted(executionId));
    }

    /** @param {ManagedBridge} bridge */
    #ownBridgeChanged(bridge) {
        if (bridge.url) for (const client of this.#clients.values()) client.bridgeStarted(bridge);
        for (const trigger of this.#triggersAt(bridge)) trigger.show();
    }

    /** @param {ManagedBridge} bridge */
    #triggersAt(bridge) {
        return [...this.#triggers.values()].filter(({ connection }) => connection?.managed === bridge);
    }

    /** @param {FlowNode[]} nodes */
    #flowsStarted(nodes) {
        this.#nodes = nodes;
        this.#halts.watch(this.#triggers.size > 0);
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
        connection.managed?.start();
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
            onEnd: (end, run) => this.#ended(end, run),
            onDecision: (decision) => trigger(decision.triggerId)?.decided(decision),
            onNews: (news) => this.#spread(news),
            onInvalid: (triggerId, errors) => trigger(triggerId)?.refused(errors),
            onLimitRefused: (message) => this.#triggersOf(clientId)[0]?.limitRefused(message),
            onCondition: (condition, isNew) => this.#conditionChanged(clientId, condition, isNew),
            onRetired: () => this.#clients.delete(clientId),
        };
    }

    /**
     * Stops the messages of a terminated run before anybody is told of its end.
     * @param {any} end
     * @param {import("./runs").Run | undefined} run
     */
    #ended(end, run) {
        if (end.halt) this.#halts.halt(end.executionId);
        this.#triggers.get(end.triggerId ?? run?.offer.triggerId)?.ended(end, run);
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
        const triggers = this.#triggersOf(clientId);
        for (const trigger of triggers) trigger.conditionChanged(isNew);
        // One line for all of them: the first one speaks.
        if (isNew) triggers[0]?.reportCondition(condition);
        if (condition === "connected") this.#fireAtStart(triggers);
    }

    /** @param {Trigger[]} triggers whose client is here */
    #fireAtStart(triggers) {
        for (const trigger of triggers) {
            const client = this.clientOf(trigger);
            if (client && trigger.isSound && trigger.firesAtStart) this.#startFirings.fire(trigger.triggerId, client);
        }
    }

    /**
     * @param {string} clientId
     * @returns {Trigger[]}
     */
    #triggersOf(clientId) {
        return [...this.#triggers.values()].filter(({ config }) => config.clientId === clientId);
    }
}

/** @type {WeakMap<object, Runtime>} */
const runtimes = new WeakMap();

/**
 * The one Runtime of a Node-RED, whichever node asks first.
 * @param {{events: import("node:events").EventEmitter, hooks: Hooks, settings: any, log: any}} RED
 * @returns {Runtime}
 */
function runtimeOf(RED) {
    const known = runtimes.get(RED.events);
    if (known) return known;
    const runtime = new Runtime(identity.instanceName(RED.settings), RED.events, RED.hooks);
    runtime.follow(ownBridgeOf(RED));
    runtimes.set(RED.events, runtime);
    return runtime;
}

module.exports = { Runtime, runtimeOf };
