"use strict";

const path = require("node:path");

/**
 * Where a managed bridge keeps what is its own.
 * @typedef {object} Places
 * @property {string} home the folder that holds all of it, readable by its owner only
 * @property {string} venv its virtual environment
 * @property {string} python the Python of that
 * @property {string} stamp what was installed there
 * @property {string} bytecode compiled modules, so that the folder of the package stays as npm left it
 * @property {string} database
 * @property {string} tokenFile
 */

/**
 * @param {string} userDir Node-RED's
 * @param {NodeJS.Platform} [platform]
 * @returns {Places}
 */
function placesIn(userDir, platform = process.platform) {
    const home = path.join(userDir, "schedule-bridge");
    const venv = path.join(home, "venv");
    return {
        home,
        venv,
        python: platform === "win32" ? path.join(venv, "Scripts", "python.exe") : path.join(venv, "bin", "python"),
        stamp: path.join(home, "installed.json"),
        bytecode: path.join(home, "bytecode"),
        database: path.join(home, "bridge.db"),
        tokenFile: path.join(home, "token"),
    };
}

module.exports = { placesIn };
