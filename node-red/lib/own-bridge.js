"use strict";

const path = require("node:path");
const os = require("node:os");
const { ManagedBridge } = require("./bridge-process/managed-bridge");

/** The folder of the npm package, which carries the bridge. */
const PACKAGE_ROOT = path.resolve(__dirname, "../..");

/** @type {Record<string, "debug" | "info" | "warn" | "error">} by the bridge's level */
const LEVELS = { debug: "debug", info: "info", warning: "warn", error: "error", critical: "error" };

/** @type {WeakMap<object, InstanceType<typeof ManagedBridge>>} */
const bridges = new WeakMap();

/**
 * The bridge that a Node-RED runs for itself, whichever node asks first. It is not started by this.
 * @param {{events: object, settings: {userDir?: string}, log: any}} RED
 * @returns {InstanceType<typeof ManagedBridge>}
 */
function ownBridgeOf({ events, settings, log }) {
    const known = bridges.get(events);
    if (known) return known;
    const userDir = settings.userDir || path.join(os.homedir(), ".node-red");
    const surroundings = { env: process.env, platform: process.platform, packageRoot: PACKAGE_ROOT };
    const bridge = new ManagedBridge(userDir, surroundings, ({ level, message }) => {
        log[LEVELS[level] ?? "warn"](`[schedule-bridge] ${message}`);
    });
    bridges.set(events, bridge);
    return bridge;
}

module.exports = { ownBridgeOf };
