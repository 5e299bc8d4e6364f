"use strict";

const fs = require("node:fs/promises");
const { once } = require("node:events");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");
const { name } = require("../../../package.json");

const ROOT = path.resolve(__dirname, "../../..");

/** A real Node-RED with the package installed, in a user directory of its own. */
class NodeRed {
    /** @type {any} */
    RED;
    /** @type {{id: string, text: string, fill: string, shape: string}[]} every status, in order */
    statuses = [];
    /** @type {{level: number, msg: any, id?: string}[]} the log, from warnings up */
    log = [];
    /** @type {{id: string, message: any}[]} every message that reached a node */
    messages = [];
    #server = http.createServer();
    #userDir = "";

    /**
     * @param {string} packageName "node-red-4" or "node-red-5"
     * @param {object} [settings]
     */
    async start(packageName, settings = {}) {
        this.#userDir = await fs.mkdtemp(path.join(os.tmpdir(), "schedule-trigger-"));
        const home = path.join(this.#userDir, "node_modules", path.dirname(name));
        await fs.mkdir(home, { recursive: true });
        await fs.symlink(ROOT, path.join(home, path.basename(name)), "junction");
        this.#server.listen(0, "127.0.0.1");
        await once(this.#server, "listening");
        this.RED = require(packageName);
        this.RED.init(this.#server, { ...this.#settings(), ...settings });
        if (this.RED.httpAdmin) this.#server.on("request", this.RED.httpAdmin);
        this.#listen();
        const started = once(this.RED.events, "flows:started");
        await this.RED.start();
        await started;
        return this;
    }

    get url() {
        const address = /** @type {import("node:net").AddressInfo} */ (this.#server.address());
        return `http://127.0.0.1:${address.port}`;
    }

    /** @returns {string} */
    get instance() {
        return this.RED.settings.get("instanceId");
    }

    /**
     * Deploys a flow file.
     * @param {object[]} flows
     * @param {"full" | "nodes" | "flows"} [type]
     * @param {object} [credentials] by node id
     */
    async deploy(flows, type = "full", credentials = undefined) {
        const started = once(this.RED.events, "flows:started");
        // Without a place on the canvas Node-RED takes a node for a configuration node.
        const placed = flows.map((node) => ("z" in node ? { x: 0, y: 0, ...node } : node));
        await this.RED.runtime.flows.setFlows({ flows: { flows: placed, credentials }, deploymentType: type });
        await started;
    }

    /** @param {string} id */
    received(id) {
        return this.messages.filter((entry) => entry.id === id).map(({ message }) => message);
    }

    /** @param {string} id */
    statusOf(id) {
        const own = this.statuses.filter((status) => status.id === id);
        return own[own.length - 1];
    }

    /** @param {number} level */
    logged(level) {
        return this.log.filter((entry) => entry.level === level).map(({ msg }) => String(msg.message ?? msg));
    }

    async stop() {
        await this.RED.stop();
        this.#server.closeAllConnections();
        this.#server.close();
        await fs.rm(this.#userDir, { recursive: true, force: true });
    }

    #settings() {
        const handler = () => (/** @type {any} */ entry) => this.log.push(entry);
        return {
            userDir: this.#userDir,
            httpAdminRoot: "/",
            httpNodeRoot: "/api",
            credentialSecret: "test",
            telemetry: { enabled: false },
            logging: { console: { level: "off" }, memory: { level: "warn", handler } },
        };
    }

    #listen() {
        const { events, hooks } = this.RED;
        events.on("node-status", (/** @type {any} */ { id, status }) => this.statuses.push({ id, ...status }));
        hooks.add("onReceive.test", (/** @type {any} */ { msg, destination }) => {
            this.messages.push({ id: destination.id, message: msg });
        });
    }
}

module.exports = { NodeRed };
