"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Deployed, flow } = require("./support/deployed");
const { offer } = require("./support/peer");
const { until } = require("./support/until");

const LIMIT = { timeout: 20_000 };
const WARN = 30;
const ERROR = 20;

const house = new Deployed();
const { node, peer } = house;
const known = house.known.bind(house);
const run = house.run.bind(house);
const fire = house.fire.bind(house);
const deployTrigger = house.deploy.bind(house);
const last = (/** @type {any[]} */ list) => list[list.length - 1];

test("declares a trigger as its properties say, defaults filled in", LIMIT, async () => {
    await deployTrigger({ name: "fetch", every: "2", everyUnit: "hours", workflowId: "flow" });
    const [trigger] = last(peer.frames).triggers;
    assert.equal(peer.connections[0].get("clientId"), `${node.instance}.managed.default`);
    assert.deepEqual(trigger, {
        triggerId: known("t"),
        clientId: `${node.instance}.managed.default`,
        workspaceId: "default",
        workflowId: known("tab"),
        name: "fetch",
        schedule: { kind: "interval", every: 7200 },
        ...{ overlapPolicy: "skip", maxConcurrent: 1, maxRunMinutes: 0 },
        ...{ priority: 5, delaySeconds: 0, lockKey: null, lockKeys: [], catchUp: "none", catchUpWindowSeconds: 3600 },
        payload: null,
    });
});

test("a run's message carries the run and the time of its tick", LIMIT, async () => {
    await deployTrigger();
    const message = await run("a1");
    assert.equal(message.payload, Date.parse("2026-01-01T00:00:00Z"));
    assert.deepEqual(Object.keys(message.run).sort(), [
        ...["deadline", "executionId", "fencingToken", "lockKey", "mergedFirings", "scheduledAt", "source"],
        ...["startedAt", "triggerId", "workflowId", "workspaceId"],
    ]);
    assert.deepEqual(node.received("out2"), []);
    assert.equal(node.statusOf("t").text, "running 1");
});

test("static payloads are declared, dynamic ones are read when the run starts", LIMIT, async () => {
    await deployTrigger({ payload: '{"a":1}', payloadType: "json" });
    assert.deepEqual(last(peer.frames).triggers[0].payload, { a: 1 });
    await deployTrigger({ payload: "$string(6 * 7) & run.source", payloadType: "jsonata" });
    assert.equal(last(peer.frames).triggers[0].payload, null);
    assert.equal((await run("b1")).payload, "42schedule");
});

test("a payload that cannot be made ends the run as failed, with the reason", LIMIT, async () => {
    await deployTrigger({ payload: "$nonsense(", payloadType: "jsonata" });
    peer.send(offer("c1", known("t")));
    const end = await peer.frame("finished");
    assert.equal(end.outcome, "failed");
    assert.match(end.error, /could not be made/);
});

test("a finish node ends the run and passes the message on; a second one changes nothing", LIMIT, async () => {
    await deployTrigger();
    const message = await run("d1");
    node.RED.nodes.getNode("f").receive({ ...message, error: { message: "no paper" } });
    const end = await peer.frame("finished");
    assert.deepEqual([end.executionId, end.outcome, end.error], ["d1", "failed", "no paper"]);
    node.RED.nodes.getNode("f").receive(message);
    await until(() => node.received("passed").length === 2);
    assert.equal(node.statusOf("f").text, "run already over");
    assert.equal(peer.frames.filter(({ type }) => type === "finished").length, 1);
});

test("a finish node warns of a message that belongs to no run, and passes it on", LIMIT, async () => {
    await deployTrigger();
    node.RED.nodes.getNode("f").receive({ payload: "lost" });
    await until(() => node.received("passed").length);
    assert.match(last(node.logged(WARN)), /belongs to no run/);
});

test("a message that starts a run goes out itself", LIMIT, async () => {
    await deployTrigger();
    const response = { end: () => {} };
    peer.answer = () => ({ body: { decisions: [{ decision: "started", executionId: "e1", message: "" }] } });
    fire({ payload: { a: 1 }, res: response, topic: "orders", lockKey: "k", priority: "3" });
    await until(() => peer.requests.length);
    const [{ headers, body }] = peer.requests;
    assert.deepEqual(body, { source: "input", payload: { a: 1 }, lockKey: "k", priority: 3 });
    const more = { firingKey: headers["idempotency-key"], source: "input", payload: { a: 1, merged: true } };
    const message = await run("e1", more);
    assert.equal(message.res, response);
    assert.deepEqual([message.topic, message.payload], ["orders", { a: 1, merged: true }]);
});

