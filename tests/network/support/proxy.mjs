/**
 * A network that does as it is told: stands on real sockets between clients and a bridge, and knows the frames of the
 * stream and the calls beside it. A test stops what crosses and says what becomes of it.
 */
import { once } from "node:events";
import http from "node:http";
import { WebSocketServer } from "ws";
import { Call } from "./call.mjs";
import { Wire, openWire } from "./wire.mjs";

/**
 * Whoever sends it is "client" or "bridge". A frame's kind is its type; a call's kind is its method and the last word
 * of its path, such as "POST fire", its answer's "answer fire".
 */
export class Proxy {
    /** Told each crossing that no test stopped; by default it passes. */
    onCrossing = (crossing) => crossing.pass();
    /** The status that everybody is answered with, as by a proxy whose bridge is gone. */
    refusal = undefined;
    #stops = [];
    #wires = new Set();
    #sockets = new Set();
    #server = http.createServer((request, response) => new Call(this, request, response).take());
    #upgrades = new WebSocketServer({ noServer: true, autoPong: false, perMessageDeflate: false });

    /** @param {string} target the bridge's URL */
    constructor(target) {
        this.target = new URL(target);
        this.#server.on("connection", (socket) => this.#track(socket));
        this.#server.on("upgrade", (request, socket, head) => this.#upgrade(request, socket, head));
    }

    async start() {
        this.#server.listen(0, "127.0.0.1");
        await once(this.#server, "listening");
        return this;
    }

    get url() {
        return `http://127.0.0.1:${this.#server.address().port}`;
    }

    /** The connections of the stream that stand, the oldest first. */
    get wires() {
        return [...this.#wires];
    }

    /**
     * Stops the next crossing of a kind; what follows it waits behind it.
     * @param {"client" | "bridge"} from
     * @param {string} kind
     * @param {(content: any) => boolean} [is]
     * @returns {Promise<import("./crossing.mjs").Crossing>}
     */
    stop(from, kind, is = () => true) {
        return new Promise((resolve) => this.#stops.push({ from, kind, is, resolve }));
    }

    /** Cuts every connection of the stream. */
    cut() {
        for (const wire of this.#wires) wire.cut();
    }

    /** @param {import("./crossing.mjs").Crossing} crossing */
    cross(crossing) {
        const { from, kind, content } = crossing;
        const wanted = this.#stops.findIndex((stop) => stop.from === from && stop.kind === kind && stop.is(content));
        if (wanted < 0) this.onCrossing(crossing);
        else this.#stops.splice(wanted, 1)[0].resolve(crossing);
    }

    async close() {
        for (const wire of this.#wires) wire.cut();
        for (const socket of this.#sockets) socket.destroy();
        this.#server.close();
        await once(this.#server, "close");
    }

    #track(socket) {
        this.#sockets.add(socket);
        socket.on("error", () => {}); // faults are what it is here for
        socket.once("close", () => this.#sockets.delete(socket));
    }

    async #upgrade(request, socket, head) {
        if (this.refusal) {
            socket.end(`HTTP/1.1 ${this.refusal} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
            return;
        }
        const far = await openWire(this.target, request).catch(() => undefined);
        if (far) this.#upgrades.handleUpgrade(request, socket, head, (near) => this.#add(new Wire(this, near, socket, far)));
        else socket.destroy();
    }

    #add(wire) {
        this.#wires.add(wire);
        wire.closed.then(() => this.#wires.delete(wire));
    }
}
