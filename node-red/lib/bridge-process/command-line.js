"use strict";

const fs = require("node:fs");
const path = require("node:path");

/**
 * Leaves the command line of the bridge beside its database, for the operator: `schedule-bridge why TRIGGER` and the
 * like, which find this bridge without being told. Made at each start, because npm may have moved the package.
 * @param {import("./places").Places} places
 * @param {{platform: NodeJS.Platform, packageRoot: string}} surroundings
 */
function leaveCommandLine({ home, python, database, tokenFile }, { platform, packageRoot }) {
    const settings = {
        PYTHONPATH: path.join(packageRoot, "bridge"),
        SCHEDULE_BRIDGE_DATABASE: database,
        SCHEDULE_BRIDGE_TOKEN_FILE: tokenFile,
    };
    const [name, text] =
        platform === "win32"
            ? ["schedule-bridge.cmd", batchFile(settings, python)]
            : ["schedule-bridge", shellScript(settings, python)];
    fs.writeFileSync(path.join(home, name), text, { mode: 0o700 });
}

/**
 * @param {Record<string, string>} settings
 * @param {string} python
 */
function shellScript(settings, python) {
    const quoted = (/** @type {string} */ text) => `'${text.replaceAll("'", "'\\''")}'`;
    const lines = Object.entries(settings).map(([name, value]) => `export ${name}=${quoted(value)}`);
    return ["#!/bin/sh", ...lines, `exec ${quoted(python)} -m schedule_bridge "$@"`, ""].join("\n");
}

/**
 * @param {Record<string, string>} settings
 * @param {string} python
 */
function batchFile(settings, python) {
    const plain = (/** @type {string} */ text) => text.replaceAll("%", "%%");
    const lines = Object.entries(settings).map(([name, value]) => `set "${name}=${plain(value)}"`);
    return ["@echo off", "setlocal", ...lines, `"${plain(python)}" -m schedule_bridge %*`, ""].join("\r\n");
}

module.exports = { leaveCommandLine };
