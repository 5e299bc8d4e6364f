"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { test } = require("node:test");
const { backOff } = require("../../node-red/lib/back-off");
const { ManagedBridge } = require("../../node-red/lib/bridge-process/managed-bridge");
const { briefTime, localTime } = require("../../node-red/lib/clock-words");
const { configuredConnection, managedConnection, parseUrls } = require("../../node-red/lib/connection");
const identity = require("../../node-red/lib/identity");
const { after, sleep } = require("../../node-red/lib/timers");
const { Outbox } = require("../../node-red/lib/outbox");
const { closeProblem, protocolProblem } = require("../../node-red/lib/protocol");
const { runEnd } = require("../../node-red/lib/run-end");
const { runPayload } = require("../../node-red/lib/run-payload");
const { dataDirectory, readToken, tokenFile } = require("../../node-red/lib/token-file");
const { readInput } = require("../../node-red/lib/trigger-input");
const { Turns } = require("../../node-red/lib/turns");
const { offer } = require("./support/peer");

const surroundings = { env: {}, platform: process.platform, packageRoot: "/nowhere" };
/** Never started. */
const managed = new ManagedBridge("/nowhere", surroundings, () => {});

test("the wait before an attempt doubles, is bounded and is spread by chance", () => {
    const bounds = { first: 100, most: 1000 };
    const waits = [1, 2, 3, 4, 5, 90].map((attempt) => backOff(attempt, bounds, () => 1));
    assert.deepEqual(waits, [100, 200, 400, 800, 1000, 1000]);
    assert.equal(
        backOff(1, bounds, () => 0),
        50,
    );
});

test("an instant is said as briefly as it can be, in the zone asked for", () => {
    const place = { now: Date.parse("2026-03-04T12:00:00Z"), timeZone: "Asia/Tokyo" };
    const said = {
        "2026-03-04T12:20:00Z": "21:20",
        "2026-03-04T12:20:05Z": "21:20:05",
        "2026-03-04T15:00:00Z": "Thu 00:00",
        "2026-03-20T00:00:00Z": "20 Mar",
    };
    for (const [instant, words] of Object.entries(said)) assert.equal(briefTime(instant, place), words);
    assert.equal(localTime(place.now, "Asia/Kathmandu"), "2026-03-04T17:45:00");
});

test("ids are scoped by the Node-RED; a workflow with a name of the author's is not", () => {
    const node = { id: "n", z: "tab" };
    assert.equal(identity.triggerId("nr", "n"), "nr.n");
    assert.equal(identity.workflowId("nr", { ...node, workflowId: "" }), "nr.n");
    assert.equal(identity.workflowId("nr", { ...node, workflowId: "flow" }), "nr.tab");
    assert.equal(identity.workflowId("nr", { ...node, workflowId: "invoices" }), "invoices");
    assert.equal(identity.clientId("nr", identity.MANAGED, "default"), "nr.managed.default");
});

test("a Node-RED that cannot keep settings goes by its host's name", () => {
    assert.equal(identity.instanceName({ available: () => true, get: () => "abc" }), "abc");
    assert.equal(identity.instanceName({ available: () => false, get: () => assert.fail() }), os.hostname());
});

for (const { platform, env, directory } of [
    { platform: "linux", env: {}, directory: "/home/me/.local/share/schedule-bridge" },
    { platform: "linux", env: { XDG_DATA_HOME: "/data" }, directory: "/data/schedule-bridge" },
    { platform: "darwin", env: {}, directory: "/home/me/Library/Application Support/schedule-bridge" },
    { platform: "win32", env: { LOCALAPPDATA: "C:\\Local" }, directory: "C:\\Local\\schedule-bridge" },
]) {
    test(`the bridge's data lie in ${directory} on ${platform}`, () => {
        const surroundings = { platform: /** @type {NodeJS.Platform} */ (platform), env, home: "/home/me" };
        assert.equal(dataDirectory(surroundings), directory);
    });
}

test("the token comes from the environment, else from the file that it names", (context) => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "token-"));
    context.after(() => fs.rmSync(directory, { recursive: true }));
    const file = path.join(directory, "token");
    /** @param {NodeJS.ProcessEnv} env */
    const place = (env) => ({ env, platform: process.platform, home: directory });
    const named = place({ SCHEDULE_BRIDGE_TOKEN_FILE: file });
    assert.equal(tokenFile(named), file);
    assert.equal(readToken(named), "");
    fs.writeFileSync(file, "from file\n");
    assert.equal(readToken(named), "from file");
    assert.equal(readToken(place({ SCHEDULE_BRIDGE_TOKEN: "from env", SCHEDULE_BRIDGE_TOKEN_FILE: file })), "from env");
});

test("several bridges are several addresses; what is no address is refused", () => {
    assert.deepEqual(parseUrls("http://a:1/, https://b"), ["http://a:1", "https://b"]);
    assert.throws(() => parseUrls("ftp://a"), TypeError);
    assert.throws(() => parseUrls("nonsense"), TypeError);
});

test("a managed bridge is where the environment says, else the one that this Node-RED runs", () => {
    const there = managedConnection(managed, { SCHEDULE_BRIDGE_URL: "http://bridge:80" });
    assert.deepEqual([there.urls, there.managed], [["http://bridge:80"], undefined]);
    const own = managedConnection(managed, {});
    assert.deepEqual([own.urls, own.token(), own.managed], [[], "", managed]);
});

