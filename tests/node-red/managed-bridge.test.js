"use strict";

const assert = require("node:assert/strict");
const { once } = require("node:events");
const { execFile } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { after, before, describe, test } = require("node:test");
const { promisify } = require("node:util");
const { ask } = require("../../node-red/lib/bridge-http");
const { placesIn } = require("../../node-red/lib/bridge-process/places");
const { version } = require("../../package.json");
const { Owner, prepare, emptyFolder } = require("./support/prepared");
const { until } = require("./support/until");

/** @typedef {InstanceType<typeof Owner>["bridge"]} Bridge */

/** @param {Bridge} bridge */
async function running(bridge) {
    while (!bridge.url) await once(bridge, "change");
    return { url: bridge.url, pid: bridge.pid };
}

describe("a managed bridge", { timeout: 120_000 }, () => {
    const { folder: userDir, remove } = emptyFolder();
    const { home, database, tokenFile, stamp } = placesIn(userDir);
    prepare(userDir, { package: "0.0.0" });
    const { bridge, lines, close } = new Owner(userDir);
    /** @type {any[]} */
    const steps = [];
    /** @type {number | undefined} */
    let pid;

    function preview() {
        const body = { schedule: { kind: "interval", every: 60 }, count: 1 };
        return ask({ url: bridge.urls[0], token: bridge.token() }, "POST", "/v1/schedules/preview", { body });
    }

    before(async () => {
        bridge.on("change", () => steps.push(bridge.inTheWay?.values.step));
        for (let times = 0; times < 3; times += 1) bridge.start();
        ({ pid } = await running(bridge));
    });

    after(() => close().then(remove));

    test("is updated in place for another version of the package, not set up anew", () => {
        assert.deepEqual(steps, [2, 3, undefined]);
        assert.equal(JSON.parse(fs.readFileSync(stamp, "utf8")).package, version);
    });

    test("answers at a free port to a token of its own", async () => {
        assert.equal((await preview()).ticks.length, 1);
    });

    test("keeps its files to their owner", () => {
        const modes = [home, database, tokenFile, stamp].map((file) => fs.statSync(file).mode & 0o777);
        assert.deepEqual(modes, [0o700, 0o600, 0o600, 0o600]);
    });

    test("is one, however often it is asked to start", async () => {
        bridge.start();
        await bridge.settled(1000);
        assert.equal(bridge.pid, pid);
        assert.equal(lines.filter(({ message }) => message.includes("listens")).length, 1);
    });

    test("leaves a command line for its operator, which finds it", async () => {
        const command = path.join(home, "schedule-bridge");
        const { stdout } = await promisify(execFile)(command, ["status", "--json"]);
        assert.equal(JSON.parse(stdout).triggers.length, 0);
    });

    test("is started again when it is killed, with its token", async () => {
        const token = bridge.token();
        process.kill(Number(pid), "SIGKILL");
        await until(() => bridge.urls.length === 0);
        assert.notEqual((await running(bridge)).pid, pid);
        assert.equal(bridge.token(), token);
        await preview();
    });
});

test("a managed bridge that cannot start says why, once, and comes up when it can", { timeout: 120_000 }, async (context) => {
    const { folder: userDir, remove } = emptyFolder();
    prepare(userDir);
    const { tokenFile } = placesIn(userDir);
    fs.writeFileSync(tokenFile, "x".repeat(40), { mode: 0o644 });
    const { bridge, lines, close } = new Owner(userDir);
    context.after(() => close().then(remove));
    /** @type {any[]} */
    const troubles = [];
    bridge.on("trouble", (trouble) => troubles.push(trouble));
    bridge.start();
    const complaints = () => lines.filter(({ level }) => level === "error");
    await until(() => complaints().length > 1);
    const message = `Others can read ${tokenFile}. Run: chmod 600 ${tokenFile}`;
    assert.deepEqual(troubles, [{ key: "startFailed", values: { message } }]);
    assert.deepEqual(bridge.inTheWay, troubles[0]);
    fs.chmodSync(tokenFile, 0o600);
    await running(bridge);
    assert.equal(bridge.inTheWay, undefined);
});
