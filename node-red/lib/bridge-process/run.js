"use strict";

const { spawn } = require("node:child_process");

/** Characters of output that are kept: the end of it says what went wrong. */
const KEPT = 100_000;

/** Settings of a Python that is not ours; they would mix its modules into the bridge's. */
const FOREIGN = Object.freeze(["PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "__PYVENV_LAUNCHER__"]);

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv} for a Python of ours; settings for pip and proxies stay
 */
function pythonEnv(env) {
    const kept = Object.entries(env).filter(([name]) => !FOREIGN.includes(name.toUpperCase()));
    return { ...Object.fromEntries(kept), PYTHONNOUSERSITE: "1", PYTHONUTF8: "1" };
}

/**
 * Runs a Python to its end. It does not outlive this process, unless this process is killed.
 * @param {string[]} command a program and its arguments
 * @param {NodeJS.ProcessEnv} env
 * @param {AbortSignal} [signal] ends it
 * @returns {Promise<{ok: boolean, output: string}>} once it is gone; `output` is empty where there is no such program
 */
function run([program, ...args], env, signal) {
    if (signal?.aborted) return Promise.resolve({ ok: false, output: "" });
    return new Promise((resolve) => {
        const child = spawn(program, args, { env: pythonEnv(env), stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
        const kill = () => child.kill();
        process.once("exit", kill);
        signal?.addEventListener("abort", kill, { once: true });
        let output = "";
        /** @param {boolean} ok */
        const settle = (ok) => {
            process.off("exit", kill);
            signal?.removeEventListener("abort", kill);
            resolve({ ok, output });
        };
        for (const stream of [child.stdout, child.stderr]) {
            stream.setEncoding("utf8").on("data", (text) => (output = (output + text).slice(-KEPT)));
        }
        child.once("error", () => settle(false));
        child.once("close", (code) => settle(code === 0));
    });
}

module.exports = { pythonEnv, run };
