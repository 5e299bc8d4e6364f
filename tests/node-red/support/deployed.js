"use strict";

const { after, before, beforeEach } = require("node:test");
const { NodeRed } = require("./node-red");
const { Peer, defaultReply, offer } = require("./peer");
const { until } = require("./until");

/**
 * A flow: a trigger whose runs wait for a finish node, what is wired to its outputs, and such a node.
 * @param {object} [properties] of the trigger
 * @returns {any[]}
 */
function flow(properties = {}) {
    return [
        { id: "tab", type: "tab", label: "flow" },
        { id: "t", type: "schedule-trigger", z: "tab", wires: [["out1"], ["out2"]], endsOnSilence: false, ...properties },
        { id: "out1", type: "junction", z: "tab", wires: [[]] },
        { id: "out2", type: "junction", z: "tab", wires: [[]] },
        { id: "f", type: "schedule-finish", z: "tab", wires: [["passed"]] },
        { id: "passed", type: "junction", z: "tab", wires: [[]] },
    ];
}

/** A trigger that is deployed in a real Node-RED, and the peer that stands for its bridge. */
class Deployed {
    node = new NodeRed();
    peer = new Peer();

    constructor() {
        before(() => this.#start());
        after(() => this.#stop());
        beforeEach(() => this.#clear());
    }

    /**
     * The id by which the bridge knows a node.
     * @param {string} id
     */
    known(id) {
        return `${this.node.instance}.${id}`;
    }

    /**
     * @param {object} [properties] of the trigger
     * @param {object[]} [more] nodes
     */
    async deploy(properties, more = []) {
        const { length } = this.peer.frames;
        await this.node.deploy([...flow(properties), ...more]);
        await until(() => this.peer.frames.slice(length).some(({ type }) => type === "here"));
    }

    /**
     * @param {string} executionId
     * @param {object} [more] of its offer
     * @returns {Promise<any>} the message that went out
     */
    async run(executionId, more) {
        this.peer.send(offer(executionId, this.known("t"), more));
        return until(() => this.node.received("out1").find(({ run }) => run.executionId === executionId));
    }

    /** @param {any} message into the trigger */
    fire(message) {
        this.node.RED.nodes.getNode("t").receive(message);
    }

    async #start() {
        await this.peer.start();
        process.env.SCHEDULE_BRIDGE_URL = this.peer.url;
        process.env.SCHEDULE_BRIDGE_TOKEN = "secret";
        await this.node.start(process.env.NODE_RED_PACKAGE || "node-red-4");
    }

    async #stop() {
        await this.node.stop();
        await this.peer.stop();
    }

    /** Ends what only a finish node would, so that the client has nothing to stay for. */
    #endAll() {
        const claimed = this.peer.frames.filter(({ type }) => type === "started");
        for (const { executionId } of claimed) {
            this.peer.send({ type: "execution.ended", executionId, outcome: "interrupted", halt: false });
        }
    }

    async #clear() {
        this.peer.reply = defaultReply;
        await this.node.deploy([]);
        this.#endAll();
        await until(() => !this.peer.isConnected);
        const answer = () => ({ body: { decisions: [] } });
        Object.assign(this.peer, { frames: [], requests: [], connections: [], answer });
        Object.assign(this.node, { statuses: [], log: [], messages: [] });
    }
}

module.exports = { Deployed, flow };