test("output 2 tells what was decided about a message with all that it has, as a message of no run", LIMIT, async () => {
    await deployTrigger();
    const response = { end: () => {} };
    const decision = { triggerId: known("t"), firingId: "1", decision: "skipped", decidedAt: "now", message: "Skipped: …" };
    peer.answer = () => ({ body: { decisions: [decision] } });
    await run("outer");
    fire({ payload: { a: 1 }, res: response, topic: "orders", run: node.received("out1")[0].run });
    const [message] = await until(() => node.received("out2").length && node.received("out2"));
    assert.deepEqual([message.payload, message.topic, message.res, message.run], [decision, "orders", response, undefined]);
    peer.send({ type: "decision", decision });
    peer.send({ type: "decision", decision: { ...decision, firingId: "2" } });
    await until(() => node.received("out2").length > 1);
    assert.deepEqual(node.received("out2").map(({ payload, topic }) => [payload.firingId, topic]), [["1", "orders"], ["2", undefined]]);
});

test("msg.schedule commands the trigger instead of firing it", LIMIT, async () => {
    await deployTrigger();
    for (const word of ["pause", "resume", "runNow"]) fire({ schedule: { do: word } });
    await until(() => peer.requests.length === 3);
    const base = `/v1/triggers/${known("t")}`;
    const paths = peer.requests.map(({ path }) => path).sort();
    assert.deepEqual(paths, [`${base}/fire`, `${base}/pause`, `${base}/resume`]);
    assert.deepEqual(peer.requests.find(({ path }) => path.endsWith("/fire"))?.body, { source: "manual" });
    fire({ schedule: { do: "explode" } });
    await until(() => node.logged(ERROR).length);
    assert.match(node.logged(ERROR)[0], /“explode” is no command/);
});

test("output 2 tells every decision but a start, and the status counts the skips", LIMIT, async () => {
    await deployTrigger();
    await run("g1");
    const decision = { triggerId: known("t"), firingId: "1", message: "Skipped: …", activeExecutions: ["g1"] };
    peer.send({ type: "decision", decision: { ...decision, decision: "started", executionId: "g1" } });
    peer.send({ type: "decision", decision: { ...decision, decision: "skipped", reason: "active" } });
    await until(() => node.received("out2").length);
    assert.equal(node.received("out2").length, 1);
    assert.equal(node.received("out2")[0].payload.decision, "skipped");
    assert.equal(node.statusOf("t").text, "running, skipped 1");
});

test("output 2 tells an end that the bridge made, and an expiry is warned of", LIMIT, async () => {
    await deployTrigger();
    await run("h1");
    peer.send({ type: "execution.ended", executionId: "h1", triggerId: known("t"), outcome: "expired", reason: "deadline" });
    await until(() => node.received("out2").length);
    const [{ payload, run: none }] = node.received("out2");
    assert.deepEqual([payload.outcome, payload.run.executionId, none], ["expired", "h1", undefined]);
    assert.match(last(node.logged(WARN)), /h1 reached its deadline/);
});

test("the status says the next run, and a pause", LIMIT, async () => {
    await deployTrigger({ scheduleKind: "cron", cron: "20 14 * * *", timezone: "Asia/Tokyo" });
    const news = { type: "news", executions: [], workspace: {} };
    const nextRun = "2100-01-01T05:20:00.000Z";
    peer.send({ ...news, triggers: [{ triggerId: known("t"), nextRun, pausedSince: null, warnings: [] }] });
    await until(() => node.statusOf("t")?.text === "next 1 Jan");
    const pausedSince = new Date().toISOString();
    peer.send({ ...news, triggers: [{ triggerId: known("t"), nextRun, pausedSince, warnings: [] }] });
    await until(() => node.statusOf("t")?.text?.startsWith("paused since "));
});

test("an invalid property shows on the node, and the trigger is not declared", LIMIT, async () => {
    await node.deploy([...flow({ every: "often" }), { id: "good", type: "schedule-trigger", z: "tab", wires: [] }]);
    const here = await peer.frame("here");
    assert.deepEqual(
        here.triggers.map((/** @type {any} */ { triggerId }) => triggerId),
        [known("good")],
    );
    assert.deepEqual([node.statusOf("t").fill, node.statusOf("t").text], ["red", "bad interval"]);
    assert.match(node.logged(ERROR)[0], /“often”/);
});

