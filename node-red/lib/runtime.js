"use strict";

const { EventEmitter } = require("node:events");
const { BridgeClient } = require("./bridge-client");
const identity = require("./identity");
const { ownBridgeOf } = require("./own-bridge");
const { StartFirings } = require("./start-firings");
const { stoppingNodes } = require("./stops");
const { Tracking } = require("./tracking/tracking");

/**
 * @typedef {InstanceType<typeof import("./trigger").Trigger>} Trigger
 * @typedef {InstanceType<typeof BridgeClient>} Client
 * @typedef {InstanceType<typeof import("./bridge-process/managed-bridge").ManagedBridge>} ManagedBridge
 * @typedef {import("./bridge-client").Listener} Listener
 * @typedef {{id: string, type: string, z?: string, d?: boolean}} FlowNode
 * @typedef {ConstructorParameters<typeof Tracking>[0] & {events: import("node:events").EventEmitter}} NodeRed
 */

/**
 * What all schedule nodes of this Node-RED share: the clients, which outlive deploys, and the triggers that are
 * deployed. It follows the flows: `here` after they started, `away` when they stop. It emits `change` when there is
 * something new to say about a trigger (with that trigger), or about which ones there are (without).
 */
class Runtime extends EventEmitter {
    #instance;
    /** @type {Map<string, Client>} by client id */
    #clients = new Map();
    /** @type {Map<string, Trigger>} by trigger id */
    #triggers = new Map();
    /** @type {FlowNode[]} the flow file as it was when the flows started */
    #nodes = [];
    #startFirings = new StartFirings();
    #tracking;

    /**
     * @param {string} instance this Node-RED's name
     * @param {NodeRed} RED
     */
    constructor(instance, RED) {
        super();
        this.#instance = instance;
        this.#tracking = new Tracking(RED, {
            onSilence: (run) => this.#fellSilent(run),
            onLate: (run, cause) => this.#triggers.get(run.info.triggerId)?.late(run.info.executionId, cause),
            onFault: ({ message }) => this.#triggers.values().next().value?.trackingFailed(message),
        });
        RED.events.on("flows:started", ({ config }) => this.#flowsStarted(config.flows));
        RED.events.on("flows:stopping", (stopping) => this.#flowsStopping(stopping));
    }

    get instance() {
        return this.#instance;
    }

    /** @param {Trigger} trigger whose node was made */
    add(trigger) {
        this.#triggers.set(trigger.triggerId, trigger);
        this.#tracking.watch(true);
        trigger.show();
    }

    /** @param {Trigger} trigger whose node closes; its successor may be there already */
    remove(trigger) {
        if (this.#triggers.get(trigger.triggerId) === trigger) this.#triggers.delete(trigger.triggerId);
        this.emit("change");
    }

    /** @param {Trigger} trigger of which there is something new to say */
    changed(trigger) {
        this.emit("change", trigger);
    }

    /** @returns {Trigger[]} those that are deployed */
    get triggers() {
        return [...this.#triggers.values()];
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
     * A run's first message is ready. It goes out unless the run has ended meanwhile, or its trigger's node has closed.
     * @param {Trigger} trigger
     * @param {import("./runs").RunInfo} info
     * @param {() => void} send
     */
    begin(trigger, info, send) {
        if (!this.isActive(info.executionId)) return;
        if (this.#triggers.get(trigger.triggerId) === trigger) this.#tracking.begin(info, trigger, send);
        else this.finish(info.executionId, "interrupted");
    }

    /**
     * Ends a run of any client.
     * @param {string} executionId
     * @param {"completed" | "failed" | "cancelled" | "interrupted"} outcome
     * @param {string} [error]
     * @param {number} [endedAt] milliseconds since the Unix epoch; now if not said
     * @returns {boolean} false when no such run is active; the first end wins
     */
    finish(executionId, outcome, error, endedAt) {
        return [...this.#clients.values()].some((client) => client.finish(executionId, outcome, error, endedAt));
    }

    /**
     * @param {string} executionId
     * @returns {boolean} whether it is a run of this Node-RED that has not ended, as far as is known here
     */
    isActive(executionId) {
        return [...this.#clients.values()].some((client) => client.isActive(executionId));
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
        this.#tracking.watch(this.#triggers.size > 0);
        const sets = this.#triggersByClient();
        for (const [clientId, client] of this.#clients) if (!sets.has(clientId)) client.retire();
        for (const [clientId, triggers] of sets) {
            const client = this.#clientFor(clientId, triggers[0]);
            client.here(triggers.map(({ config }) => config));
        }
    }

    /**
     * Reports what has a message in a node that stops, before that node's last words look like success.
     * @param {Parameters<typeof stoppingNodes>[0]} stopping
     */
    #flowsStopping(stopping) {
        const stops = stoppingNodes(stopping, this.#nodes);
        for (const executionId of this.#tracking.executionsIn(stops)) this.finish(executionId, "interrupted");
        for (const client of this.#clients.values()) client.away();
    }

    /** @param {import("./tracking/tracking").TrackedRun} run */
    #fellSilent({ info, error, silentSince }) {
        this.finish(info.executionId, error === undefined ? "completed" : "failed", error, silentSince);
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
            onGone: (executionId, triggerId) => this.#gone(executionId, triggerId),
            onEnd: (end, run) => this.#ended(end, run),
            onDecision: (decision) => trigger(decision.triggerId)?.decided(decision),
            onTold: (decision, message) => this.#tracking.outside(() => trigger(decision.triggerId)?.tell(decision, message)),
            onNews: (news) => this.#spread(news),
            onInvalid: (triggerId, errors) => trigger(triggerId)?.refused(errors),
            onLimitRefused: (message) => this.#triggersOf(clientId)[0]?.limitRefused(message),
            onCondition: (condition, isNew) => this.#conditionChanged(clientId, condition, isNew),
            onRetired: () => this.#clients.delete(clientId),
        };
    }

    /**
     * @param {string} executionId
     * @param {string} triggerId
     */
    #gone(executionId, triggerId) {
        this.#tracking.end(executionId);
        this.#triggers.get(triggerId)?.gone(executionId);
    }

    /**
     * Stops the messages of a terminated run before anybody is told of its end.
     * @param {any} end
     * @param {import("./runs").Run | undefined} run
     */
    #ended(end, run) {
        this.#tracking.end(end.executionId, end);
        this.#triggers.get(end.triggerId ?? run?.offer.triggerId)?.ended(end, run);
    }

    /** @param {{executions?: any[], triggers?: any[]}} news */
    #spread({ executions = [], triggers = [] }) {
        for (const execution of executions) this.#triggers.get(execution.triggerId)?.changed(execution);
        for (const state of triggers) this.#triggers.get(state.triggerId)?.scheduled(state);
        // What is in use of the workspace may have changed by somebody else's runs.
        this.emit("change");
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
 * @param {NodeRed & {settings: any, log: any}} RED
 * @returns {Runtime}
 */
function runtimeOf(RED) {
    const known = runtimes.get(RED.events);
    if (known) return known;
    const runtime = new Runtime(identity.instanceName(RED.settings), RED);
    runtime.follow(ownBridgeOf(RED));
    runtimes.set(RED.events, runtime);
    return runtime;
}

module.exports = { Runtime, runtimeOf };
