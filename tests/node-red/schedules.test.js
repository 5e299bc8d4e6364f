"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Deployed } = require("./support/deployed");
const { until } = require("./support/until");

const here = new Deployed();
const at = (/** @type {number} */ minute) => `2026-01-01T00:0${minute}:00.000Z`;
const WORKSPACE = { workspaceId: "default", maxConcurrentExecutions: 5, running: 1, starting: 0, onHold: 0, queued: 0 };

/** @param {object} [more] */
const state = (more = {}) => ({
    ...{ triggerId: here.known("t"), nextRun: at(9), active: [], buffered: [], delayed: [], skipping: null, recentRuns: [], lastDecision: null },
    ...more,
});

/**
 * Has the bridge answer by path; whatever is not named is a page without anything.
 * @param {Record<string, any>} answers
 */
function answer(answers) {
    here.peer.answer = (path) => {
        const [, known] = Object.entries(answers).find(([beginning]) => path.startsWith(`/v1/${beginning}`)) ?? [];
        return known ? { body: known } : { body: { decisions: [], executions: [], triggers: [], nextCursor: null, ticks: [] } };
    };
}

/**
 * @param {string} path
 * @param {string} [method]
 * @param {object} [body]
 */
async function ask(path, method = "GET", body = undefined) {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${here.node.url}/schedule-trigger/${path}`, { method, headers, body: body && JSON.stringify(body) });
    return { status: response.status, value: /** @type {any} */ (await response.json()) };
}

/** @param {string} method */
const asked = (method) => here.peer.requests.filter((request) => request.method === method).map(({ path }) => path.split("?")[0]);

test("the list holds every trigger with what the bridge knows of it, and its workspace", async () => {
    await here.deploy({ name: "images" });
    const recentRuns = [{ executionId: "e", outcome: "failed", startedAt: at(1), endedAt: at(3) }];
    const lastDecision = { decision: "skipped", decidedAt: at(2), message: "Skipped." };
    answer({ "triggers?": { triggers: [state({ recentRuns, lastDecision })], nextCursor: null }, workspaces: WORKSPACE });
    const { value } = await ask("triggers");
    assert.equal(value.bridges[0].workspace.running, 1);
    const [{ id, name, nextRun, last, runs }] = value.triggers;
    assert.deepEqual({ id, name, nextRun, last, runs }, { id: "t", name: "images", nextRun: at(9), last: { mark: "failed", at: at(3) }, runs: recentRuns });
});

test("the last outcome is the decision where that came later than the last end", async () => {
    await here.deploy();
    const recentRuns = [{ executionId: "e", outcome: "failed", startedAt: at(1), endedAt: at(3) }];
    const lastDecision = { decision: "skipped", decidedAt: at(4), message: "Skipped." };
    answer({ "triggers?": { triggers: [state({ recentRuns, lastDecision })], nextCursor: null }, workspaces: WORKSPACE });
    const { value } = await ask("triggers");
    assert.deepEqual(value.triggers[0].last, { mark: "skipped", at: at(4), message: "Skipped." });
});

test("editors that ask at once share one reading of the bridge", async () => {
    await here.deploy();
    answer({ "triggers?": { triggers: [state()], nextCursor: null }, workspaces: WORKSPACE });
    await ask("triggers");
    here.peer.requests = [];
    await Promise.all([ask("triggers"), ask("triggers"), ask("triggers")]);
    assert.deepEqual(asked("GET").sort(), ["/v1/triggers", "/v1/workspaces/default"]);
});

test("while the bridge is away the list says so, and shows what was known", async () => {
    await here.deploy();
    answer({ "triggers?": { triggers: [state()], nextCursor: null }, workspaces: WORKSPACE });
    await ask("triggers");
    const { port } = here.peer;
    await here.peer.stop();
    await until(() => here.node.statusOf("t")?.text === "bridge away");
    const { value: list } = await ask("triggers");
    await here.peer.start(port);
    await until(() => here.peer.isConnected);
    assert.deepEqual([list.bridges[0].trouble.kind, list.bridges[0].workspace, list.triggers[0].nextRun], ["bridgeAway", undefined, at(9)]);
});

test("a run can be ended only where it belongs", async () => {
    await here.deploy();
    answer({ "executions/mine": { executionId: "mine", triggerId: here.known("t") }, "executions/other": { executionId: "other", triggerId: "somebody's" } });
    assert.equal((await ask("triggers/t/executions/other/cancel", "POST", {})).status, 404);
    assert.equal((await ask("triggers/t/executions/mine/pause", "POST", {})).status, 404);
    assert.equal((await ask("triggers/out1/executions/mine/cancel", "POST", {})).status, 404);
    assert.deepEqual(asked("POST"), []);
    assert.equal((await ask("triggers/t/executions/mine/terminate", "POST", {})).status, 200);
    assert.deepEqual(asked("POST"), ["/v1/executions/mine/terminate"]);
});

test("only a whole number becomes the limit of a deployed bridge's workspace", async () => {
    await here.deploy();
    answer({ workspaces: WORKSPACE });
    for (const maxConcurrentExecutions of [-1, 1.5, "many", null]) {
        assert.equal((await ask("workspaces/managed", "PUT", { maxConcurrentExecutions })).status, 422);
    }
    assert.equal((await ask("workspaces/elsewhere", "PUT", { maxConcurrentExecutions: 2 })).status, 404);
    assert.equal((await ask("workspaces/managed", "PUT", { maxConcurrentExecutions: 2 })).status, 200);
    const limits = here.peer.requests.filter(({ method }) => method === "PUT").map(({ body }) => body);
    assert.deepEqual(limits, [{ maxConcurrentExecutions: 2 }]);
});

test("a trigger is opened with its executions, those of old that are active, and whose runs are in the way", async () => {
    await here.deploy({ name: "images" });
    const run = (/** @type {string} */ executionId, more = {}) => ({ executionId, triggerId: here.known("t"), endedAt: null, waitsFor: null, ...more });
    const waits = run("new", { waitsFor: { gate: "overlap", position: 1, lockKey: null, executionIds: ["old"] } });
    answer({
        "triggers/": state({ active: ["old", "new"] }),
        "executions/old": run("old"),
        "executions?": { executions: [waits], nextCursor: "1" },
        workspaces: WORKSPACE,
        "schedules/preview": { ticks: [{ at: at(9) }] },
    });
    const { value } = await ask("triggers/t");
    assert.deepEqual(value.older.map((/** @type {any} */ { executionId }) => executionId), ["old"]);
    assert.deepEqual(value.holders, { old: { node: "t", name: "images" } });
    assert.deepEqual([value.ticks, value.cursors], [[at(9)], { decisions: null, executions: "1" }]);
});