test("what the bridge does not accept shows on the node", LIMIT, async () => {
    const errors = [{ pointer: "/schedule/expression", message: "Hour 25 does not exist." }];
    peer.reply = () => ({ detached: [], invalid: [{ triggerId: known("t"), errors }] });
    await deployTrigger({ scheduleKind: "cron", cron: "0 25 * * *" });
    await until(() => node.statusOf("t")?.text === "bad cron expression");
    assert.match(node.logged(ERROR)[0], /Hour 25 does not exist/);
});

test("an unknown policy is declared as it is, with a warning (R11)", LIMIT, async () => {
    await deployTrigger({ overlapPolicy: "Skip" });
    assert.equal(last(peer.frames).triggers[0].overlapPolicy, "Skip");
    await until(() => node.statusOf("t")?.text === "unknown policy");
    assert.match(node.logged(WARN)[0], /“Skip” is no overlap policy/);
});

test("a deploy keeps the stream, and says away and here", LIMIT, async () => {
    await deployTrigger();
    await node.deploy([...flow(), { id: "tab2", type: "tab" }], "nodes");
    await peer.framesOf("here", 2);
    assert.deepEqual(
        peer.frames.map(({ type }) => type),
        ["here", "away", "here"],
    );
    assert.equal(peer.connections.length, 1);
});

test("a removed trigger is missing from the set; without any the client says so and closes", LIMIT, async () => {
    await deployTrigger();
    await node.deploy([]);
    const heres = await peer.framesOf("here", 2);
    assert.deepEqual(last(heres).triggers, []);
    await until(() => !peer.isConnected);
});

test("triggers in two instances of a subflow are two triggers", LIMIT, async () => {
    await node.deploy([
        { id: "sub", type: "subflow", name: "s", in: [], out: [] },
        { id: "st", type: "schedule-trigger", z: "sub", workflowId: "flow", wires: [[], []] },
        { id: "tab", type: "tab" },
        { id: "s1", type: "subflow:sub", z: "tab", wires: [] },
        { id: "s2", type: "subflow:sub", z: "tab", wires: [] },
    ]);
    const { triggers } = await peer.frame("here");
    assert.deepEqual(
        triggers.map((/** @type {any} */ { triggerId, workflowId }) => [triggerId, workflowId]),
        ["s1", "s2"].map((id) => [known(`${id}-st`), known(id)]),
    );
});

test("a configuration node has a client of its own, with its token and workspace", LIMIT, async () => {
    const bridge = { id: "b", type: "schedule-bridge", mode: "url", url: peer.url, workspaceId: "house" };
    await node.deploy([...flow({ bridge: "b" }), bridge], "full", { b: { token: "secret" } });
    const here = await peer.frame("here", ({ triggers }) => triggers.length === 1);
    assert.equal(here.triggers[0].clientId, `${node.instance}.b.house`);
    assert.equal(here.triggers[0].workspaceId, "house");
});

test("a bridge that is missing shows on the node", LIMIT, async () => {
    await node.deploy(flow({ bridge: "nowhere" }));
    assert.equal(node.statusOf("t").text, "no such bridge");
});

test("a lost bridge shows red, a message then fails, and all is well again without a deploy", LIMIT, async () => {
    await deployTrigger();
    const { port } = peer;
    await peer.stop();
    await until(() => node.statusOf("t")?.text === "bridge away");
    assert.deepEqual([node.statusOf("t").fill, node.statusOf("t").shape], ["red", "ring"]);
    fire({ payload: 1 });
    await until(() => node.logged(ERROR).length);
    assert.match(node.logged(ERROR)[0], /The bridge is away/);
    await peer.start(port);
    await until(() => node.logged(WARN).includes("The bridge is back."));
    assert.notEqual(node.statusOf("t").text, "bridge away");
});

/**
 * @param {string} path
 * @param {object} [body]
 */
async function admin(path, body = {}) {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${node.url}/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
}

