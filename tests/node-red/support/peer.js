"use strict";

const { EventEmitter, once } = require("node:events");
const http = require("node:http");
const { WebSocketServer } = require("ws");
const { encode, decode } = require("../../../node-red/lib/codec");
const { SUBPROTOCOL } = require("../../../node-red/lib/protocol");

/**
 * The other end of the stream and of the HTTP calls, with answers that a test writes: it stands for the faults that
 * a real bridge shows only by accident. It answers claims, ends and `here` by itself unless told otherwise.
 */
class Peer extends EventEmitter {
    /** @type {any[]} the frames of the client, in order, without hellos */
    frames = [];
    /** @type {{method: string, path: string, headers: http.IncomingHttpHeaders, body: any}[]} */
    requests = [];
    /** @type {URLSearchParams[]} the query of each connection */
    connections = [];
    /** How often the client has pinged. */
    pings = 0;
    /** Whether it leaves pings unanswered, as after its machine has lost its power. */
    isDeaf = false;
    protocol = 1;
    token = "secret";
    /** @type {(frame: any) => object | undefined} the reply to a frame, or undefined for none */
    reply = defaultReply;
    /** @type {(path: string, body: any) => {status?: number, body?: any, hangUp?: boolean}} */
    answer = () => ({ body: { decisions: [] } });
    /** @param {import("ws").WebSocket} client */
    sayHello = (client) => client.send(encode({ type: "hello", protocol: this.protocol, version: "0" }));
    /** @type {import("ws").WebSocket | undefined} */
    #socket;
    #server = http.createServer((request, response) => this.#handle(request, response));
    #sockets = new WebSocketServer({ noServer: true, autoPong: false, handleProtocols: () => SUBPROTOCOL });

    constructor() {
        super();
        this.#server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
    }

    /**
     * @param {number} [port]
     * @returns {Promise<this>}
     */
    async start(port = 0) {
        this.#server.listen(port, "127.0.0.1");
        await once(this.#server, "listening");
        return this;
    }

    get port() {
        return /** @type {import("node:net").AddressInfo} */ (this.#server.address()).port;
    }

    get url() {
        return `http://127.0.0.1:${this.port}`;
    }

    get isConnected() {
        return this.#sockets.clients.size > 0;
    }

    /** @param {object} frame */
    send(frame) {
        this.#socket?.send(encode(frame));
    }

    /** Pings the client, as a bridge does. */
    ping() {
        this.#socket?.ping();
    }

    /** @param {number} [code] */
    hangUp(code) {
        if (code) this.#socket?.close(code);
        else this.#socket?.terminate();
    }

    async stop() {
        this.hangUp();
        this.#server.closeAllConnections();
        this.#server.close();
        await once(this.#server, "close");
    }

    /**
     * @param {string} type
     * @param {(frame: any) => boolean} [accept]
     * @returns {Promise<any>} the first frame of that type, past or to come
     */
    async frame(type, accept = () => true) {
        for (;;) {
            const found = this.frames.find((frame) => frame.type === type && accept(frame));
            if (found) return found;
            await once(this, "frame");
        }
    }

    /**
     * @param {string} type
     * @param {number} count
     * @returns {Promise<any[]>} once so many of that type have come
     */
    async framesOf(type, count) {
        for (;;) {
            const found = this.frames.filter((frame) => frame.type === type);
            if (found.length >= count) return found;
            await once(this, "frame");
        }
    }

    /**
     * @param {http.IncomingMessage} request
     * @param {import("node:stream").Duplex} socket
     * @param {Buffer} head
     */
    #upgrade(request, socket, head) {
        if (request.headers.authorization !== `Bearer ${this.token}`) {
            socket.end("HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
            return;
        }
        this.#sockets.handleUpgrade(request, socket, head, (client) => this.#connected(client, request));
    }

    /**
     * @param {import("ws").WebSocket} client
     * @param {http.IncomingMessage} request
     */
    #connected(client, request) {
        this.#socket = client;
        this.connections.push(new URL(request.url ?? "", this.url).searchParams);
        client.on("ping", (data) => {
            this.pings += 1;
            if (!this.isDeaf) client.pong(data);
        });
        client.on("message", (data) => this.#receive(client, decode(/** @type {Buffer} */ (data))));
        this.sayHello(client);
        this.emit("connection");
    }

    /**
     * @param {import("ws").WebSocket} client
     * @param {any} frame
     */
    #receive(client, frame) {
        if (frame.type === "hello") return;
        this.frames.push(frame);
        const reply = this.reply(frame);
        if (reply) client.send(encode({ type: "reply", re: frame.id, ...reply }));
        this.emit("frame");
    }

    /**
     * @param {http.IncomingMessage} request
     * @param {http.ServerResponse} response
     */
    async #handle(request, response) {
        const chunks = [];
        for await (const chunk of request) chunks.push(chunk);
        const bytes = Buffer.concat(chunks);
        const body = bytes.length ? decode(bytes) : undefined;
        const { method = "", url: path = "", headers } = request;
        this.requests.push({ method, path, headers, body });
        const { status = 200, body: answer, hangUp } = this.answer(path, body);
        if (hangUp) request.socket.destroy();
        else response.writeHead(status, { "content-type": "application/msgpack" }).end(encode(answer));
        this.emit("request");
    }
}

/**
 * @param {any} frame
 * @returns {object | undefined}
 */
function defaultReply(frame) {
    if (frame.type === "here") return { detached: [], invalid: [] };
    if (frame.type === "finished") return { ignored: false };
    const times = { startedAt: "2026-01-01T00:00:00.000Z", deadline: "2026-01-01T00:50:00.000Z" };
    return frame.type === "started" ? { confirmed: true, ...times } : undefined;
}

/**
 * @param {string} executionId
 * @param {string} triggerId
 * @param {object} [more]
 * @returns {any}
 */
function offer(executionId, triggerId, more = {}) {
    return {
        type: "execution.start",
        executionId,
        triggerId,
        workflowId: triggerId,
        workspaceId: "default",
        lockKey: null,
        scheduledAt: "2026-01-01T00:00:00.000Z",
        source: "schedule",
        payload: null,
        fencingToken: 1,
        mergedFirings: 0,
        firingKey: null,
        ...more,
    };
}

module.exports = { Peer, defaultReply, offer };
