/** Each example flow does what its comment node says, on both Node-REDs, by the record and by what is shown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { allExamples } from "../../scripts/examples.mjs";
import { inHouse, mostAtOnce, until, VERSIONS } from "./support/house.mjs";

const RUNS_ENOUGH_MS = 90_000;
const ended = ({ endedAt }) => endedAt !== null;
const withVerdict = (decisions, decision, reason) =>
    decisions.filter((each) => each.decision === decision && (!reason || each.reason === reason));

async function whenEnough(house, node, runs) {
    const enough = async () => (await house.executions(node)).filter(ended).length >= runs;
    await until(`${runs} ended runs of ${node}`, enough, RUNS_ENOUGH_MS);
}

/** Every claimed execution has come out of output 1 once, and every other decision of output 2. */
async function assertShownOnce(house, node, starts, others) {
    const executions = (await house.executions(node)).filter(({ startedAt }) => startedAt);
    const recorded = executions.map(({ executionId }) => executionId);
    await until("the starts to be shown", () => house.shown(starts).length >= recorded.length);
    const shown = house.shown(starts).map(({ run }) => run.executionId);
    assert.equal(new Set(shown).size, shown.length, "a run came out twice");
    assert.deepEqual(shown.slice(0, recorded.length), recorded);
    const decisions = await house.decisions(node);
    const notStarted = decisions.filter(({ decision }) => ["skipped", "merged"].includes(decision));
    const firings = () => house.shown(others).map(({ payload }) => payload.firingId);
    await until("the decisions to be shown", () => notStarted.every(({ firingId }) => firings().includes(firingId)));
}

async function assertSkip(house) {
    await whenEnough(house, "skip-trigger", 2);
    const executions = await house.executions("skip-trigger");
    const skipped = withVerdict(await house.decisions("skip-trigger"), "skipped", "active");
    assert.equal(mostAtOnce(executions), 1);
    assert.ok(skipped.length >= 2, "no tick was skipped");
    assert.match(skipped[0].message, /^Skipped: run \w{4} of this workflow has been running for \d+ s\.$/);
    assert.ok(executions.filter(ended).every(({ state }) => state === "completed"));
    await assertShownOnce(house, "skip-trigger", "skip-starts", "skip-else");
}

async function assertQueue(house) {
    await whenEnough(house, "queue-trigger", 3);
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
    await whenEnough(house, "allow-two-trigger", 3);
    assert.equal(mostAtOnce(await house.executions("allow-two-trigger")), 2);
    const skipped = withVerdict(await house.decisions("allow-two-trigger"), "skipped", "maxConcurrent");
    assert.ok(skipped.length >= 1, "no tick was skipped");
    await assertShownOnce(house, "allow-two-trigger", "allow-two-starts", "allow-two-else");
}

test("the examples do what they say", { concurrency: true }, async (t) => {
    const versions = VERSIONS.map((version) =>
        t.test(`on Node-RED ${version}`, () =>
            inHouse({ version, flows: allExamples() }, async (house) => {
                await t.test(`skip, ${version}`, () => assertSkip(house));
                await t.test(`queue, ${version}`, () => assertQueue(house));
                await t.test(`allow two, ${version}`, () => assertAllow(house));
            }),
        ),
    );
    await Promise.all(versions);
});