test("the button's route runs a deployed trigger and says what came of it", LIMIT, async () => {
    await deployTrigger();
    const decisions = [{ decision: "started", message: "Started run 7f3a.", firingId: "1" }];
    peer.answer = () => ({ body: { decisions } });
    const answer = { decisions: [{ decision: "started", message: "Started run 7f3a." }] };
    assert.deepEqual(await admin("schedule-trigger/t/run"), { status: 200, body: answer });
    assert.equal((await admin("schedule-trigger/nowhere/run")).status, 404);
    assert.equal((await admin("schedule-trigger/f/run")).status, 404);
});

test("the preview route asks the bridge, in the zone of this Node-RED where none is set", LIMIT, async () => {
    await deployTrigger();
    const tick = { at: "2026-01-01T00:10:00.000Z", local: "2026-01-01T09:10:00.000+09:00", clockChange: false };
    peer.answer = () => ({ body: { description: "Every 10 minutes", timezone: "Asia/Tokyo", ticks: [tick] } });
    const cron = await admin("schedule-trigger/preview", { scheduleKind: "cron", cron: "*/10 * * * *" });
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const schedule = { kind: "cron", expression: "*/10 * * * *", timezone: zone };
    const { from, ...asked } = peer.requests[0].body;
    assert.deepEqual(asked, { schedule, count: 51 });
    assert.ok(Math.abs(Date.parse(from) - Date.now()) < 60_000);
    assert.equal(cron.body.ticks[0].local, tick.local);
    const interval = await admin("schedule-trigger/preview", { every: "10", everyUnit: "minutes" });
    assert.equal(interval.body.timezone, zone);
});

/** A schedule's answer with ticks ten minutes apart. */
function previewAnswer(/** @type {number} */ count) {
    const at = (/** @type {number} */ index) => new Date(Date.UTC(2100, 0, 1, 0, index * 10)).toISOString();
    const ticks = Array.from({ length: count }, (_, index) => ({ at: at(index), local: at(index), clockChange: false }));
    return { description: "Every 10 minutes", timezone: "UTC", ticks };
}

test("the preview route has what comes of the next fifty ticks simulated, under the edited settings", LIMIT, async () => {
    await deployTrigger();
    peer.answer = (path) => ({ body: path === "/v1/simulate" ? [{ at: 600, event: "firing.buffered", triggerId: "t" }] : previewAnswer(51) });
    const settings = { overlapPolicy: "buffer", maxRunMinutes: "45", delaySeconds: "1.5", lockKeys: ["a", "b"], lockKey: "x", lockKeyType: "msg" };
    const { body } = await admin("schedule-trigger/preview", { every: 10, everyUnit: "minutes", ...settings });
    const { body: scenario } = peer.requests[1];
    const [trigger] = scenario.triggers;
    assert.deepEqual([trigger.overlapPolicy, trigger.maxRunMinutes, trigger.delaySeconds, trigger.lockKeys, trigger.lockKey], ["buffer", 45, 1.5, ["a", "b"], null]);
    assert.deepEqual(scenario.runs, { t: { durationSeconds: 840 } }, "a run is a little longer than what lies between two ticks");
    assert.equal(body.picture.end, Date.UTC(2100, 0, 1, 8, 20));
    assert.ok(scenario.until * 1000 + Date.parse(scenario.start) < body.picture.end, "the tick at its end is none of the picture");
    assert.equal(body.picture.events.length, 1);
    await admin("schedule-trigger/preview", { every: 10, everyUnit: "minutes", runSeconds: 7 });
    assert.equal(peer.requests[3].body.runs.t.durationSeconds, 7);
});

test("a bad setting or a picture that is refused keeps no next tick from being shown", LIMIT, async () => {
    await deployTrigger();
    peer.answer = (path) => (path === "/v1/simulate" ? { status: 400, body: { detail: "Too much." } } : { body: previewAnswer(51) });
    const bad = await admin("schedule-trigger/preview", { every: 10, everyUnit: "minutes", maxConcurrent: "none" });
    assert.deepEqual([bad.status, bad.body.ticks.length, bad.body.picture.events, peer.requests.length], [200, 51, undefined, 1]);
    const refused = await admin("schedule-trigger/preview", { every: 10, everyUnit: "minutes" });
    assert.deepEqual([refused.status, refused.body.picture.message], [200, "Too much."]);
});

const ran = (/** @type {number} */ seconds, /** @type {object} */ more = {}) => ({
    ...{ executionId: "e", state: "completed", reason: null, createdAt: "2026-01-01T00:00:00.000Z", startedAt: "2026-01-01T00:00:00.000Z" },
    ...{ endedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString(), deadline: null, lockKey: null, ...more },
});