test("a configuration node in managed mode leads to this Node-RED's own bridge, in its own workspace", () => {
    const config = { id: "b", mode: "managed", url: "http://ignored", workspaceId: "house" };
    const { bridgeNodeId, workspaceId, managed: bridge } = configuredConnection(config, { token: "ignored" }, managed);
    assert.deepEqual([bridgeNodeId, workspaceId, bridge], ["b", "house", managed]);
});

test("a configuration node's own token goes before the token file", () => {
    const config = { id: "b", mode: "url", url: "http://a", workspaceId: "house" };
    const { urls, workspaceId, bridgeNodeId, token } = configuredConnection(config, { token: "mine" }, managed);
    assert.deepEqual([urls, workspaceId, bridgeNodeId, token()], [["http://a"], "house", "b", "mine"]);
});

test("a limit may be a number or its text, none leaves the workspace alone", () => {
    const limit = (/** @type {unknown} */ value) =>
        configuredConnection({ id: "b", maxConcurrentExecutions: value }, {}, managed).maxConcurrentExecutions;
    assert.deepEqual(["", undefined, "0", 3, " 4 "].map(limit), [undefined, undefined, 0, 3, 4]);
    for (const value of ["many", -1, 1.5, {}]) assert.throws(() => limit(value), RangeError);
});

test("protocols and close codes say what is wrong", () => {
    assert.equal(protocolProblem(1), undefined);
    assert.equal(protocolProblem(2), "nodeTooOld");
    assert.equal(protocolProblem("x"), "bridgeTooOld");
    assert.deepEqual([4001, 4002, 4003, 1006].map(closeProblem), ["otherProtocol", "bridgeAway", "copied", "bridgeAway"]);
});

test("an outbox keeps frames in order until each is answered, once", () => {
    const outbox = new Outbox();
    /** @type {any[]} */
    const replies = [];
    const first = outbox.add({ type: "started" }, (reply) => replies.push(reply));
    const second = outbox.add({ type: "finished" });
    assert.deepEqual(outbox.frames, [first, second]);
    outbox.settle({ re: 1, confirmed: true });
    outbox.settle({ re: 1, confirmed: true });
    outbox.settle({ re: 99 });
    assert.deepEqual(outbox.frames, [second]);
    assert.equal(replies.length, 1);
});

test("a run fails where msg.error is there, unless the node says otherwise", () => {
    assert.deepEqual(runEnd({}, "auto"), { outcome: "completed" });
    assert.deepEqual(runEnd({ error: { message: "no paper" } }, "auto"), { outcome: "failed", error: "no paper" });
    assert.deepEqual(runEnd({ error: "no ink" }, "failed"), { outcome: "failed", error: "no ink" });
    assert.deepEqual(runEnd({}, "failed"), { outcome: "failed" });
    assert.deepEqual(runEnd({ error: "ignored" }, "completed"), { outcome: "completed" });
    assert.equal(runEnd({ error: "x".repeat(9000) }, "auto").error?.length, 1000);
});

test("a decided payload is used as it is; the trigger's own is made where there is none", async () => {
    const refuse = () => assert.fail("must not be evaluated");
    const decided = offer("e", "t", { payload: 0 });
    assert.equal(await runPayload(decided, { payload: "", payloadType: "date" }, refuse), 0);
    const tick = offer("e", "t");
    assert.equal(await runPayload(tick, { payload: "", payloadType: "date" }, refuse), Date.UTC(2026, 0));
    assert.equal(await runPayload(tick, { payload: "", payloadType: "json" }, refuse), null);
    assert.equal(await runPayload(tick, { payload: "x", payloadType: "flow" }, async (value) => `flow ${value}`), "flow x");
});

test("a message fires with its payload, lock key and priority", () => {
    const firing = { source: "input", payload: 1, lockKey: "k", priority: 2 };
    assert.deepEqual(readInput({ payload: 1, lockKey: "k", priority: "2" }, "configured"), { firing });
    const bare = { source: "input", payload: undefined, lockKey: "7", priority: undefined };
    assert.deepEqual(readInput({ topic: "pause" }, 7), { firing: bare });
});

test("msg.schedule is a command, never a firing", () => {
    assert.deepEqual(readInput({ schedule: { do: "pause" } }, undefined), { command: "pause" });
    assert.deepEqual(readInput({ schedule: "runNow" }, undefined), { unknownCommand: undefined });
    const all = { command: "cancel" };
    assert.deepEqual(readInput({ schedule: { do: "cancel", executionId: null } }, undefined), all);
    assert.deepEqual(readInput({ schedule: { do: "cancel", executionId: "" } }, undefined), { ...all, executionId: "" });
    assert.deepEqual(readInput({ schedule: { do: "toString" } }, undefined), { unknownCommand: "toString" });
});

test("turns are taken in order, whether or not one of them fails", async () => {
    const turns = new Turns();
    /** @type {string[]} */
    const done = [];
    const slow = turns.take(() => new Promise((resolve) => setTimeout(() => resolve(done.push("slow")), 5)));
    const failing = turns.take(() => Promise.reject(new Error("no")));
    const quick = turns.take(async () => done.push("quick"));
    await assert.rejects(failing, /no/);
    await Promise.all([slow, quick]);
    assert.deepEqual(done, ["slow", "quick"]);
});

test("a timer told to wait for longer than timers can does not act at once", async () => {
    let acts = 0;
    const timer = after(1e12, () => (acts += 1));
    await sleep(50);
    clearTimeout(timer);
    assert.equal(acts, 0);
});
