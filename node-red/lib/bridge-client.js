"use strict";

const { randomUUID } = require("node:crypto");
const { BridgeError } = require("./bridge-error");
const { post } = require("./bridge-http");
const { sameConnection } = require("./connection");
const { Outbox } = require("./outbox");
const { OwnFirings } = require("./own-firings");
const { Runs } = require("./runs");
const { Stream } = require("./stream");

/** How long a firing waits for a connection that is being made, as right after a deploy. Milliseconds. */
const PATIENCE = 5_000;

/**
 * @typedef {import("./connection").Connection} Connection
 * @typedef {import("./runs").Offer} Offer
 * @typedef {import("./runs").Run} Run
 * @typedef {{pointer: string, message: string}} FieldError
 * @typedef {"connecting" | "connected" | import("./protocol").Problem} Condition
 */

/**
 * Whom a client tells what happens.
 * @typedef {object} Listener
 * @property {(triggerId: string) => boolean} runsTrigger whether a node of that trigger is there to start its run
 * @property {(offer: Offer) => void} onClaim a run of a trigger is about to start
 * @property {(run: Run) => void} onStart a run starts: its first message goes out, once
 * @property {(executionId: string, triggerId: string) => void} onGone a run is over by this client's own report
 * @property {(end: any, run: Run | undefined) => void} onEnd the bridge ended an execution
 * @property {(decision: any) => void} onDecision
 * @property {(news: any) => void} onNews
 * @property {(triggerId: string, errors: FieldError[]) => void} onInvalid the bridge does not accept a trigger
 * @property {(condition: Condition, isNew: boolean) => void} onCondition how the connection is; `isNew` when it is
 *   worth a line in the log
 * @property {() => void} onRetired the client has closed, with nothing left to report
 */

/**
 * This Node-RED towards one bridge and workspace: declares triggers, claims runs, reports their ends.
 * It lives as long as a trigger needs it, over deploys and lost connections.
 */
class BridgeClient {
    #listener;
    #connection;
    #stream;
    #outbox = new Outbox();
    #firings = new OwnFirings();
    #runs = new Runs();
    /** @type {object[] | undefined} the triggers to declare; undefined while the flows are stopped */
    #triggers;
    #hereId = 0;
    #isHere = false;
    #isRetiring = false;
    /** @type {Set<() => void>} */
    #waiting = new Set();
    /** @type {Condition} */
    condition = "connecting";
    /** @type {Condition} */
    #reported = "connected";

    /**
     * @param {{clientId: string, sessionId: string, workspaceId: string}} identity
     * @param {Connection} connection
     * @param {Listener} listener
     * @param {Partial<import("./stream").Timing>} [timing]
     */
    constructor(identity, connection, listener, timing) {
        this.workspaceId = identity.workspaceId;
        this.#connection = connection;
        this.#listener = listener;
        this.#stream = new Stream(identity, connection, timing);
        this.#stream.on("open", () => this.#opened());
        this.#stream.on("frame", (frame) => this.#receive(frame));
        this.#stream.on("down", (problem) => this.#down(problem));
        this.#stream.connect();
    }

