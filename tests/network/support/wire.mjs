/** One connection of the stream through the proxy: a WebSocket on either side. */
import WebSocket from "ws";
import codec from "../../../node-red/lib/codec.js";
import { Crossing } from "./crossing.mjs";

/** Codes that a peer may not send: the connection broke, or closed without a code. */
const BROKE = 1006;
const WITHOUT_CODE = 1005;

/** The start of a binary frame of 4,096 bytes, and some of them; whoever hears it waits for the rest. */
const TORN = {
    bridge: Buffer.concat([Buffer.from([0x82, 126, 0x10, 0x00]), Buffer.alloc(100)]),
    client: Buffer.concat([Buffer.from([0x82, 0x80 | 126, 0x10, 0x00, 1, 2, 3, 4]), Buffer.alloc(100)]),
};

/** Connects to the bridge as the client asked for it. */
export function openWire(target, request) {
    const { authorization, "sec-websocket-protocol": protocol } = request.headers;
    const address = `ws://${target.host}${request.url}`;
    const far = new WebSocket(address, protocol, { headers: { authorization }, autoPong: false, perMessageDeflate: false });
    return new Promise((resolve, reject) => {
        let socket;
        far.once("upgrade", (response) => (socket = response.socket));
        far.once("open", () => {
            far.pause(); // nothing is read before somebody listens
            resolve({ far, socket });
        });
        far.once("error", reject);
    });
}

export class Wire {
    #proxy;
    #raw;
    #lines = { client: Promise.resolve(), bridge: Promise.resolve() };
    #isMute = false;
    #isDeaf = false;

    constructor(proxy, near, nearSocket, { far, socket: farSocket }) {
        this.#proxy = proxy;
        this.near = near;
        this.far = far;
        this.#raw = { client: farSocket, bridge: nearSocket };
        this.closed = new Promise((resolve) => near.once("close", resolve));
        this.#lead("client", near, far);
        this.#lead("bridge", far, near);
        far.resume();
    }

    /** The connection breaks for both sides. */
    cut() {
        this.near.terminate();
        this.far.terminate();
    }

    /** From now on bytes go nowhere, and nobody is told: a cable is pulled. */
    mute() {
        this.#isMute = true;
    }

    /** The client's pongs go nowhere, as if its process hung; its frames still arrive. */
    stopPongs() {
        this.#isDeaf = true;
    }

    /** The client reads nothing any more, and the network holds what its buffers hold. */
    stopReading() {
        this.far.pause();
    }

    /** @param {"client" | "bridge"} from whose frame is torn in the middle by a reset of the connection */
    tear(from) {
        const to = this.#raw[from];
        to.write(TORN[from], () => to.resetAndDestroy());
        this.#raw[from === "client" ? "bridge" : "client"].resetAndDestroy();
    }

    /** Gives the other side bytes that are no frame of the protocol. */
    garble(from) {
        const to = from === "client" ? this.far : this.near;
        to.send(Buffer.from([0xc1, 0xc1]));
    }

    #lead(from, source, target) {
        source.on("message", (data) => this.#frame(from, target, data));
        source.on("ping", (data) => this.#pass(target, () => target.ping(data)));
        source.on("pong", (data) => this.#isDeaf || this.#pass(target, () => target.pong(data)));
        source.on("error", () => {}); // a close follows
        source.on("close", (code, reason) => this.#lines[from].then(() => this.#hangUp(target, code, reason)));
    }

    #pass(target, act) {
        if (!this.#isMute && target.readyState === WebSocket.OPEN) act();
    }

    #frame(from, target, data) {
        const frame = codec.decode(data);
        const deliver = (times) => {
            for (let sent = 0; sent < times; sent += 1) this.#pass(target, () => target.send(data));
        };
        const crossing = new Crossing(from, frame.type, frame, { deliver, cut: () => this.#cutBehind(target) });
        this.#lines[from] = this.#lines[from].then(() => this.#take(crossing));
    }

    async #take(crossing) {
        if (this.#isMute) return;
        this.#proxy.cross(crossing);
        await crossing.settled;
    }

    /** Cuts once what was delivered is out; nothing more follows it. */
    #cutBehind(target) {
        this.#isMute = true;
        if (target.readyState === WebSocket.OPEN) target.ping("", undefined, () => this.cut());
        else this.cut();
    }

    #hangUp(target, code, reason) {
        if (this.#isMute) return;
        if (code === BROKE) target.terminate();
        else if (code === WITHOUT_CODE) target.close();
        else target.close(code, reason);
    }
}
