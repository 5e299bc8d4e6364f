"use strict";

const { LatestMap, LatestSet } = require("../latest");
const { Silence } = require("./silence");
const { Strangers } = require("./strangers");
const { TrackedRun } = require("./tracked-run");
const { Trail } = require("./trail");

/** Runs that were terminated are remembered for longer than others: their messages may come out of a queue late. */
const REMEMBERED_HALTS = 10_000;

/**
 * @typedef {import("./tracked-run").Place} Place
 * @typedef {import("./trail").Hop} Hop
 * @typedef {{_msgid?: string, run?: any, [property: string]: any}} Message
 */

/**
 * Whom a tracker tells what it found.
 * @typedef {object} Listener
 * @property {(run: InstanceType<typeof TrackedRun>) => void} onSilence every message of a run has been dealt with
 * @property {(run: InstanceType<typeof TrackedRun>, cause: Place) => void} onLate a run that was taken for completed goes on after
 *   all; told once a run, with the node that sent the message
 * @property {(act: () => void, milliseconds: number) => void} later acts once that time has passed
 */

/**
 * Which messages are in flight for which run: pure bookkeeping on message objects and node ids.
 *
 * A message belongs to the run that its `msg.run` names, else to the one that the message object was last seen in,
 * else to the one whose message the sending node was given, if it sends in the asynchronous context of that.
 */
class RunTracker {
    /** @type {Map<string, InstanceType<typeof TrackedRun>>} by execution id */
    #active = new Map();
    /** @type {Map<string, InstanceType<typeof TrackedRun>>} by execution id */
    #ended = new LatestMap();
    #halted = new LatestSet(REMEMBERED_HALTS);
    /** @type {WeakMap<Message, InstanceType<typeof Trail>>} by message object */
    #trails = new WeakMap();
    #strangers = new Strangers();
    #silence;
    #listener;

    /** @param {Listener} listener */
    constructor(listener) {
        this.#listener = listener;
        this.#silence = new Silence(listener.later, (run) => this.#fellSilent(run));
    }

    /** Whether a run is being tracked. */
    get isBusy() {
        return this.#active.size > 0;
    }

    /**
     * A run begins with the messages that its trigger sends.
     * @param {import("../runs").RunInfo} info
     * @param {{endsOnSilence: boolean, node: Place}} trigger
     * @param {() => void} send
     */
    begin(info, { endsOnSilence, node }, send) {
        const run = new TrackedRun(info, endsOnSilence);
        this.#active.set(info.executionId, run);
        const hop = run.setOut(node);
        try {
            send();
        } finally {
            this.settle(hop);
        }
    }

    /**
     * A run has ended otherwise than by silence.
     * @param {string} executionId
     * @param {{halt?: boolean}} [how] `halt`: none of its messages is delivered any more
     */
    end(executionId, { halt = false } = {}) {
        if (halt) this.#halted.add(executionId);
        const run = this.#active.get(executionId);
        if (run) this.#retire(run, "over");
    }

