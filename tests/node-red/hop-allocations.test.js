"use strict";

const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const path = require("node:path");
const test = require("node:test");

const SCRIPT = path.resolve(__dirname, "../../bench/contestants/hops.mjs");
/** With room for all that the rounds leave behind, nothing is collected while it is counted. */
const UNCOLLECTED = ["--expose-gc", "--min-semi-space-size=64", "--max-semi-space-size=64"];
/** Bytes that a hop may leave for the garbage collector beyond what Node-RED itself leaves. */
const LIMITS = { "without a run": 1300, "of a run": 3200 };

/** @param {string} version of Node-RED */
function bytesOfAHop(version) {
    const ran = spawnSync(process.execPath, [...UNCOLLECTED, SCRIPT, version, "bytes"], { encoding: "utf8" });
    assert.equal(ran.status, 0, ran.stderr);
    return JSON.parse(ran.stdout.trim().split("\n").at(-1) ?? "");
}

for (const version of ["4", "5"]) {
    test(`tracking leaves little for the garbage collector at each hop, in Node-RED ${version}`, (t) => {
        const measured = bytesOfAHop(version);
        t.diagnostic(JSON.stringify(measured));
        for (const [kind, limit] of Object.entries(LIMITS)) {
            assert.ok(measured[kind] <= limit, `a message ${kind}: ${measured[kind]} bytes a hop, at most ${limit}`);
        }
    });
}
