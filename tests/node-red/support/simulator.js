"use strict";

/** The real simulator, as a program. */
const { spawnSync } = require("node:child_process");
const path = require("node:path");

const ROOT = path.join(__dirname, "../../..");
const PROGRAM =
    process.platform === "win32" ? [".venv", "Scripts", "schedule-bridge.exe"] : [".venv", "bin", "schedule-bridge"];

/**
 * What the simulator prints for scenarios.
 * @param {object[]} scenarios
 * @returns {object[][]} the events of each
 */
function simulated(scenarios) {
    const input = scenarios.map((scenario) => JSON.stringify(scenario)).join("\n");
    const { status, stdout, stderr } = spawnSync(path.join(ROOT, ...PROGRAM), ["simulate", "--lines", "-"], { input, encoding: "utf8" });
    if (status !== 0) throw new Error(`simulate: ${status} ${stderr} ${stdout}`);
    return stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
}

module.exports = { simulated };
