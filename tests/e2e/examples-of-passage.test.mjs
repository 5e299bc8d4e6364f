/**
 * The examples of what else decides when a run starts, lock keys, priorities, delays and limits, do what their comment
 * nodes say, on both Node-REDs, by the record and by what is shown.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { example } from "../../scripts/examples.mjs";
import { inHouse, mostAtOnce, until, VERSIONS } from "./support/house.mjs";
import { assertShownOnce, byLockKey, byStart, ended, whenDecided, whenEnded } from "./support/record.mjs";

const WITHIN_MS = 60_000;

async function assertRepositories(house) {
    const node = "repositories-trigger";
    const all = async () => byLockKey((await house.executions(node)).filter(ended)).size === 3;
    await until("a run of each repository", all, WITHIN_MS);
    const executions = await house.executions(node);
    const runs = byLockKey(executions);
    for (const of of runs.values()) assert.equal(mostAtOnce(of), 1, "never two runs of one repository");
    assert.ok(mostAtOnce(executions) > 1, "runs of several repositories at once");
    assert.deepEqual(executions.slice(0, 3).map(({ lockKey }) => lockKey), ["acme/api", "acme/web", "acme/docs"]);
    assert.ok(runs.get("acme/api").length > runs.get("acme/web").length);
    assert.ok(runs.get("acme/web").length > runs.get("acme/docs").length);
    const skipped = await whenDecided(house, node, "skipped", 2);
    assert.ok(skipped.every(({ lockKey }) => lockKey !== "acme/api"), "what is idle at its tick is not skipped");
    await assertShownOnce(house, node, "repositories-starts", "repositories-else");
}

const ISSUE = "acme/web:issue:123";
const LATEST = { repository: "acme/web", number: 123, action: "edited", labels: ["bug"], assignee: "ada" };

async function assertIssueEvents(house) {
    const node = "issues-trigger";
    await whenEnded(house, node, 2);
    const executions = (await house.executions(node)).slice(0, 2);
    assert.deepEqual(executions.map(({ lockKey, mergedFirings }) => [lockKey, mergedFirings]), [[ISSUE, 0], [ISSUE, 2]]);
    const decisions = (await house.decisions(node)).slice(0, 4);
    assert.deepEqual(decisions.map(({ decision }) => decision), ["started", "started", "merged", "merged"]);
    const [first, second] = await until("both runs", () => house.shown("issues-starts").length > 1 && house.shown("issues-starts"));
    assert.equal(first.payload.action, "opened");
    assert.deepEqual(second.payload, { ...LATEST, title: "It crashes at start" }, "the latest state of all three");
    await assertShownOnce(house, node, "issues-starts", "issues-else");
    await assertAWebhookIsJudgedByItself(house);
}

async function assertAWebhookIsJudgedByItself(house) {
    const answer = await fetch(`${house.nodeRed.url}/issue-events`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ repository: "acme/web", number: 7, action: "opened" }),
    });
    assert.equal(answer.status, 202);
    const found = () => house.shown("issues-starts").find(({ run }) => run.lockKey === "acme/web:issue:7");
    const message = await until("the run of another issue", found);
    assert.deepEqual([message.payload.action, message.run.source], ["opened", "input"]);
}

async function assertPriorityLane(house) {
    const names = ["report", "newsletter", "letter", "express"];
    for (const name of names) await whenEnded(house, `lane-${name}`, 1);
    const runs = await Promise.all(names.map(async (name) => (await house.executions(`lane-${name}`))[0]));
    assert.equal(mostAtOnce(runs), 1, "one run holds the printer");
    assert.ok(runs.every(({ lockKey }) => lockKey === "printer"));
    const order = runs.sort(byStart).map(({ triggerId }) => triggerId.split("lane-")[1]);
    assert.deepEqual(order, ["report", "express", "letter", "newsletter"]);
    const waiting = house.shown("lane-else").filter(({ payload }) => payload.decision === "waiting");
    assert.ok(waiting.length >= 3, "each of the three was told to wait for the key");
    assert.match(waiting[0].payload.message, /^Waiting: key printer is held by run \w{4}\.$/);
    assert.deepEqual(house.shown("lane-starts").slice(0, 4).map(({ payload }) => payload), order);
}

async function assertDebounce(house) {
    const node = "debounce-trigger";
    await whenEnded(house, node, 1);
    const [execution] = await house.executions(node);
    assert.equal(execution.mergedFirings, 4);
    const decisions = (await house.decisions(node)).slice(0, 5);
    assert.deepEqual(decisions.map(({ decision }) => decision), ["started", "merged", "merged", "merged", "merged"]);
    const [message] = house.shown("debounce-starts");
    assert.deepEqual(message.payload, { product: "lamp", stock: 11, price: 19 });
    await assertShownOnce(house, node, "debounce-starts", "debounce-else");
}

async function assertThreeAtOnce(house) {
    const node = "three-trigger";
    await whenEnded(house, node, 5);
    const executions = await house.executions(node);
    assert.equal(mostAtOnce(executions), 3);
    assert.equal((await house.ask("/v1/workspaces/three-at-once")).maxConcurrentExecutions, 3);
    const tick = executions.slice(0, 5);
    const cameras = [1, 2, 3, 4, 5].map((number) => `camera ${number}`);
    assert.deepEqual(tick.sort(byStart).map(({ lockKey }) => lockKey), cameras, "held runs go on oldest first");
    assert.equal(new Set(tick.map(({ scheduledAt }) => scheduledAt)).size, 1);
    const held = house.shown("three-else").filter(({ payload }) => payload.decision === "onHold");
    assert.match(held[0].payload.message, /^On hold: workspace three-at-once runs 3 of 3\.$/);
    const shown = house.shown("three-starts").slice(0, 5);
    assert.ok(shown.every(({ payload }) => payload === Date.parse(tick[0].scheduledAt)), "each with the payload of its tick");
    await assertShownOnce(house, node, "three-starts", "three-else");
    assert.equal((await house.ask("/v1/workspaces/default")).maxConcurrentExecutions, 0, "the other examples have no limit");
}

const CLAIMS = {
    "one run per repository": assertRepositories,
    "issue events": assertIssueEvents,
    "priority lane": assertPriorityLane,
    "debounce webhooks": assertDebounce,
    "at most three at once in the whole house": assertThreeAtOnce,
};

test("the examples of keys, priorities, delays and limits do what they say", { concurrency: true }, async (t) => {
    const onVersion = (version) =>
        t.test(`on Node-RED ${version}`, () =>
            inHouse({ version, flows: Object.keys(CLAIMS).flatMap(example) }, async (house) => {
                for (const [name, holds] of Object.entries(CLAIMS)) await t.test(`${name}, ${version}`, () => holds(house));
            }),
        );
    await Promise.all(VERSIONS.map(onVersion));
});
