/** Deploys and restarts tell the truth: what goes on, what is interrupted, what is kept. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inHouse, until, VERSIONS } from "./support/house.mjs";
import { debug, finish, tab, trigger, work } from "./support/nodes.mjs";

const LONG = 25;

const busy = (name) => [
    tab(`${name}-tab`),
    trigger(`${name}`, `${name}-tab`, {
        every: 2,
        maxRunMinutes: 5,
        endsOnSilence: false,
        wires: [[`${name}-work`], [`${name}-else`]],
    }),
    work(`${name}-work`, `${name}-tab`, LONG, [`${name}-finish`]),
    finish(`${name}-finish`, `${name}-tab`),
    debug(`${name}-else`, `${name}-tab`),
];

const FLOWS = [...busy("one"), ...busy("two")];
const without = (flows, ...ids) => flows.filter(({ id }) => !ids.includes(id));
const changed = (flows, id, change) => flows.map((node) => (node.id === id ? { ...node, ...change } : node));

const latest = async (house, node) => (await house.executions(node)).findLast(({ startedAt }) => startedAt);
const running = (house, node) =>
    until(`a run of ${node}`, async () => {
        const found = (await house.trigger(node)) && (await latest(house, node));
        return found?.state === "running" && found;
    });
const state = async (house, { executionId }) => (await house.ask(`/v1/executions/${executionId}`)).state;

async function aDeployOfOneTabLeavesTheOthersRunAlone(house) {
    const [one, two] = [await running(house, "one"), await running(house, "two")];
    await house.deploy(changed(FLOWS, "one-work", { timeout: "26" }), "flows");
    await until("the run of the changed tab to be interrupted", async () => (await state(house, one)) === "interrupted");
    await running(house, "one");
    assert.equal(await state(house, two), "running");
}

async function aRenamedTriggerKeepsStateAndHistory(house) {
    const before = await house.decisions("one");
    await house.deploy(changed(FLOWS, "one", { name: "renamed" }), "nodes");
    await until("the new name", async () => (await house.trigger("one")).configuration.name === "renamed");
    const after = await house.decisions("one");
    assert.deepEqual(after.slice(0, before.length - 1), before.slice(0, before.length - 1));
    assert.equal((await house.trigger("one")).detached, false);
}

async function aDeletedTriggerIsDetachedAndComesBack(house) {
    await house.deploy(without(FLOWS, "two"), "flows");
    await until("the trigger to be detached", async () => (await house.trigger("two")).detached);
    assert.equal((await house.trigger("two")).nextRun, null);
    await house.deploy(FLOWS, "flows");
    await until("the trigger to be back", async () => !(await house.trigger("two")).detached);
    const { missed } = await house.trigger("two");
    assert.ok(missed.every(({ reason }) => ["detached", "client"].includes(reason)));
    await running(house, "two");
}

async function aDisabledTabDetachesItsTriggers(house) {
    await house.deploy(changed(FLOWS, "two-tab", { disabled: true }), "flows");
    await until("the trigger to be detached", async () => (await house.trigger("two")).detached);
    await house.deploy(FLOWS, "flows");
    await until("the trigger to be back", async () => !(await house.trigger("two")).detached);
}

async function aRestartOfNodeRedInterruptsWhatItRan(house, version) {
    const run = await running(house, "one");
    await house.nodeRed.kill("SIGKILL");
    await house.startNodeRed(version);
    await until("the lost run to be interrupted", async () => (await state(house, run)) === "interrupted");
    const next = await running(house, "one");
    assert.notEqual(next.executionId, run.executionId);
}

test("deploys and restarts tell the truth", async (t) => {
    const onVersion = (version) =>
        t.test(`on Node-RED ${version}`, () =>
            inHouse({ version, flows: FLOWS }, async (house) => {
                const lives = [
                    aDeployOfOneTabLeavesTheOthersRunAlone,
                    aRenamedTriggerKeepsStateAndHistory,
                    aDeletedTriggerIsDetachedAndComesBack,
                    aDisabledTabDetachesItsTriggers,
                    aRestartOfNodeRedInterruptsWhatItRan,
                ];
                for (const live of lives) await live(house, version);
            }),
        );
    await Promise.all(VERSIONS.map(onVersion));
});
