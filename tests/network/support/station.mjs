/** The nodes' real client, with a listener that writes down what reaches a flow. */
import bridgeClient from "../../../node-red/lib/bridge-client.js";
import { until } from "../../../scripts/processes.mjs";

const TIMING = { first: 50, most: 200, slow: 300, ping: 1_000, handshake: 2_000 };

export class Station {
    /** What left output 1, in order: ids of executions. */
    starts = [];
    /** The `msg.run` of each of them. */
    infos = [];
    /** What left output 2: ends that the bridge made. */
    ends = [];
    decisions = [];
    conditions = [];

    /**
     * @param {{urls: string[], token: string}} bridge where it, or one of several, is reached
     * @param {{triggers: object[], client: string, session?: string, finishes?: boolean, timing?: object}} wanted
     *   `finishes`: its runs end as soon as they start
     */
    constructor({ urls, token }, { triggers, client, session = "session 1", finishes = false, timing = {} }) {
        this.triggers = triggers;
        /** Told what starts, as `msg.run`. */
        this.onStart = ({ executionId }) => finishes && this.finish(executionId);
        const identity = { clientId: client, sessionId: session, workspaceId: "default" };
        const connection = { bridgeNodeId: "b", workspaceId: "default", urls, token: () => token };
        this.client = new bridgeClient.BridgeClient(identity, connection, this.#listener(), { ...TIMING, ...timing });
    }

    /** The flows start: the client is here with these triggers. */
    async here(triggers = this.triggers) {
        this.triggers = triggers;
        this.client.here(triggers);
        await this.untilHere();
        return this;
    }

    untilHere() {
        return until("the client to be here", () => this.client.condition === "connected");
    }

    /** Waits until a fault has made the client connect anew. */
    async untilHereAgain(fault) {
        const arrivals = () => this.conditions.filter((condition) => condition === "connected").length;
        const before = arrivals();
        fault();
        await until("the client to be here again", () => arrivals() > before);
    }

    untilAway() {
        return until("the client to notice", () => this.client.condition !== "connected");
    }

    untilStarted(count = 1) {
        return until(`${count} starts`, () => this.starts.length >= count && this.starts);
    }

    untilStartedIs(executionId) {
        return until(`${executionId} to start`, () => this.starts.includes(executionId));
    }

    untilEnded(count = 1) {
        return until(`${count} ends that the bridge made`, () => this.ends.length >= count && this.ends);
    }

    fire(trigger = this.triggers[0].triggerId, firing = {}) {
        return this.client.fire(trigger, { source: "input", ...firing }, {});
    }

    /** Ends a run as a finish node does. */
    finish(executionId, outcome = "completed") {
        return this.client.finish(executionId, outcome);
    }

    /** The process is gone, without a word. */
    die() {
        this.client.close();
    }

    #start(info) {
        const { executionId } = info;
        this.starts.push(executionId);
        this.infos.push(info);
        this.onStart(info);
    }

    #listener() {
        const nothing = () => {};
        return {
            runsTrigger: (id) => this.triggers.some(({ triggerId }) => triggerId === id),
            onStart: ({ info }) => this.#start(info),
            onEnd: (end) => this.ends.push(end),
            onDecision: (decision) => this.decisions.push(decision),
            onTold: () => {},
            onCondition: (condition) => this.conditions.push(condition),
            ...{ onClaim: nothing, onGone: nothing, onNews: nothing, onInvalid: nothing },
            ...{ onLimitRefused: nothing, onRetired: nothing },
        };
    }
}
