"use strict";

const { spawn } = require("node:child_process");
const path = require("node:path");
const { createInterface } = require("node:readline");
const { pythonEnv } = require("./run");

/**
 * A line of the bridge's log.
 * @typedef {{level: "debug" | "info" | "warning" | "error" | "critical", message: string, url?: string}} Line
 */

/**
 * Whom a bridge's process tells.
 * @typedef {object} Listener
 * @property {(url: string) => void} onListening once, when it can be reached
 * @property {(line: Line) => void} onLine
 * @property {() => void} onEnd once, after its last line
 */

/**
 * Starts a bridge, which ends when this process does, however that comes about: it watches the pipe that is its
 * standard input. It keeps nobody from ending.
 * @param {import("./places").Places} places
 * @param {{env: NodeJS.ProcessEnv, packageRoot: string}} surroundings
 * @param {Listener} listener
 * @returns {{pid: number | undefined, stop(): void}}
 */
function startBridge(places, { env, packageRoot }, listener) {
    const child = spawn(places.python, serveArguments(places), {
        cwd: places.home,
        env: bridgeEnv(places, env, packageRoot),
        stdio: ["pipe", "ignore", "pipe"],
        windowsHide: true,
    });
    child.unref();
    for (const pipe of [child.stdin, child.stderr]) /** @type {import("node:net").Socket} */ (pipe).unref();
    child.stdin.on("error", () => {}); // the bridge has ended, which is told below
    listen(child, listener);
    return { pid: child.pid, stop: () => child.stdin.end() };
}

/** @param {import("./places").Places} places */
function serveArguments({ database, tokenFile }) {
    const own = ["--host", "127.0.0.1", "--port", "0", "--database", database, "--token-file", tokenFile];
    return ["-m", "schedule_bridge", "serve", "--exit-with-parent", ...own];
}

/**
 * @param {import("./places").Places} places
 * @param {NodeJS.ProcessEnv} env
 * @param {string} packageRoot
 */
function bridgeEnv({ bytecode }, env, packageRoot) {
    return { ...pythonEnv(env), PYTHONPATH: path.join(packageRoot, "bridge"), PYTHONPYCACHEPREFIX: bytecode };
}

/**
 * @param {import("node:child_process").ChildProcessByStdio<any, null, import("node:stream").Readable>} child
 * @param {Listener} listener
 */
function listen(child, { onListening, onLine, onEnd }) {
    createInterface({ input: child.stderr }).on("line", (text) => {
        const line = readLine(text);
        onLine(line);
        if (line.url) onListening(line.url);
    });
    child.once("error", ({ message }) => onLine({ level: "error", message }));
    child.once("close", onEnd);
}

/**
 * @param {string} text what is no line of the log is Python's own word, such as a traceback
 * @returns {Line}
 */
function readLine(text) {
    try {
        const { level, message, url, traceback } = JSON.parse(text);
        return { level, url, message: traceback ? `${message}\n${traceback}` : message };
    } catch {
        return { level: "warning", message: text };
    }
}

module.exports = { startBridge };
