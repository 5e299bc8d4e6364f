/** Triggers and runs within subflow instances, and what becomes of them when an instance goes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
    busy,
    changed,
    liveOnBoth,
    LONG,
    running,
    state,
    untilBack,
    untilDetached,
    untilInterrupted,
    without,
} from "./support/deploying.mjs";
import { tab, trigger, work } from "./support/nodes.mjs";

const PLACE = { x: 100, y: 100 };
const subflow = (id, entry) => ({ id, type: "subflow", name: id, in: entry ? [{ ...PLACE, wires: [{ id: entry }] }] : [], out: [] });
const instance = (id, of, z) => ({ ...PLACE, id, type: `subflow:${of}`, z, wires: [] });

/** A subflow that has a trigger, one that lies in another, and one through which the runs of a tab pass. */
const FLOWS = [
    subflow("ticking"),
    ...without(busy("tick"), "tick-tab").map((node) => ({ ...node, z: "ticking" })),
    subflow("outer"),
    instance("inner", "ticking", "outer"),
    subflow("slow", "slow-work"),
    work("slow-work", "slow", LONG, []),
    tab("flow"),
    instance("a", "ticking", "flow"),
    instance("b", "ticking", "flow"),
    instance("c", "outer", "flow"),
    instance("d", "slow", "flow"),
    trigger("passing", "flow", { every: 2, maxRunMinutes: 5, wires: [["d"], []] }),
];

async function eachInstanceHasATriggerOfItsOwn(house) {
    const runs = [await running(house, "a-tick"), await running(house, "b-tick"), await running(house, "c-inner-tick")];
    assert.equal(new Set(runs.map(({ workflowId }) => workflowId)).size, 3);
}

async function aDeletedInstanceTakesItsOwnRunsAndTriggers(house, type) {
    const [a, b, c] = [await running(house, "a-tick"), await running(house, "b-tick"), await running(house, "c-inner-tick")];
    await house.deploy(without(FLOWS, "a", "c"), type);
    for (const run of [a, c]) await untilInterrupted(house, run);
    for (const node of ["a-tick", "c-inner-tick"]) await untilDetached(house, node);
    assert.equal((await house.trigger("b-tick")).detached, false);
    if (type === "nodes") assert.equal(await state(house, b), "running");
    await house.deploy(FLOWS, type);
    for (const node of ["a-tick", "c-inner-tick"]) await untilBack(house, node);
}

async function aRunThatPassesADeletedInstanceIsInterrupted(house) {
    const run = await running(house, "passing");
    await house.deploy(without(FLOWS, "d"), "nodes");
    await untilInterrupted(house, run);
    assert.equal((await house.trigger("passing")).detached, false);
    await house.deploy(FLOWS, "nodes");
}

async function aDisabledInstanceIsAsOneThatIsDeleted(house) {
    const [a, b] = [await running(house, "a-tick"), await running(house, "b-tick")];
    await house.deploy(changed(FLOWS, "a", { d: true }), "nodes");
    await untilInterrupted(house, a);
    await untilDetached(house, "a-tick");
    assert.equal(await state(house, b), "running");
    await house.deploy(FLOWS, "nodes");
    await untilBack(house, "a-tick");
}

async function aChangedSubflowInterruptsTheRunsOfAllItsInstances(house) {
    const runs = [await running(house, "a-tick"), await running(house, "b-tick"), await running(house, "c-inner-tick")];
    await house.deploy(changed(FLOWS, "tick-work", { timeout: "61" }), "nodes");
    for (const run of runs) await untilInterrupted(house, run);
    for (const node of ["a-tick", "b-tick", "c-inner-tick"]) await running(house, node);
}

test("deploys of subflow instances tell the truth", { concurrency: true }, (t) =>
    liveOnBoth(t, { flows: FLOWS }, [
        eachInstanceHasATriggerOfItsOwn,
        (house) => aDeletedInstanceTakesItsOwnRunsAndTriggers(house, "nodes"),
        (house) => aDeletedInstanceTakesItsOwnRunsAndTriggers(house, "flows"),
        aRunThatPassesADeletedInstanceIsInterrupted,
        aDisabledInstanceIsAsOneThatIsDeleted,
        aChangedSubflowInterruptsTheRunsOfAllItsInstances,
    ]));
