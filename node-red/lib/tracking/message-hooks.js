"use strict";

const { AsyncLocalStorage } = require("node:async_hooks");
const { EventEmitter } = require("node:events");
const { acknowledges, watchNextCall } = require("./handlers");
const { loggedError } = require("./logged-error");
const { UnhandledErrors } = require("./unhandled-errors");

/** Names our hooks, so that they can be taken away again. */
const LABEL = "scheduleTrigger";
/** What `onReceive` leaves at its event for `postReceive`. */
const ENTERED = Symbol("entered");

/**
 * @typedef {InstanceType<typeof import("./run-tracker").RunTracker>} RunTracker
 * @typedef {import("./trail").Hop} Hop
 * @typedef {{add(name: string, hook: Function): void, remove(name: string): void}} Hooks
 * @typedef {{ERROR: number, addHandler(handler: object): void, removeHandler(handler: object): void}} Log
 * @typedef {{msg: any, source: {node: any}, destination: {node: any}}} SendEvent
 * @typedef {{msg: any, destination: {node: any}, [ENTERED]?: {hop: Hop | undefined, before: Hop | undefined}}} ReceiveEvent
 */

/** Leads what Node-RED's messaging hooks and its log tell to a RunTracker. Nothing here throws or waits. */
class MessageHooks {
    /** @type {AsyncLocalStorage<Hop | undefined>} the hop whose node is at work */
    #context = new AsyncLocalStorage();
    #handler = new EventEmitter();
    #RED;
    #tracker;
    #errors;
    #onFault;
    #isWatching = false;

    /**
     * @param {{hooks: Hooks, log: Log}} RED
     * @param {RunTracker} tracker
     * @param {(error: Error) => void} onFault told what went wrong with a message, which is delivered all the same
     */
    constructor(RED, tracker, onFault) {
        this.#RED = RED;
        this.#tracker = tracker;
        this.#onFault = onFault;
        this.#errors = new UnhandledErrors((hop) => tracker.settle(hop));
        const logged = this.#safely((/** @type {any} */ entry) => this.#logged(entry));
        this.#handler.on("log", logged);
    }

    /**
     * Acts outside of any run, as the timers of the house must.
     * @param {() => void} act
     */
    outside(act) {
        this.#context.run(undefined, act);
    }

    /** @param {boolean} wanted whether there is a run to track, or may be one */
    watch(wanted) {
        if (wanted === this.#isWatching) return;
        this.#isWatching = wanted;
        if (wanted) this.#start();
        else this.#stop();
    }

    #start() {
        /** @type {Record<string, (event: any) => false | undefined | void>} */
        const hooks = {
            preDeliver: (event) => this.#preDeliver(event),
            onReceive: (event) => this.#onReceive(event),
            postReceive: (event) => this.#postReceive(event),
            onComplete: (event) => this.#onComplete(event),
        };
        for (const [name, hook] of Object.entries(hooks)) this.#RED.hooks.add(`${name}.${LABEL}`, this.#safely(hook));
        this.#RED.log.addHandler(this.#handler);
    }

    /**
     * Makes a hook that Node-RED can rely on: it drops a message whose hook throws, and waits for a second argument to
     * be called by a hook that has one.
     * @param {(event: any) => false | undefined | void} hook
     */
    #safely(hook) {
        return (/** @type {any} */ event) => {
            try {
                return hook(event);
            } catch (error) {
                this.#onFault(/** @type {Error} */ (error));
                return undefined;
            }
        };
    }

    #stop() {
        this.#RED.hooks.remove(`*.${LABEL}`);
        this.#RED.log.removeHandler(this.#handler);
        this.#context.disable();
    }

    /**
     * @param {SendEvent} event
     * @returns {false | undefined} false: Node-RED drops the message, and no other one
     */
    #preDeliver(event) {
        const { msg, source, destination } = event;
        const delivered = this.#tracker.deliver(msg, source.node, destination.node, this.#context.getStore());
        if (delivered === undefined) return false;
        event.msg = delivered;
        return undefined;
    }

    /**
     * @param {ReceiveEvent} event
     * @returns {false | undefined} false: Node-RED drops the message
     */
    #onReceive(event) {
        const { msg, destination } = event;
        const { node } = destination;
        const before = this.#context.getStore();
        const hop = this.#tracker.receive(msg, node, causeOf(msg, node), before);
        if (hop === false) return false;
        if (node.type === "catch" && msg.error?.source) this.#errors.caught(msg.error.source, before);
        if (hop || before) this.#enter(event, hop, before);
        return undefined;
    }

    /**
     * @param {ReceiveEvent} event
     * @param {Hop | undefined} hop
     * @param {Hop | undefined} before
     */
    #enter(event, hop, before) {
        event[ENTERED] = { hop, before };
        this.#context.enterWith(hop);
        if (hop) watchNextCall(event.destination.node, () => (hop.hasThrown = true));
    }

    /** @param {ReceiveEvent} event */
    #postReceive(event) {
        const entered = event[ENTERED];
        if (!entered) return;
        const { hop, before } = entered;
        const { node } = event.destination;
        if (hop && (hop.hasThrown || !acknowledges(node))) this.#tracker.complete(event.msg, node);
        this.#context.enterWith(before);
    }

    /** @param {{msg: any, error?: unknown, node: {node: any}}} event */
    #onComplete({ msg, error, node }) {
        const hop = this.#tracker.complete(msg, node.node);
        if (hop && error) this.#errors.expect(hop);
    }

    /** @param {{level: number, id?: string, type?: string, format?: string, msg: unknown}} entry */
    #logged(entry) {
        const { level, id, type } = entry;
        if (!id || level !== this.#RED.log.ERROR) return;
        this.#errors.logged({ id, type }, loggedError(entry), this.#context.getStore());
    }
}

/**
 * @param {any} message
 * @param {any} node that is handed a message that no wire brings
 * @returns {any} the node that caused it, where it says so
 */
function causeOf(message, { type }) {
    if (type === "catch") return message.error?.source;
    if (type === "complete") return message.complete?.source;
    return type === "status" ? message.status?.source : undefined;
}

module.exports = { MessageHooks };
