"use strict";

const { BridgeCalls } = require("./bridge-calls");
const { BridgeError } = require("./bridge-error");
const { BridgeReads } = require("./bridge-reads");
const { Changes } = require("./changes");
const { sameConnection } = require("./connection");
const { DecisionNews } = require("./decision-news");
const { firingKey } = require("./firing-key");
const { Outbox } = require("./outbox");
const { OwnFirings } = require("./own-firings");
const { errorText } = require("./run-end");
const { Runs } = require("./runs");
const { Stream } = require("./stream");
const { monotonic } = require("./timers");
const { setLimit } = require("./workspace-limit");

/** How long firings wait for a connection that is being made, as right after a deploy. Milliseconds. */
const PATIENCE = 5_000;

/**
 * @typedef {import("./connection").Connection} Connection
 * @typedef {import("./runs").Offer} Offer
 * @typedef {import("./runs").Run} Run
 * @typedef {{pointer: string, message: string}} FieldError
 * @typedef {{triggerId: string, [key: string]: unknown}} TriggerConfig
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
 * @property {(decision: any) => void} onDecision the stream tells a decision
 * @property {(decision: any, message: any) => void} onTold passes a decision on, once, with the message that fired, if known
 * @property {(news: any) => void} onNews
 * @property {(triggerId: string, errors: FieldError[]) => void} onInvalid the bridge does not accept a trigger
 * @property {(sentence: string) => void} onLimitRefused the bridge does not accept the workspace's limit
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
    calls = new BridgeCalls(() => this.#stream.bridge);
    reads = new BridgeReads(() => this.#stream.bridge);
    #outbox = new Outbox();
    #firings = new OwnFirings();
    #runs = new Runs();
    #decisions = new DecisionNews((decision, message) => this.#listener.onTold(decision, message));
    /** @type {TriggerConfig[] | undefined} the triggers to declare; undefined while the flows are stopped */
    #triggers;
    #hereId = 0;
    #isHere = false;
    #absentSince = monotonic();
    #isRetiring = false;
    #changes = new Changes();
    /** @type {Condition} */
    condition = "connecting";
    /** @type {Condition} */
    #reported = "connected";
    /** When the connection was lost that is still missing. */
    #awaySince = Date.now();

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
     * Connects to a managed bridge that has just started, if it is this client's.
     * @param {object} managed
     */
    bridgeStarted(managed) {
        if (this.#connection.managed === managed) this.#stream.connect();
    }

    /**
     * The flows run: declares the full set of triggers and emits what was confirmed while they did not.
     * @param {TriggerConfig[]} triggers
     */
    here(triggers) {
        this.#isRetiring = false;
        this.#declare(triggers);
    }

    /** The flows stop: nothing is offered until they run again. */
    away() {
        this.#triggers = undefined;
        this.#leave();
        this.#stream.send({ type: "away" });
    }

    /** No trigger uses this client any more: tells the bridge so, sees its runs to their end, then closes. */
    retire() {
        this.#isRetiring = true;
        this.#declare([]);
        if (!this.#stream.isOpen) this.#closeIfRetired();
    }

    close() {
        this.#stream.close();
        this.#changes.tell();
    }

    /**
     * Asks the bridge to decide a firing.
     * @param {string} triggerId
     * @param {import("./bridge-calls").Firing} firing
     * @param {any} [message] goes out itself if the firing starts
     * @returns {Promise<any[]>} the Decisions, one a lock key (R26); none where a run started but the answer was lost
     * @throws {BridgeError} when nothing was decided; then no run of this firing will start
     */
    async fire(triggerId, firing, message) {
        await this.#whenHere();
        const key = firingKey(message);
        this.#firings.ask(key, triggerId, message);
        this.#decisions.ask(triggerId);
        let decisions = /** @type {any[]} */ ([]);
        try {
            decisions = await this.calls.fire(triggerId, firing, key);
            this.#firings.decided(key, decisions);
        } catch (error) {
            if (this.#firings.failed(key)) throw error;
        } finally {
            this.#decisions.answered(triggerId, decisions, message);
        }
        return decisions;
    }

    /**
     * Asks for a firing that may be asked for again: it is decided once for its key, and no message waits for it.
     * @param {string} triggerId
     * @param {string} key
     * @throws {BridgeError}
     */
    async fireOnce(triggerId, key) {
        await this.calls.fire(triggerId, { source: "manual" }, key);
    }

    /**
     * @param {string} triggerId
     * @param {"pause" | "resume"} verb
     * @throws {BridgeError}
     */
    async command(triggerId, verb) {
        await this.#whenHere();
        await this.calls.command(triggerId, verb);
    }

    /**
     * Has the bridge end an execution, or all that is active of a trigger, what waits included.
     * @param {string} triggerId
     * @param {import("./bridge-calls").EndingVerb} verb
     * @param {string} [executionId]
     * @throws {BridgeError} also where that execution is not active
     */
    async end(triggerId, verb, executionId) {
        await this.#whenHere();
        if (executionId === undefined) await this.calls.endActive(triggerId, verb);
        else await this.calls.end(executionId, verb);
    }

    /**
     * @param {string} executionId
     * @returns {boolean} whether the bridge ended it, so that its messages are not wanted any more
     */
    isUnwanted(executionId) {
        return this.#runs.isUnwanted(executionId);
    }

    /**
     * Reports the end of a run.
     * @param {string} executionId
     * @param {"completed" | "failed" | "cancelled" | "interrupted"} outcome
     * @param {string} [error]
     * @param {number} [endedAt] milliseconds since the Unix epoch; now if not said
     * @returns {boolean} false when it is none of this client's active runs; then nothing is reported
     */
    finish(executionId, outcome, error, endedAt) {
        const run = this.#runs.end(executionId);
        if (!run) return false;
        this.#reportEnd(executionId, outcome, error, endedAt);
        this.#listener.onGone(executionId, run.offer.triggerId);
        return true;
    }

    /**
     * @param {string} executionId
     * @returns {boolean} whether it is a run of this client that has not ended, as far as is known here
     */
    isActive(executionId) {
        return this.#runs.get(executionId) !== undefined;
    }

    /** How it stands towards its bridge: `since` when it is away, how many ends wait to be handed in, the next try. */
    get standing() {
        const keptEnds = this.#outbox.frames.filter(({ type }) => type === "finished").length;
        return { condition: this.condition, since: this.#awaySince, keptEnds, nextTry: this.#stream.nextTry };
    }

    #opened() {
        this.#firings.reconnected();
        for (const frame of this.#outbox.frames) this.#stream.send(frame);
        this.#sayHere();
    }

    /** @param {TriggerConfig[]} triggers */
    #declare(triggers) {
        if (!this.#isHere) this.#absentSince = monotonic();
        this.#triggers = triggers;
        this.#firings.keepOnly(new Set(triggers.map(({ triggerId }) => triggerId)));
        for (const run of this.#runs.toEmit) this.#emit(run);
        this.#sayHere();
    }

    #sayHere() {
        if (!this.#triggers || !this.#stream.isOpen) return;
        if (!this.#isRetiring) setLimit(this.calls, this.#connection, this.#listener.onLimitRefused);
        this.#hereId = this.#outbox.nextId();
        const frame = { type: "here", id: this.#hereId, triggers: this.#triggers, runs: this.#runs.executionIds };
        this.#stream.send(frame);
    }

    /** @param {Condition} problem */
    #down(problem) {
        this.#leave();
        this.#become(problem);
    }

    #leave() {
        if (this.#isHere) this.#absentSince = monotonic();
        this.#isHere = false;
    }

    /** @param {Condition} condition */
    #become(condition) {
        const isNew = condition !== "connecting" && condition !== this.#reported;
        if (isNew) this.#reported = condition;
        if (this.condition === "connected") this.#awaySince = Date.now();
        this.condition = condition;
        this.#changes.tell();
        this.#listener.onCondition(condition, isNew);
    }

    /** @param {any} frame */
    #receive(frame) {
        if (frame.type === "reply") this.#receiveReply(frame);
        else if (frame.type === "execution.start") this.#receiveOffer(frame);
        else if (frame.type === "execution.ended") this.#receiveEnd(frame);
        else if (frame.type === "decision") this.#receiveDecision(frame.decision);
        else if (frame.type === "news") this.#listener.onNews(frame);
    }

    /** @param {any} reply */
    #receiveReply(reply) {
        this.#outbox.settle(reply);
        if (reply.re === this.#hereId) this.#nowHere(reply);
        if (this.#isHere) this.#closeIfRetired();
    }

    #closeIfRetired() {
        if (!this.#isRetiring || this.#outbox.frames.length > 0 || this.#runs.executionIds.length > 0) return;
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
            this.#runs.turnDown(executionId);
            this.#firings.over(executionId);
            this.#reportEnd(executionId, "interrupted");
            return;
        }
        this.#runs.claim(offer, this.#firings.take(firingKey, executionId));
        // First the claim: what a listener shows meanwhile is time that the run would start later.
        this.#post({ type: "started", executionId }, (reply) => this.#claimed(executionId, reply));
        this.#listener.onClaim(offer);
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
        const run = this.#runs.drop(executionId);
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
        const { run, isNew } = this.#runs.endedByBridge(end.executionId);
        this.#firings.over(end.executionId);
        if (isNew) this.#listener.onEnd(end, run);
        this.#closeIfRetired();
    }

    /** @param {any} decision */
    #receiveDecision(decision) {
        const message = this.#firings.messageOf(decision.firingId);
        if (!this.#firings.follow(decision)) return;
        this.#listener.onDecision(decision);
        this.#decisions.heard(decision, message);
    }

    /**
     * @param {string} executionId
     * @param {string} outcome
     * @param {string} [error]
     * @param {number} [endedAt]
     */
    #reportEnd(executionId, outcome, error, endedAt = Date.now()) {
        const why = error === undefined ? {} : { error: errorText(error) };
        this.#post({ type: "finished", executionId, outcome, ...why, endedAt: new Date(endedAt).toISOString() });
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
        const limit = this.#absentSince + PATIENCE;
        const left = () => limit - monotonic();
        while (!this.#isHere && this.#mayComeSoon && left() > 0) await this.#changes.next(left());
        if (this.#isHere) return;
        const problem = this.#mayComeSoon ? "bridgeAway" : this.condition;
        throw new BridgeError(`No run starts: ${problem}`, { problem });
    }

    get #mayComeSoon() {
        return this.condition === "connecting" || this.condition === "connected";
    }
}

module.exports = { BridgeClient };
