"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

/**
 * @typedef {object} Surroundings
 * @property {NodeJS.ProcessEnv} env
 * @property {NodeJS.Platform} platform
 * @property {string} home
 */

/** @returns {Surroundings} */
function here() {
    return { env: process.env, platform: process.platform, home: os.homedir() };
}

/**
 * Where the bridge keeps its data on this platform.
 * @param {Surroundings} [surroundings]
 * @returns {string}
 */
function dataDirectory({ env, platform, home } = here()) {
    if (platform === "win32") {
        return path.win32.join(env.LOCALAPPDATA || path.win32.join(home, "AppData", "Local"), "schedule-bridge");
    }
    if (platform === "darwin") return path.posix.join(home, "Library", "Application Support", "schedule-bridge");
    return path.posix.join(env.XDG_DATA_HOME || path.posix.join(home, ".local", "share"), "schedule-bridge");
}

/**
 * The file in which the bridge leaves its token.
 * @param {Surroundings} [surroundings]
 * @returns {string}
 */
function tokenFile(surroundings = here()) {
    return surroundings.env.SCHEDULE_BRIDGE_TOKEN_FILE || path.join(dataDirectory(surroundings), "token");
}

/**
 * The bridge's token, read anew at each call because a bridge may be set up after Node-RED was started.
 * @param {Surroundings} [surroundings]
 * @returns {string} "" when there is none to be read
 */
function readToken(surroundings = here()) {
    if (surroundings.env.SCHEDULE_BRIDGE_TOKEN) return surroundings.env.SCHEDULE_BRIDGE_TOKEN;
    try {
        return fs.readFileSync(tokenFile(surroundings), "utf8").trim();
    } catch {
        return "";
    }
}

module.exports = { dataDirectory, tokenFile, readToken };
