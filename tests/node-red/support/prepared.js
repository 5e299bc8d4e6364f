"use strict";

const { createHash } = require("node:crypto");
const { once } = require("node:events");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { version } = require("../../../package.json");
const { ManagedBridge } = require("../../../node-red/lib/bridge-process/managed-bridge");
const { placesIn } = require("../../../node-red/lib/bridge-process/places");

const ROOT = path.resolve(__dirname, "../../..");

/** The virtual environment of this clone stands for one that a first use has made. */
const VENV = path.join(ROOT, ".venv");

/** The environment, without what would make a managed bridge another one. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("SCHEDULE_BRIDGE_")));

const surroundings = Object.freeze({ env, platform: process.platform, packageRoot: ROOT });

function emptyFolder() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "managed-"));
    return { folder, remove: () => fs.rmSync(folder, { recursive: true, force: true }) };
}

/** The version of Python in this clone's virtual environment, such as "3.11". */
function pythonVersion() {
    const lines = fs.readFileSync(path.join(VENV, "pyvenv.cfg"), "utf8");
    return /^version\S* = (\d+\.\d+)/m.exec(lines)?.[1] ?? "";
}

/**
 * Makes a user directory one in which the bridge is set up, but was never started.
 * @param {string} userDir
 * @param {object} [stamped] what differs from what the package wants
 */
function prepare(userDir, stamped = {}) {
    const { home, venv, stamp } = placesIn(userDir);
    fs.mkdirSync(home, { mode: 0o700 });
    fs.symlinkSync(VENV, venv, "junction");
    const lock = createHash("sha256").update(fs.readFileSync(path.join(ROOT, "requirements.lock"))).digest("hex");
    const whole = { package: version, lock, python: pythonVersion(), ...stamped };
    fs.writeFileSync(stamp, JSON.stringify(whole), { mode: 0o600 });
}

/** Owns a managed bridge as a Node-RED does, with little patience. */
class Owner {
    /** @type {import("../../../node-red/lib/bridge-process/bridge-process").Line[]} */
    lines = [];
    // The bridge keeps no process from ending, a test neither.
    #awake = setInterval(() => {}, 60_000);

    /**
     * @param {string} userDir
     * @param {NodeJS.ProcessEnv} [more] of the environment
     */
    constructor(userDir, more = {}) {
        const soon = { first: 200, most: 1000 };
        const timing = { setUp: soon, start: soon };
        this.bridge = new ManagedBridge(userDir, { ...surroundings, env: { ...env, ...more } }, (line) => this.lines.push(line), timing);
    }

    /** Ends the bridge and waits until its process is gone. */
    close = async () => {
        this.bridge.stop();
        while (this.bridge.pid) await once(this.bridge, "change");
        clearInterval(this.#awake);
    };
}

module.exports = { ROOT, VENV, emptyFolder, prepare, Owner };
