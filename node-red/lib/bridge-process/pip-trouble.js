"use strict";

const { Trouble } = require("./trouble");

/**
 * What pip's words mean, the first that fits. A package that pip did not find for want of a connection is reported
 * after the connection, hence the order.
 * @type {[RegExp, import("./trouble").TroubleKey][]}
 */
const MEANINGS = [
    [/No space left on device|Disk quota exceeded/, "diskFull"],
    [/Read-only file system|Permission denied/, "readOnly"],
    [/ProxyError|Tunnel connection failed|Proxy Authentication Required/, "proxy"],
    [/CERTIFICATE_VERIFY_FAILED/, "certificate"],
    [/connection broken by|ConnectionError|Timeout(Error)?\b|Network is unreachable|name resolution/, "noNetwork"],
    [/No matching distribution found/, "noWheel"],
];

/**
 * Why pip did not install.
 * @param {string} output all that it printed
 * @param {string} directory into which it should have installed
 * @returns {InstanceType<typeof Trouble>}
 */
function pipTrouble(output, directory) {
    const [, key = /** @type {const} */ ("installFailed")] = MEANINGS.find(([words]) => words.test(output)) ?? [];
    const [, wanted = ""] = /No matching distribution found for (\S+)/.exec(output) ?? [];
    return new Trouble(key, { directory, package: wanted, message: lastError(output) });
}

/** @param {string} output */
function lastError(output) {
    const lines = output.split(/\r?\n/).filter((line) => line.trim() !== "");
    return (lines.findLast((line) => line.startsWith("ERROR:")) ?? lines.at(-1) ?? "").replace(/^ERROR: */, "");
}

module.exports = { pipTrouble };