test("the past of a trigger has the median of its last twenty runs that ended by themselves", LIMIT, async () => {
    await deployTrigger();
    const executions = [ran(10), ran(999, { state: "expired", reason: "deadline" }), ran(30, { state: "failed", reason: "no" }), ran(20), ...Array(17).fill(ran(20)), ran(500)];
    peer.answer = (path) => ({ body: path.includes("decisions") ? { decisions: [{}] } : { executions } });
    const get = async (/** @type {string} */ id) => (await fetch(`${node.url}/schedule-trigger/${id}/past`)).json();
    assert.deepEqual(await get("t"), { hasFired: true, runs: 20, medianSeconds: 20 });
    assert.deepEqual(await get("nowhere"), { hasFired: false, runs: 0, medianSeconds: null });
});

test("a replay is asked for under the edited settings, and tells how it was deployed", LIMIT, async () => {
    await deployTrigger({ overlapPolicy: "skip" });
    const replayed = { from: null, to: null, events: [] };
    peer.answer = (path) => ({ body: path.includes("replay") ? replayed : path.includes("decisions") ? { decisions: [] } : { executions: [ran(10)] } });
    const { status, body } = await admin("schedule-trigger/t/replay", { overlapPolicy: "allow", maxConcurrent: "3", maxRunMinutes: 0 });
    assert.deepEqual([status, body.replayed, body.executions.length], [200, replayed, 1]);
    assert.deepEqual(body.deployed, { overlapPolicy: "skip", maxConcurrent: 1, maxRunMinutes: 0 });
    const asked = peer.requests.find(({ path }) => path.endsWith("/replay"));
    assert.deepEqual(asked?.body, { overlapPolicy: "allow", maxConcurrent: 3, maxRunMinutes: 0 });
    assert.equal((await admin("schedule-trigger/nowhere/replay")).status, 404);
    assert.equal((await admin("schedule-trigger/t/replay", { maxConcurrent: "none" })).status, 422);
});

test("the preview of a deployed trigger's own interval keeps to the grid on which it ticks", LIMIT, async () => {
    await deployTrigger();
    peer.answer = () => ({ body: { description: "", timezone: "UTC", ticks: [] } });
    const nextRun = "2100-01-01T00:03:00.000Z";
    const triggers = [{ triggerId: known("t"), nextRun, pausedSince: null, warnings: [] }];
    peer.send({ type: "news", executions: [], triggers, workspace: {} });
    await until(() => node.statusOf("t")?.text?.startsWith("next "));
    await admin("schedule-trigger/preview", { id: "t", every: 10, everyUnit: "minutes" });
    await admin("schedule-trigger/preview", { id: "t", every: 20, everyUnit: "minutes" });
    assert.deepEqual(
        peer.requests.map(({ body }) => body.schedule.anchor),
        [nextRun, undefined],
    );
});

test("the preview route hands on what the bridge says of a bad schedule", LIMIT, async () => {
    await deployTrigger();
    const errors = [{ pointer: "/schedule/expression", message: "Hour 25 does not exist." }];
    peer.answer = () => ({ status: 422, body: { detail: "The schedule is not valid.", errors } });
    const answer = await admin("schedule-trigger/preview", { scheduleKind: "cron", cron: "0 25 * * *" });
    assert.deepEqual(answer, { status: 422, body: { message: "The schedule is not valid.", problem: "refused", errors } });
    assert.equal((await admin("schedule-trigger/preview", { every: "-1" })).status, 422);
});

test("the preview route reaches deployed configuration nodes only", LIMIT, async () => {
    await deployTrigger();
    assert.equal((await admin("schedule-trigger/preview", { bridge: "http://10.0.0.1/" })).status, 404);
    assert.equal((await admin("schedule-trigger/preview", { bridge: "t" })).status, 404);
    assert.equal(peer.requests.length, 0);
});

test("messages are asked about one after the other, in the order in which they came", LIMIT, async () => {
    await deployTrigger({ lockKey: "$string(payload)", lockKeyType: "jsonata" });
    for (const payload of [1, 2, 3, 4]) fire({ payload });
    await until(() => peer.requests.length === 4);
    assert.deepEqual(
        peer.requests.map(({ body }) => [body.payload, body.lockKey]),
        [1, 2, 3, 4].map((number) => [number, String(number)]),
    );
});
