"use strict";

const { EventEmitter } = require("node:events");
const WebSocket = require("ws");
const { version } = require("../../package.json");
const { backOff } = require("./back-off");
const { encode, decode } = require("./codec");
const { PROTOCOL, SUBPROTOCOL, protocolProblem, closeProblem } = require("./protocol");
const { after } = require("./timers");

/**
 * Milliseconds. `slow` is for what only a person can mend, such as a wrong token; `ping` is how often the bridge pings,
 * and how long it has to answer a ping of ours.
 */
const TIMING = Object.freeze({ first: 500, most: 15_000, slow: 15_000, ping: 15_000, handshake: 10_000 });

/**
 * @typedef {import("./protocol").Problem} Problem
 * @typedef {import("./connection").Connection} Connection
 * @typedef {{[K in keyof typeof TIMING]: number}} Timing
 */

/**
 * The connection to the bridge, made again whenever it is lost. It emits
 * - `open` once both sides have said hello,
 * - `frame` with each decoded frame after that,
 * - `down` with a Problem whenever there is no connection any more or an attempt failed.
 */
class Stream extends EventEmitter {
    #identity;
    #timing;
    /** @type {Connection} */
    #connection;
    /** @type {WebSocket | undefined} */
    #socket;
    /** @type {NodeJS.Timeout | undefined} */
    #timer;
    #attempts = 0;
    #isOpen = false;
    /** When the next attempt is made, in milliseconds since the Unix epoch; 0 while none is due. */
    nextTry = 0;

    /**
     * @param {{clientId: string, sessionId: string, workspaceId: string}} identity
     * @param {Connection} connection
     * @param {Partial<Timing>} [timing]
     */
    constructor(identity, connection, timing = {}) {
        super();
        this.#identity = identity;
        this.#connection = connection;
        this.#timing = { ...TIMING, ...timing };
        /** The bridge that is or was connected last, for calls beside the stream. */
        this.bridge = { url: connection.urls[0], token: connection.token() };
    }

    get isOpen() {
        return this.#isOpen;
    }

    /** Connects now, whatever the back-off says. */
    connect() {
        this.#drop();
        this.#attempts = 0;
        this.#attempt();
    }

    /**
     * Connects to another place.
     * @param {Connection} connection
     */
    moveTo(connection) {
        this.#connection = connection;
        this.connect();
    }

    /**
     * Sends a frame if there is a connection; what must arrive is kept by the caller.
     * @param {object} frame
     */
    send(frame) {
        if (this.#isOpen) this.#socket?.send(encode(frame));
    }

    /** Ends the connection for good. */
    close() {
        this.#drop();
    }

    #drop() {
        clearTimeout(this.#timer);
        const socket = this.#socket;
        this.#socket = undefined;
        this.#isOpen = false;
        if (!socket) return;
        socket.removeAllListeners();
        // A socket that is closed while it connects still reports that as an error.
        socket.on("error", () => {});
        socket.close();
    }

    #attempt() {
        this.nextTry = 0;
        const { urls, token } = this.#connection;
        // A managed bridge that does not run: whoever hears of its start calls `connect`.
        if (urls.length === 0) return;
        this.bridge = { url: urls[this.#attempts % urls.length], token: token() };
        const query = new URLSearchParams(this.#identity);
        const address = `${this.bridge.url.replace(/^http/, "ws")}/v1/stream?${query}`;
        this.#socket = new WebSocket(address, SUBPROTOCOL, {
            headers: { authorization: `Bearer ${this.bridge.token}` },
            handshakeTimeout: this.#timing.handshake,
            perMessageDeflate: false,
        });
        this.#listen(this.#socket);
    }

    /** @param {WebSocket} socket */
    #listen(socket) {
        /** @type {Problem | undefined} */
        let problem;
        socket.on("open", () => socket.send(encode({ type: "hello", protocol: PROTOCOL, version })));
        socket.on("unexpected-response", (_request, { statusCode }) => {
            problem = statusCode === 401 ? "unauthorised" : "bridgeAway";
            socket.terminate();
        });
        socket.on("message", (data) => {
            problem = this.#receive(socket, /** @type {Buffer} */ (data)) ?? problem;
        });
        socket.on("error", () => {});
        socket.on("close", (code) => this.#lost(problem ?? closeProblem(code)));
    }

    /**
     * @param {WebSocket} socket
     * @param {Buffer} data
     * @returns {Problem | undefined}
     */
    #receive(socket, data) {
        const frame = readFrame(data);
        if (this.#isOpen) {
            if (frame) this.emit("frame", frame);
            return undefined;
        }
        const problem = protocolProblem(frame?.protocol);
        if (problem) socket.close();
        else this.#opened(socket);
        return problem;
    }

    /** @param {WebSocket} socket */
    #opened(socket) {
        this.#isOpen = true;
        this.#attempts = 0;
        this.#watch(socket);
        this.emit("open");
    }

    /**
     * Ends a connection that has gone silent: a peer that vanished sends no close. The bridge pings, and whatever comes
     * from it is a sign of life, so that nothing has to be asked until two of its pings have not come.
     * @param {WebSocket} socket
     */
    #watch(socket) {
        const { ping } = this.#timing;
        /** @type {NodeJS.Timeout | undefined} */
        let unanswered;
        const silence = after(2 * ping, () => {
            socket.ping();
            unanswered = after(ping, () => socket.terminate());
            unanswered.unref();
        });
        silence.unref();
        const hear = () => {
            clearTimeout(unanswered);
            silence.refresh();
        };
        for (const sign of ["ping", "pong", "message"]) socket.on(sign, hear);
        socket.on("close", () => [silence, unanswered].forEach(clearTimeout));
    }

    /** @param {Problem} problem */
    #lost(problem) {
        this.#socket = undefined;
        this.#isOpen = false;
        this.#attempts += 1;
        const { slow } = this.#timing;
        const wait = problem === "bridgeAway" ? backOff(this.#attempts, this.#timing) : slow;
        this.nextTry = Date.now() + wait;
        this.#timer = after(wait, () => this.#attempt());
        this.#timer.unref();
        this.emit("down", problem);
    }
}

/** @param {Buffer} data */
function readFrame(data) {
    try {
        return decode(data);
    } catch {
        return undefined;
    }
}

module.exports = { Stream };
