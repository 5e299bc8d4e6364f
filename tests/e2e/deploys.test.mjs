/** Deploys and restarts tell the truth: what goes on, what is interrupted, what is kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
    busy,
    changed,
    liveOnBoth,
    running,
    state,
    untilBack,
    untilDetached,
    untilInterrupted,
    without,
} from "./support/deploying.mjs";
import { until } from "./support/house.mjs";

const FLOWS = [...busy("one"), ...busy("two")];

async function aDeployOfOneTabLeavesTheOthersRunAlone(house) {
    const [one, two] = [await running(house, "one"), await running(house, "two")];
    await house.deploy(changed(FLOWS, "one-work", { timeout: "61" }), "flows");
    await untilInterrupted(house, one);
    await running(house, "one");
    assert.equal(await state(house, two), "running");
}

/** The decisions of before are there still, but the last ones, which may have become others. */
async function assertHistoryIsKept(house, node, before) {
    const after = await house.decisions(node);
    assert.deepEqual(after.slice(0, before.length - 1), before.slice(0, before.length - 1));
    assert.equal((await house.trigger(node)).detached, false);
}

async function aRenamedTriggerKeepsStateAndHistory(house) {
    const before = await house.decisions("one");
    await house.deploy(changed(FLOWS, "one", { name: "renamed" }), "nodes");
    await until("the new name", async () => (await house.trigger("one")).configuration.name === "renamed");
    await assertHistoryIsKept(house, "one", before);
}

async function anEditedTriggerKeepsStateAndHistory(house) {
    const run = await running(house, "two");
    const before = await house.decisions("two");
    const { triggerId, counters } = await house.trigger("two");
    await house.ask(`/v1/triggers/${triggerId}/pause`, "POST");
    await house.deploy(changed(FLOWS, "two", { every: 3, overlapPolicy: "queue" }), "nodes");
    await until("the new schedule", async () => (await house.trigger("two")).configuration.schedule.every === 3);
    await assertHistoryIsKept(house, "two", before);
    const edited = await house.trigger("two");
    assert.deepEqual([edited.triggerId, edited.paused], [triggerId, true]);
    for (const [name, count] of Object.entries(counters)) assert.ok(edited.counters[name] >= count, name);
    assert.equal(await state(house, run), "running", "its run has no message in the trigger's own node");
    await house.ask(`/v1/triggers/${triggerId}/resume`, "POST");
    await house.deploy(FLOWS, "nodes");
    await until("the old schedule", async () => (await house.trigger("two")).configuration.schedule.every === 2);
}

async function aDeletedTriggerIsDetachedAndComesBack(house) {
    await house.deploy(without(FLOWS, "two"), "flows");
    await untilDetached(house, "two");
    assert.equal((await house.trigger("two")).nextRun, null);
    await house.deploy(FLOWS, "flows");
    await untilBack(house, "two");
    const { missed } = await house.trigger("two");
    assert.ok(missed.every(({ reason }) => ["detached", "client"].includes(reason)));
    await running(house, "two");
}

async function aDisabledTabDetachesItsTriggersAndInterruptsTheirRuns(house) {
    const [one, two] = [await running(house, "one"), await running(house, "two")];
    await house.deploy(changed(FLOWS, "two-tab", { disabled: true }), "flows");
    await untilDetached(house, "two");
    await untilInterrupted(house, two);
    assert.equal(await state(house, one), "running");
    await house.deploy(FLOWS, "flows");
    await untilBack(house, "two");
}

async function aDisabledNodeIsAsOneThatIsDeleted(house) {
    const [one, two] = [await running(house, "one"), await running(house, "two")];
    await house.deploy(changed(changed(FLOWS, "one", { d: true }), "two-work", { d: true }), "nodes");
    await untilDetached(house, "one");
    await untilInterrupted(house, two);
    assert.equal(await state(house, one), "running", "nothing of it was in the node that is disabled");
    assert.equal((await house.trigger("two")).detached, false);
    await house.deploy(FLOWS, "nodes");
    await untilBack(house, "one");
}

async function aRestartOfTheFlowsInterruptsAllThatIsInThem(house) {
    const runs = [await running(house, "one"), await running(house, "two")];
    const before = await house.decisions("one");
    await house.deploy({}, "reload");
    for (const run of runs) await untilInterrupted(house, run);
    await running(house, "one");
    await assertHistoryIsKept(house, "one", before);
}

async function aRestartOfNodeRedInterruptsWhatItRan(house, version) {
    const run = await running(house, "one");
    await house.nodeRed.kill("SIGKILL");
    await house.startNodeRed(version);
    await untilInterrupted(house, run);
    const next = await running(house, "one");
    assert.notEqual(next.executionId, run.executionId);
}

test("deploys and restarts tell the truth", { concurrency: true }, (t) =>
    liveOnBoth(t, { flows: FLOWS }, [
        aDeployOfOneTabLeavesTheOthersRunAlone,
        aRenamedTriggerKeepsStateAndHistory,
        anEditedTriggerKeepsStateAndHistory,
        aDeletedTriggerIsDetachedAndComesBack,
        aDisabledTabDetachesItsTriggersAndInterruptsTheirRuns,
        aDisabledNodeIsAsOneThatIsDeleted,
        aRestartOfTheFlowsInterruptsAllThatIsInThem,
        aRestartOfNodeRedInterruptsWhatItRan,
    ]));