    /**
     * @param {(node: Place) => boolean} ofNode
     * @returns {string[]} the runs that have a message on its way to such a node or at it
     */
    executionsIn(ofNode) {
        const runs = [...this.#active.values()].filter((run) => run.isIn(ofNode));
        return runs.map(({ info }) => info.executionId);
    }

    /**
     * A message is about to be delivered along a wire.
     * @param {Message} message
     * @param {Place} from
     * @param {Place} to
     * @param {Hop | undefined} context the hop in whose asynchronous context that happens
     * @returns {Message | undefined} what to deliver: the message, or a copy that says which run it belongs to, for the
     *   sender may keep the original for another run; undefined where the run was terminated
     */
    deliver(message, from, to, context) {
        const run = this.#runOf(message, from, context);
        if (run) return this.#isHalted(run.info) ? undefined : this.#setOut(message, run, from, to);
        if (context) this.#strangers.setOut(message);
        return this.#isHalted(message.run) ? undefined : message;
    }

    /**
     * A node is about to receive a message: one that was delivered, or one that was handed to it directly.
     * @param {Message} message
     * @param {Place} node
     * @param {Place | undefined} from the node that caused a message that was handed over directly, if that is known
     * @param {Hop | undefined} context
     * @returns {Hop | false | undefined} undefined for a message without a run; false where the run was terminated
     */
    receive(message, node, from, context) {
        const trail = this.#trails.get(message);
        const mayBeRuns = trail !== undefined || context !== undefined || message.run !== undefined;
        const hop = trail?.arrive(node.id) ?? (mayBeRuns ? this.#handedOver(message, node, from, context) : undefined);
        if (this.#isHalted(hop ? hop.run.info : message.run)) return false;
        if (hop) this.#strangers.watch(node);
        else this.#strangers.arrive(node, message);
        return hop;
    }

    /**
     * A node says that it has done with a message.
     * @param {Message} message
     * @param {Place} node
     * @returns {Hop | undefined} undefined where it said so before
     */
    complete(message, node) {
        const hop = this.#trails.get(message)?.complete(node.id);
        if (hop) this.settle(hop);
        return hop;
    }

    /** @param {Hop} hop that is over, whether or not its node will say so */
    settle(hop) {
        const { run } = hop;
        if (run.settle(hop) && run.endsOnSilence) this.#silence.suspect(run);
    }

    /**
     * @param {Message} message
     * @param {Place | undefined} from
     * @param {Hop | undefined} context
     */
    #runOf(message, from, context) {
        const executionId = message.run?.executionId;
        if (typeof executionId === "string") return this.#active.get(executionId) ?? this.#ended.get(executionId);
        return this.#trails.get(message)?.run ?? this.#runOfContext(message, from, context);
    }

    /**
     * @param {Message} message
     * @param {Place | undefined} from
     * @param {Hop | undefined} context
     */
    #runOfContext(message, from, context) {
        if (!context || (from && from.id !== context.node.id)) return undefined;
        return from && this.#strangers.cameTo(from.id, message) ? undefined : context.run;
    }

    /**
     * @param {Message} message
     * @param {InstanceType<typeof TrackedRun>} run
     * @param {Place} from
     * @param {Place} to
     */
    #setOut(message, run, from, to) {
        if (run.fate === "silent") this.#late(run, from);
        const delivered = message.run === undefined ? marked(message, run) : message;
        this.#follow(delivered, run.setOut(to));
        return delivered;
    }

    /**
     * Catch, Complete, Status and Link In nodes are handed messages that no wire brings.
     * @param {Message} message
     * @param {Place} node
     * @param {Place | undefined} from
     * @param {Hop | undefined} context
     */
    #handedOver(message, node, from, context) {
        if (this.#strangers.isOnTheWay(message)) return undefined;
        const run = this.#runOf(message, from, context);
        // What a node shows about itself after the end is not the run going on.
        if (!run || (node.type === "status" && !run.isActive)) return undefined;
        if (run.fate === "silent") this.#late(run, from ?? context?.node ?? node);
        if (message.run === undefined) message.run = run.info;
        const hop = run.setOut(node);
        hop.isThere = true;
        this.#follow(message, hop);
        return hop;
    }

    /**
     * @param {Message} message
     * @param {Hop} hop that it is making
     */
    #follow(message, hop) {
        const trail = this.#trails.get(message);
        if (trail) trail.add(hop);
        else this.#trails.set(message, new Trail(hop));
    }

    /** @param {{executionId?: string} | undefined} info of a run that may be forgotten otherwise */
    #isHalted(info) {
        return info !== undefined && this.#halted.has(info?.executionId);
    }

    /** @param {InstanceType<typeof TrackedRun>} run */
    #fellSilent(run) {
        this.#retire(run, "silent");
        this.#listener.onSilence(run);
    }

    /**
     * @param {InstanceType<typeof TrackedRun>} run
     * @param {"silent" | "over"} fate
     */
    #retire(run, fate) {
        const { executionId } = run.info;
        run.end(fate);
        this.#active.delete(executionId);
        this.#ended.set(executionId, run);
    }

    /**
     * @param {InstanceType<typeof TrackedRun>} run
     * @param {Place} cause
     */
    #late(run, cause) {
        run.fate = "over";
        this.#listener.onLate(run, cause);
    }
}

/**
 * @param {Message} message
 * @param {InstanceType<typeof TrackedRun>} run
 * @returns {Message}
 */
function marked(message, { info }) {
    return Object.assign(Object.create(Object.getPrototypeOf(message)), message, { run: info });
}

module.exports = { RunTracker };