    /**
     * Goes to another address or takes another token, if they are others.
     * @param {Connection} connection
     */
    moveTo(connection) {
        const same = sameConnection(this.#connection, connection);
        this.#connection = connection;
        if (same) return;
        this.#down("connecting");
        this.#stream.moveTo(connection);
    }

    /**
     * The flows run: declares the full set of triggers and emits what was confirmed while they did not.
     * @param {object[]} triggers trigger configurations
     */
    here(triggers) {
        this.#isRetiring = false;
        this.#triggers = triggers;
        for (const run of this.#runs.toEmit) this.#emit(run);
        this.#sayHere();
    }

    /** The flows stop: nothing is offered until they run again. */
    away() {
        this.#triggers = undefined;
        this.#isHere = false;
        this.#stream.send({ type: "away" });
    }

    /** No trigger uses this client any more: tells the bridge so, hands in what it kept, then closes. */
    retire() {
        this.here([]);
        this.#isRetiring = true;
        if (!this.#stream.isOpen) this.#closeIfRetired();
    }

    close() {
        this.#stream.close();
        this.#wake();
    }

    /**
     * Asks the bridge to decide a firing.
     * @param {string} triggerId
     * @param {{source: "input" | "manual", payload?: unknown, lockKey?: string, priority?: number}} firing
     * @param {any} [message] goes out itself if the firing starts
     * @returns {Promise<any[]>} the Decisions, one a lock key (R26); none where a run started but the answer was lost
     * @throws {BridgeError} when nothing was decided; then no run of this firing will start
     */
    async fire(triggerId, firing, message) {
        await this.#whenHere();
        const key = randomUUID();
        this.#firings.ask(key, message);
        try {
            const path = `/v1/triggers/${encodeURIComponent(triggerId)}/fire`;
            const { decisions } = await post(this.#stream.bridge, path, firing, { "idempotency-key": key });
            this.#firings.decided(key, decisions);
            return decisions;
        } catch (error) {
            if (this.#firings.failed(key)) throw error;
            return [];
        }
    }

    /**
     * @param {string} triggerId
     * @param {"pause" | "resume"} verb
     * @throws {BridgeError}
     */
    async command(triggerId, verb) {
        await this.#whenHere();
        await post(this.#stream.bridge, `/v1/triggers/${encodeURIComponent(triggerId)}/${verb}`, {});
    }

    /**
     * Reports the end of a run.
     * @param {string} executionId
     * @param {"completed" | "failed" | "cancelled" | "interrupted"} outcome
     * @param {string} [error]
     * @returns {boolean} false when it is none of this client's active runs; then nothing is reported
     */
    finish(executionId, outcome, error) {
        const run = this.#runs.end(executionId);
        if (!run) return false;
        this.#reportEnd(executionId, outcome, error);
        this.#listener.onGone(executionId, run.offer.triggerId);
        return true;
    }

    /**
     * Reports the runs of some triggers as interrupted.
     * @param {(triggerId: string) => boolean} ofTrigger
     */
    interrupt(ofTrigger) {
        for (const executionId of this.#runs.emittedOf(ofTrigger)) this.finish(executionId, "interrupted");
    }

    #opened() {
        for (const frame of this.#outbox.frames) this.#stream.send(frame);
        this.#sayHere();
    }

    #sayHere() {
        if (!this.#triggers || !this.#stream.isOpen) return;
        this.#hereId = this.#outbox.nextId();
        const frame = { type: "here", id: this.#hereId, triggers: this.#triggers, runs: this.#runs.executionIds };
        this.#stream.send(frame);
    }

    /** @param {Condition} problem */
    #down(problem) {
        this.#isHere = false;
        this.#become(problem);
    }

    /** @param {Condition} condition */
    #become(condition) {
        const isNew = condition !== "connecting" && condition !== this.#reported;
        if (isNew) this.#reported = condition;
        this.condition = condition;
        this.#wake();
        this.#listener.onCondition(condition, isNew);
    }

    #wake() {
        for (const wake of this.#waiting) wake();
    }

    /** @param {any} frame */
    #receive(frame) {
        if (frame.type === "reply") this.#receiveReply(frame);
        else if (frame.type === "execution.start") this.#receiveOffer(frame);
        else if (frame.type === "execution.ended") this.#receiveEnd(frame);
        else if (frame.type === "decision") this.#listener.onDecision(frame.decision);
        else if (frame.type === "news") this.#listener.onNews(frame);
    }

    /** @param {any} reply */
    #receiveReply(reply) {
        this.#outbox.settle(reply);
        if (reply.re === this.#hereId) this.#nowHere(reply);
        if (this.#isHere) this.#closeIfRetired();
    }

    #closeIfRetired() {
        if (!this.#isRetiring || this.#outbox.frames.length > 0) return;
        this.close();
        this.#listener.onRetired();
    }

    /** @param {{invalid?: {triggerId: string, errors: FieldError[]}[]}} reply */
    #nowHere({ invalid = [] }) {
        this.#isHere = this.#triggers !== undefined;
        this.#become("connected");
        for (const { triggerId, errors } of invalid) this.#listener.onInvalid(triggerId, errors);
    }

    /** @param {Offer} offer */
    #receiveOffer(offer) {
        const { executionId, triggerId, firingKey } = offer;
        // An offer that crossed with `away` is left alone: it is made again when the flows run.
        if (!this.#triggers || this.#runs.isKnown(executionId)) return;
        if (!this.#listener.runsTrigger(triggerId) || (firingKey && this.#firings.hasFailed(firingKey))) {
            this.#runs.remember(executionId);
            this.#reportEnd(executionId, "interrupted");
            return;
        }
        this.#runs.claim(offer, firingKey ? this.#firings.take(firingKey, executionId) : undefined);
        this.#listener.onClaim(offer);
        this.#post({ type: "started", executionId }, (reply) => this.#claimed(executionId, reply));
    }

    /**
     * @param {string} executionId
     * @param {any} reply
     */
    #claimed(executionId, reply) {
        const run = reply.confirmed ? this.#runs.confirm(executionId, reply) : undefined;
        if (run && this.#triggers) this.#emit(run);
        if (!reply.confirmed) this.#drop(executionId);
    }

    /** @param {string} executionId */
    #drop(executionId) {
        const run = this.#runs.end(executionId);
        if (run) this.#listener.onGone(executionId, run.offer.triggerId);
    }

    /** @param {Run} run */
    #emit(run) {
        run.emitted = true;
        const { executionId, triggerId } = run.offer;
        if (this.#listener.runsTrigger(triggerId)) this.#listener.onStart(run);
        else this.finish(executionId, "interrupted");
    }

    /** @param {any} end */
    #receiveEnd(end) {
        const run = this.#runs.end(end.executionId);
        this.#firings.settled(end.executionId);
        const isNew = run !== undefined || this.#runs.remember(end.executionId);
        if (isNew) this.#listener.onEnd(end, run);
    }

    /**
     * @param {string} executionId
     * @param {string} outcome
     * @param {string} [error]
     */
    #reportEnd(executionId, outcome, error) {
        this.#post({ type: "finished", executionId, outcome, error, endedAt: new Date().toISOString() });
    }

    /**
     * @param {{type: string, [key: string]: unknown}} frame
     * @param {(reply: any) => void} [answered]
     */
    #post(frame, answered) {
        this.#stream.send(this.#outbox.add(frame, answered));
    }

    /** Waits while a connection is being made; fails at once when the bridge is known to be away. */
    async #whenHere() {
        const limit = Date.now() + PATIENCE;
        while (!this.#isHere && this.#mayComeSoon && Date.now() < limit) await this.#change(limit - Date.now());
        if (this.#isHere) return;
        const problem = this.#mayComeSoon ? "bridgeAway" : this.condition;
        throw new BridgeError(`No run starts: ${problem}`, { problem });
    }

    get #mayComeSoon() {
        return this.condition === "connecting" || this.condition === "connected";
    }

    /**
     * @param {number} limit milliseconds
     * @returns {Promise<void>} resolved when the condition changed or the time is up
     */
    #change(limit) {
        return new Promise((resolve) => {
            const wake = () => {
                clearTimeout(timer);
                this.#waiting.delete(wake);
                resolve();
            };
            const timer = setTimeout(wake, limit).unref();
            this.#waiting.add(wake);
        });
    }
}

module.exports = { BridgeClient };
