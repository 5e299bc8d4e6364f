/** One call of the API through the proxy: the request crosses, then its answer. */
import http from "node:http";
import codec from "../../../node-red/lib/codec.js";
import { Crossing } from "./crossing.mjs";

const TO_BE_MADE_ANEW = ["host", "connection", "content-length", "transfer-encoding"];

export class Call {
    #proxy;
    #request;
    #response;

    constructor(proxy, request, response) {
        this.#proxy = proxy;
        this.#request = request;
        this.#response = response;
    }

    async take() {
        const body = await readAll(this.#request).catch(() => undefined);
        if (body === undefined) return;
        if (this.#proxy.refusal) this.#answer({ status: this.#proxy.refusal, body: Buffer.from("<h1>Bad Gateway</h1>") });
        else this.#crossAsked(body);
    }

    get #word() {
        return new URL(this.#request.url, "http://proxy").pathname.split("/").at(-1);
    }

    #crossAsked(body) {
        const { method, headers } = this.#request;
        const asked = { type: headers["content-type"] ?? "", body };
        this.#cross("client", `${method} ${this.#word}`, asked, (times) => this.#forward(body, times));
    }

    #cross(from, kind, { type, body }, deliver) {
        const content = body.length ? readBody(type, body) : undefined;
        const cut = () => this.#request.socket.destroySoon();
        this.#proxy.cross(new Crossing(from, kind, content, { deliver, cut }));
    }

    async #forward(body, times) {
        try {
            const [answer] = await Promise.all(Array.from({ length: times }, () => this.#ask(body)));
            this.#cross("bridge", `answer ${this.#word}`, answer, () => this.#answer(answer));
        } catch {
            this.#request.socket.destroy();
        }
    }

    /** Asks the bridge itself. */
    async #ask(body) {
        const { method, url, headers } = this.#request;
        const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !TO_BE_MADE_ANEW.includes(name)));
        const { hostname, port } = this.#proxy.target;
        const asked = http.request({ hostname, port, method, path: url, headers: kept, agent: false });
        const answer = new Promise((resolve, reject) => asked.once("response", resolve).once("error", reject));
        asked.end(body);
        const { statusCode, headers: theirs } = await answer;
        return { status: statusCode, type: theirs["content-type"], body: await readAll(await answer) };
    }

    #answer({ status, type = "text/html", body }) {
        this.#response.writeHead(status, { "content-type": type }).end(body);
    }
}

async function readAll(stream) {
    const chunks = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
}

function readBody(type, body) {
    try {
        return type.startsWith("application/json") ? JSON.parse(body) : codec.decode(body);
    } catch {
        return undefined; // a proxy's own words
    }
}
