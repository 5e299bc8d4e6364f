/**
 * Each example flow does what its comment node says, on both Node-REDs, by the record and by what is shown.
 * These are of one trigger and the six overlap policies; what lock keys, delays and limits do is elsewhere.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { example } from "../../scripts/examples.mjs";
import { inHouse, mostAtOnce, until, VERSIONS } from "./support/house.mjs";
import { assertEndsTold, assertShownOnce, ended, lastRunAfterAPause, whenEnded, withVerdict } from "./support/record.mjs";

const POLICIES = ["skip", "queue", "allow two", "buffer", "cancel the old one", "terminate"];

async function assertSkip(house) {
    await whenEnded(house, "skip-trigger", 2);
    const executions = await house.executions("skip-trigger");
    const skipped = withVerdict(await house.decisions("skip-trigger"), "skipped", "active");
    assert.equal(mostAtOnce(executions), 1);
    assert.ok(skipped.length >= 2, "no tick was skipped");
    assert.match(skipped[0].message, /^Skipped: run \w{4} of this workflow has been running for \d+ s\.$/);
    assert.ok(executions.filter(ended).every(({ state }) => state === "completed"));
    await assertShownOnce(house, "skip-trigger", "skip-starts", "skip-else");
}

async function assertQueue(house) {
    await whenEnded(house, "queue-trigger", 3);
    const executions = await house.executions("queue-trigger");
    assert.equal(mostAtOnce(executions), 1);
    executions.slice(1).forEach((execution, index) => {
        const before = executions[index];
        assert.ok(!before.endedAt || execution.createdAt < before.endedAt, "a deferred run waits while one runs");
        assert.ok(!execution.startedAt || execution.startedAt >= before.endedAt, "it starts when that one ends");
        assert.ok(execution.createdAt > before.createdAt, "one deferred run for each overrun");
    });
    assert.ok(withVerdict(await house.decisions("queue-trigger"), "merged").length >= 1);
    await assertShownOnce(house, "queue-trigger", "queue-starts", "queue-else");
}

async function assertAllow(house) {
    await whenEnded(house, "allow-two-trigger", 3);
    assert.equal(mostAtOnce(await house.executions("allow-two-trigger")), 2);
    const skipped = withVerdict(await house.decisions("allow-two-trigger"), "skipped", "maxConcurrent");
    assert.ok(skipped.length >= 1, "no tick was skipped");
    await assertShownOnce(house, "allow-two-trigger", "allow-two-starts", "allow-two-else");
}

async function assertBuffer(house) {
    await whenEnded(house, "buffer-trigger", 2);
    const executions = await house.executions("buffer-trigger");
    assert.equal(mostAtOnce(executions), 1);
    const [first, second] = executions;
    assert.ok(second.scheduledAt > first.scheduledAt && second.scheduledAt < first.endedAt, "held while the first ran");
    assert.ok(second.createdAt > first.endedAt, "released at a tick after the end of the first");
    const decisions = await house.decisions("buffer-trigger");
    const replaced = withVerdict(decisions, "dropped", "replaced");
    assert.ok(replaced[0].decidedAt >= first.endedAt, "a tick gave its place to the one that was held");
    assert.ok(withVerdict(decisions, "dropped", "bufferFull").length >= 1, "no tick found the slot taken");
    await assertShownOnce(house, "buffer-trigger", "buffer-starts", "buffer-else");
    const [, shown] = house.shown("buffer-starts");
    assert.equal(shown.payload, Date.parse(second.scheduledAt), "the payload is that of the tick that was held");
}

async function assertCancel(house) {
    await whenEnded(house, "cancel-trigger", 3);
    const executions = await lastRunAfterAPause(house, "cancel");
    assert.equal(mostAtOnce(executions), 1);
    assert.ok(executions.slice(0, -1).every(({ state }) => state === "cancelled"), "the newest run wins");
    await assertShownOnce(house, "cancel-trigger", "cancel-starts", "cancel-else");
    await assertEndsTold(house, "cancel-trigger", "cancel-else", "cancelled");
    const [first, last] = [executions[0], executions.at(-1)].map(({ executionId }) => executionId);
    const arrived = () => house.shown("cancel-arrives").map(({ run }) => run.executionId);
    await until("the last message", () => house.shown("cancel-done").length);
    assert.ok(arrived().includes(first), "what a cancelled run has sent flows on");
    assert.deepEqual(
        house.shown("cancel-done").map(({ run }) => run.executionId),
        [last],
        "and is turned away by the finish node",
    );
}

async function assertTerminate(house) {
    await whenEnded(house, "terminate-trigger", 2);
    const executions = await lastRunAfterAPause(house, "terminate");
    assert.ok(executions.slice(0, -1).every(({ state }) => state === "cancelled"), "the newest run wins");
    await assertShownOnce(house, "terminate-trigger", "terminate-starts", "terminate-else");
    const terminated = await assertEndsTold(house, "terminate-trigger", "terminate-else", "cancelled");
    assert.ok(house.shown("terminate-else").filter(({ payload }) => payload.halt).length >= terminated.length);
    await until("the last step", () => house.shown("terminate-done").length && house.shown("terminate-step").at(-1).payload === 10);
    const steps = house.shown("terminate-step");
    const order = [...new Set(steps.map(({ run }) => run.executionId))];
    assert.deepEqual(order, executions.map(({ executionId }) => executionId));
    const runs = order.map((id) => steps.filter(({ run }) => run.executionId === id).map(({ payload }) => payload));
    assert.deepEqual(steps.map(({ payload }) => payload), runs.flat(), "no step of a run comes after the next has begun");
    for (const run of runs.slice(0, -1)) assert.ok(run.length < 10, "a terminated run does not get to its last step");
    assert.deepEqual(runs.at(-1), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
}

const CLAIMS = { skip: assertSkip, queue: assertQueue, "allow two": assertAllow };
const MORE_CLAIMS = { buffer: assertBuffer, "cancel the old one": assertCancel, terminate: assertTerminate };

test("the examples of the six policies do what they say", { concurrency: true }, async (t) => {
    const onVersion = (version) =>
        t.test(`on Node-RED ${version}`, () =>
            inHouse({ version, flows: POLICIES.flatMap(example) }, async (house) => {
                for (const [name, holds] of Object.entries({ ...CLAIMS, ...MORE_CLAIMS })) {
                    await t.test(`${name}, ${version}`, () => holds(house));
                }
            }),
        );
    await Promise.all(VERSIONS.map(onVersion));
});
