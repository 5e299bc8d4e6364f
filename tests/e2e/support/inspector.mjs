/**
 * Looks into a running Node-RED from outside, through the inspector of its Node.js: what its modules keep, private
 * fields included. The Node-RED must run with `NODE_OPTIONS=--inspect=127.0.0.1:0`.
 */
import WebSocket from "ws";
import { until } from "./house.mjs";

/** The environment of a Node-RED that can be looked into. */
export const INSPECTABLE = { NODE_OPTIONS: "--inspect=127.0.0.1:0" };

const GROUP = "look";
const SIZE = "function () { return this.size; }";

export class Inspector {
    #last = 0;
    #waiting = new Map();

    /** Connects, lets `look` read, and leaves nothing behind. */
    static async look(nodeRed, look) {
        const inspector = new Inspector();
        await inspector.#open(nodeRed);
        try {
            return await look(inspector);
        } finally {
            await inspector.#call("Runtime.releaseObjectGroup", { objectGroup: GROUP });
            inspector.socket.close();
        }
    }

    async #open(nodeRed) {
        const listening = () => nodeRed.lines.map((line) => /Debugger listening on (ws:\S+)/.exec(line)?.[1]).find(Boolean);
        this.socket = new WebSocket(await until("the inspector", listening), { perMessageDeflate: false });
        this.socket.on("message", (data) => this.#hear(JSON.parse(String(data))));
        await new Promise((resolve, reject) => this.socket.once("open", resolve).once("error", reject));
    }

    #hear({ id, result, error }) {
        const { resolve, reject } = this.#waiting.get(id) ?? {};
        this.#waiting.delete(id);
        if (error) reject?.(new Error(error.message));
        else resolve?.(result);
    }

    #call(method, params = {}) {
        const id = ++this.#last;
        const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
        this.socket.send(JSON.stringify({ id, method, params }));
        return answer;
    }

    /** Evaluates an expression, in which `require` loads what Node-RED has loaded. */
    async #evaluate(expression, returnByValue) {
        const how = { expression, returnByValue, includeCommandLineAPI: true, objectGroup: GROUP };
        const { result, exceptionDetails } = await this.#call("Runtime.evaluate", how);
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
        return result;
    }

    /** The value of an expression. */
    async value(expression) {
        return (await this.#evaluate(expression, true)).value;
    }

    /** Bytes of the heap in use, once everything that can go is gone. */
    async heap() {
        await this.#call("HeapProfiler.collectGarbage");
        return (await this.#call("Runtime.getHeapUsage")).usedSize;
    }

    /**
     * The instances of a class, however many still cannot go.
     * @param {string} constructor an expression that gives the class
     * @returns {Promise<string[]>} names of them, for `size`
     */
    async instances(constructor) {
        const { objectId } = await this.#evaluate(`(${constructor}).prototype`);
        const { objects } = await this.#call("Runtime.queryObjects", { prototypeObjectId: objectId, objectGroup: GROUP });
        const { result } = await this.#call("Runtime.getProperties", { objectId: objects.objectId, ownProperties: true });
        return result.filter(({ name }) => /^\d+$/.test(name)).map(({ value }) => value.objectId);
    }

    /**
     * How much an instance keeps in a private field, or in one of what that holds, and so on.
     * @param {string} instance
     * @param {{fields: string[], measure?: string}} where `measure`: a function on what is kept there; else its size
     */
    async size(instance, { fields, measure = SIZE }) {
        let objectId = instance;
        for (const field of fields) objectId = await this.#field(objectId, field);
        const how = { objectId, functionDeclaration: measure, returnByValue: true };
        return (await this.#call("Runtime.callFunctionOn", how)).result.value;
    }

    async #field(objectId, field) {
        const { privateProperties = [] } = await this.#call("Runtime.getProperties", { objectId, ownProperties: true });
        const found = privateProperties.find(({ name }) => name === field);
        if (!found) throw new Error(`There is no field ${field}`);
        return found.value.objectId;
    }
}
