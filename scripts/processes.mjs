/** A bridge and a Node-RED as child processes, for `npm start` and for the tests. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { nodeFor, nodeRedScript } from "./node-reds.mjs";
import { root, venvProgram } from "./setup.mjs";

const STARTS_WITHIN_MS = 60_000;
const STOPS_WITHIN_MS = 10_000;
const PACKAGE = "@schedule-trigger/node-red-schedule-trigger";

/** A port that is free now: the wanted one if it is, else any. */
export function freePort(wanted = 0) {
    return new Promise((resolve, reject) => {
        const server = createServer();
        server.once("error", () => (wanted ? resolve(freePort()) : reject(new Error("no port is free"))));
        server.listen(wanted, "127.0.0.1", () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

/** What takes longer to look whether something has happened hangs. */
const CHECK_HANGS_MS = 30_000;

/** Waits for a promise; fails with a message when it takes too long. */
export async function inTime(promise, within, message) {
    let timer;
    const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(message)), within);
    });
    return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Waits until `check` gives something, and gives it. */
export async function until(what, check, within = STARTS_WITHIN_MS) {
    const deadline = Date.now() + within;
    while (Date.now() < deadline) {
        const found = await inTime(check(), CHECK_HANGS_MS, `${what}: the look whether it has happened hangs`);
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`${what} did not happen within ${within / 1000} s`);
}

/** A child process whose output lines go to `onLine`. */
export class Child {
    constructor(name, program, args, { env = {}, onLine = () => {} } = {}) {
        this.name = name;
        this.process = spawn(program, args, {
            cwd: root,
            env: { ...process.env, ...env },
            stdio: ["ignore", "pipe", "pipe"],
        });
        this.lines = [];
        this.ended = new Promise((resolve) => this.process.once("exit", resolve));
        for (const stream of [this.process.stdout, this.process.stderr]) this.#read(stream, onLine);
    }

    #read(stream, onLine) {
        let rest = "";
        stream.setEncoding("utf8").on("data", (text) => {
            const lines = (rest + text).split(/\r?\n/);
            rest = lines.pop();
            for (const line of lines) {
                this.lines.push(line);
                onLine(line);
            }
        });
    }

    get running() {
        return this.process.exitCode === null && this.process.signalCode === null;
    }

    /** Fails with the child's last words when it has ended. */
    assertRunning() {
        if (!this.running) throw new Error(`${this.name} has ended:\n${this.lines.slice(-15).join("\n")}`);
    }

    kill(signal) {
        this.process.kill(signal);
        return this.ended;
    }

    /** Ends the child in an orderly way, or at once when it does not follow. */
    async stop() {
        if (!this.running) return;
        this.process.kill("SIGTERM");
        const late = setTimeout(() => this.process.kill("SIGKILL"), STOPS_WITHIN_MS);
        await this.ended;
        clearTimeout(late);
    }
}

const SERVE = [venvProgram("schedule-bridge"), "serve"];

/** Starts a bridge that keeps its files in `folder`, and waits until it is ready. */
export async function startBridge({ folder, port, env = {}, command = SERVE, onLine }) {
    const bridgeEnv = {
        SCHEDULE_BRIDGE_TOKEN_FILE: path.join(folder, "token"),
        SCHEDULE_BRIDGE_DATABASE: path.join(folder, "bridge.db"),
        SCHEDULE_BRIDGE_PORT: String(port),
        ...env,
    };
    const [program, ...args] = command;
    const child = new Child("The bridge", program, args, { env: bridgeEnv, onLine });
    const url = `http://127.0.0.1:${port}`;
    await until("The start of the bridge", async () => {
        child.assertRunning();
        const answer = await fetch(`${url}/readyz`).catch(() => undefined);
        return answer?.ok;
    });
    const token = readFileSync(bridgeEnv.SCHEDULE_BRIDGE_TOKEN_FILE, "utf8").trim();
    return Object.assign(child, { url, token, tokenFile: bridgeEnv.SCHEDULE_BRIDGE_TOKEN_FILE });
}

const SETTINGS = `module.exports = {
    flowFile: "flows.json",
    uiHost: "127.0.0.1",
    credentialSecret: "schedule-trigger",
    telemetry: { enabled: false, updateNotification: false },
    editorTheme: { tours: false, projects: { enabled: false } },
    diagnostics: { enabled: false },
    logging: { console: { level: "info", metrics: false, audit: false } },
    ...(require("node:fs").existsSync(__dirname + "/more-settings.js") ? require("./more-settings.js") : {}),
};
`;

/** Makes a user directory in which Node-RED finds this clone's package, with flows if it has none. */
export function makeUserDir(userDir, flows) {
    const scope = path.join(userDir, "node_modules", path.dirname(PACKAGE));
    mkdirSync(scope, { recursive: true });
    const link = path.join(userDir, "node_modules", PACKAGE);
    if (!existsSync(link)) symlinkSync(root, link, "junction");
    fillUserDir(userDir, flows);
}

/** Gives a user directory that has the package its settings, and flows if it has none. */
export function fillUserDir(userDir, flows) {
    const manifest = { name: "node-red-project", version: "0.0.1", private: true, dependencies: { [PACKAGE]: "*" } };
    writeFileSync(path.join(userDir, "package.json"), JSON.stringify(manifest, null, 4));
    writeFileSync(path.join(userDir, "settings.js"), SETTINGS);
    const flowFile = path.join(userDir, "flows.json");
    if (!existsSync(flowFile)) writeFileSync(flowFile, JSON.stringify(flows, null, 4));
}

/** What Node-RED says once it is up; its flows may be stopped by a person, or by safe mode. */
const UP = /Started flows|Flows sind gestartet|フローを開始しました|Stopped flows|Flows stopped in safe mode/;

/** Starts Node-RED 4 or 5 on a user directory, with a bridge or to run its own, and waits until it is up. */
export async function startNodeRed({ version, userDir, port, bridge, env = {}, onLine }) {
    const args = [nodeRedScript(version), "--userDir", userDir, "--port", String(port)];
    const url = `http://127.0.0.1:${port}`;
    const nodeRedEnv = {
        SCHEDULE_BRIDGE_URL: bridge?.url,
        SCHEDULE_BRIDGE_TOKEN_FILE: bridge?.tokenFile,
        NODE_RED_HOME: "",
        NODE_RED_URL: url,
        ...env,
    };
    const child = new Child(`Node-RED ${version}`, nodeFor(version), args, { env: nodeRedEnv, onLine });
    await until("The start of Node-RED", () => {
        child.assertRunning();
        return child.lines.some((line) => UP.test(line));
    });
    return Object.assign(child, { url, version });
}
