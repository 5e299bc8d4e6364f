/** A real bridge and a real Node-RED, and what a person would see of them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import WebSocket from "ws";
import { freePort, makeUserDir, startBridge, startNodeRed, until } from "../../../scripts/processes.mjs";

export { until };

/** Both versions that the package works on. */
export const VERSIONS = [4, 5];

/** Node-RED's editor fails over its own tips where it takes long to load. */
const WITHOUT_TIPS = { _: { editor: { view: { "view-show-tips": false } } } };

/** What Node-RED's editor is told: debug messages and node statuses, in order. */
class Editor {
    constructor(url) {
        this.debug = [];
        this.statuses = [];
        this.socket = new WebSocket(`${url.replace("http", "ws")}/comms`);
        this.socket.on("message", (data) => this.#hear(JSON.parse(String(data))));
        this.socket.on("error", () => {}); // Node-RED may stop first
        this.open = new Promise((resolve) => this.socket.once("open", resolve));
    }

    async subscribe() {
        await this.open;
        for (const topic of ["debug", "status/#"]) this.socket.send(JSON.stringify({ subscribe: topic }));
    }

    #hear(news) {
        for (const { topic, data } of [news].flat()) {
            if (topic === "debug") this.debug.push({ node: data.id, message: readDebug(data) });
            else if (topic?.startsWith("status/")) {
                this.statuses.push({ node: topic.slice("status/".length), status: data });
            }
        }
    }
}

/** A debug message as its node sent it. */
function readDebug({ format, msg }) {
    return format === "Object" ? JSON.parse(msg) : msg;
}

/** A bridge, a Node-RED with flows, and an editor that listens. */
export class House {
    /**
     * @param {{version: 4 | 5, flows: object[], env?: Record<string, string>, settings?: object,
     *     fill?: (userDir: string) => void}} wanted `env` and `settings` of the Node-RED, and what else its user
     *     directory has before its first start
     */
    static async open({ version, flows, env = {}, settings = {}, fill = () => {} }) {
        const house = new House();
        house.env = env;
        house.folder = mkdtempSync(path.join(tmpdir(), "schedule-trigger-"));
        house.userDir = path.join(house.folder, "node-red");
        makeUserDir(house.userDir, flows);
        writeFileSync(path.join(house.userDir, ".config.users.json"), JSON.stringify(WITHOUT_TIPS));
        house.changeSettings(settings);
        fill(house.userDir);
        house.bridgePort = await freePort();
        try {
            await house.startBridge();
            await house.startNodeRed(version);
        } catch (error) {
            await house.close();
            throw error;
        }
        return house;
    }

    /** What its Node-RED is told in its settings file from its next start on. */
    changeSettings(settings) {
        writeFileSync(path.join(this.userDir, "more-settings.js"), `module.exports = ${JSON.stringify(settings)};\n`);
    }

    async startBridge() {
        this.bridge = await startBridge({ folder: path.join(this.folder, "bridge"), port: this.bridgePort });
    }

    /** Starts it, at the address that it had if it is not the first time. */
    async startNodeRed(version, env = this.env) {
        this.nodeRedPort ??= await freePort();
        this.nodeRed = await startNodeRed({ version, userDir: this.userDir, port: this.nodeRedPort, bridge: this.bridge, env });
        this.editor = new Editor(this.nodeRed.url);
        await this.editor.subscribe();
    }

    async stopNodeRed() {
        this.editor?.socket.close();
        await this.nodeRed?.stop();
    }

    /** Asks the bridge. */
    async ask(route, method = "GET") {
        const headers = { Authorization: `Bearer ${this.bridge.token}` };
        const answer = await fetch(this.bridge.url + route, { method, headers });
        if (!answer.ok) throw new Error(`${route}: ${answer.status} ${await answer.text()}`);
        return answer.json();
    }

    /** The trigger that a node declared, by the node's id. */
    async trigger(node) {
        const { triggers } = await this.ask("/v1/triggers?limit=1000");
        return triggers.find(({ triggerId }) => triggerId.endsWith(`.${node}`));
    }

    /** A trigger's executions, oldest first; none before it is declared. */
    async executions(node) {
        const { triggerId } = (await this.trigger(node)) ?? {};
        if (!triggerId) return [];
        const { executions } = await this.ask(`/v1/executions?limit=1000&triggerId=${triggerId}`);
        return executions.reverse();
    }

    /** Cancels what is active of a trigger, as an operator would. */
    async cancelAll(node) {
        const active = (await this.executions(node)).filter(({ endedAt }) => !endedAt);
        for (const { executionId } of active) await this.ask(`/v1/executions/${executionId}/cancel`, "POST");
    }

    /** A trigger's decisions, oldest first; none before it is declared. */
    async decisions(node) {
        const { triggerId } = (await this.trigger(node)) ?? {};
        if (!triggerId) return [];
        const { decisions } = await this.ask(`/v1/decisions?limit=1000&triggerId=${triggerId}`);
        return decisions.reverse();
    }

    /** What a debug node has shown. */
    shown(node) {
        return this.editor.debug.filter((each) => each.node === node).map(({ message }) => message);
    }

    /** The last status of a node. */
    status(node) {
        return this.editor.statuses.filter((each) => each.node === node).at(-1)?.status;
    }

    /** Deploys flows as the editor does, and waits until they run. */
    deploy(flows, type = "full") {
        return this.startingFlows(() => this.store(flows, type));
    }

    /** Does what starts flows anew, and waits until they run: Node-RED answers when it has only stored them. */
    async startingFlows(act) {
        const starts = () => this.nodeRed.lines.filter((line) => /Started (modified )?(flows|nodes)/.test(line)).length;
        const before = starts();
        await act();
        await until("the flows to run again", () => starts() > before);
    }

    /** Deploys flows without waiting for their start, as where they are stopped and stay so. */
    store(flows, type = "full") {
        return this.administer("POST", "/flows", flows, { "Node-RED-Deployment-Type": type });
    }

    /** Calls a route of Node-RED's administration. */
    async administer(method, route, body, headers = {}) {
        const answer = await fetch(this.nodeRed.url + route, {
            method,
            headers: { "Content-Type": "application/json", ...headers },
            body: JSON.stringify(body),
        });
        if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${await answer.text()}`);
    }

    /** Presses the button of an inject node. */
    press(node) {
        return this.administer("POST", `/inject/${node}`);
    }

    async close() {
        await this.stopNodeRed();
        await this.bridge?.stop();
        rmSync(this.folder, { recursive: true, force: true });
    }
}

/** Opens a house for a test, lets `act` live in it, and closes it whatever happens. */
export async function inHouse(wanted, act) {
    const house = await House.open(wanted);
    try {
        await act(house);
    } catch (error) {
        error.message += `\n--- Node-RED ${wanted.version}\n${house.nodeRed.lines.slice(-20).join("\n")}`;
        error.message += `\n--- bridge\n${house.bridge.lines.slice(-40).join("\n")}`;
        throw error;
    } finally {
        await house.close();
    }
}

/** How many of these executions were running at once, at the most. */
export function mostAtOnce(executions) {
    const claimed = executions.filter(({ startedAt }) => startedAt);
    const changes = claimed.flatMap(({ startedAt, endedAt }) => [
        [startedAt, 1],
        [endedAt ?? "9999", -1],
    ]);
    // At one instant an end comes before the start that it made room for.
    changes.sort(([a, x], [b, y]) => a.localeCompare(b) || x - y);
    let running = 0;
    return Math.max(0, ...changes.map(([, change]) => (running += change)));
}
