/** The examples that answer a question of everyday do what their comment nodes say, on both Node-REDs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { example } from "../../scripts/examples.mjs";
import { inHouse, mostAtOnce, until, VERSIONS } from "./support/house.mjs";
import { assertEndsTold, assertShownOnce, lastRunAfterAPause, whenDecided, whenEnded, withVerdict } from "./support/record.mjs";

async function assertPolite(house) {
    const node = "polite-trigger";
    await whenEnded(house, node, 3);
    const executions = await house.executions(node);
    assert.equal(mostAtOnce(executions), 1, "the API sees one request at a time");
    assert.ok(withVerdict(await house.decisions(node), "merged").length >= 1, "no tick merged into the run that waits");
    const answers = await until("the answers", () => house.shown("polite-done").length >= 3 && house.shown("polite-done"));
    assert.ok(answers.every(({ payload }) => payload.answer === 42));
    await assertShownOnce(house, node, "polite-starts", "polite-else");
}

async function assertRestsOnHolidays(house) {
    const node = "holiday-trigger";
    const paused = async () => Boolean((await house.trigger(node)).paused);
    await until("the trigger to be declared", () => house.trigger(node));
    await house.press("holiday-begins");
    await until("the pause", paused);
    const before = (await house.executions(node)).length;
    const skipped = withVerdict(await whenDecided(house, node, "skipped", 2), "skipped", "paused");
    assert.ok(skipped.length >= 1, "no tick was skipped for the pause");
    assert.equal((await house.executions(node)).length, before, "no run starts on a holiday");
    await house.press("holiday-ends");
    await until("the schedule to go on", async () => !(await paused()));
    await until("a run", async () => (await house.executions(node)).length > before);
    await assertShownOnce(house, node, "holiday-starts", "holiday-else");
}

const PAGES = [1, 2, 3, 4, 5, 6, 7, 8];

async function assertGuardsALoop(house) {
    const node = "loop-trigger";
    await whenEnded(house, node, 2);
    const executions = await lastRunAfterAPause(house, "loop");
    const last = executions.at(-1).executionId;
    const of = (id, { executionId }) => house.shown(id).filter(({ run }) => run.executionId === executionId);
    for (const cancelled of executions.slice(0, -1)) {
        const [left] = await until("the guard to turn it away", () => of("loop-left", cancelled).length && of("loop-left", cancelled));
        const pages = of("loop-page", cancelled).map(({ page }) => page);
        assert.deepEqual(pages, PAGES.slice(0, left.page - 1), "it reads no page after the guard");
        assert.ok(pages.length < PAGES.length);
        assert.equal(of("loop-left", cancelled).length, 1);
    }
    await until("the last run to be shown", () => house.shown("loop-done").length);
    assert.deepEqual(house.shown("loop-done").map(({ run }) => run.executionId), [last]);
    assert.deepEqual(of("loop-page", { executionId: last }).map(({ page }) => page), PAGES);
    await assertShownOnce(house, node, "loop-starts", "loop-else");
    await assertEndsTold(house, node, "loop-else", "cancelled");
}

const EVERY_MS = 4000;

async function assertNoTickIsLost(house) {
    const node = "every-trigger";
    await whenEnded(house, node, 1);
    const before = (await house.executions(node)).length;
    await house.bridge.stop();
    await pause(3 * EVERY_MS);
    await house.startBridge();
    await whenEnded(house, node, before + 4);
    const ticks = (await house.executions(node)).map(({ scheduledAt }) => Date.parse(scheduledAt)).sort((a, b) => a - b);
    ticks.slice(1).forEach((tick, index) => assert.equal(tick - ticks[index], EVERY_MS, "each tick has one run"));
    const { missed } = await house.trigger(node);
    assert.ok(missed.length >= 1, "no tick was missed while the bridge was away");
    await assertShownOnce(house, node, "every-starts", "every-else");
}

/** The last one stops the bridge, so it comes last. */
const CLAIMS = {
    "call a slow API politely": assertPolite,
    "guard a long loop": assertGuardsALoop,
    "stop on holidays by a switch": assertRestsOnHolidays,
    "never lose a tick": assertNoTickIsLost,
};

test("the examples of everyday questions do what they say", { concurrency: true }, async (t) => {
    const onVersion = (version) =>
        t.test(`on Node-RED ${version}`, () =>
            inHouse({ version, flows: Object.keys(CLAIMS).flatMap(example) }, async (house) => {
                for (const [name, holds] of Object.entries(CLAIMS)) await t.test(`${name}, ${version}`, () => holds(house));
            }),
        );
    await Promise.all(VERSIONS.map(onVersion));
});
