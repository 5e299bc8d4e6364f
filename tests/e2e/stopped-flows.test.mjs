/** Where the flows do not run, nothing starts: stopped by a person, or in safe mode. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { assertNothingStarts, busy, changed, liveOnBoth, running, untilInterrupted } from "./support/deploying.mjs";
import { until } from "./support/house.mjs";

const FLOWS = [...busy("one")];
const settings = { runtimeState: { enabled: true, ui: true } };
const safely = { NODE_RED_ENABLE_SAFE_MODE: "true" };

const setState = (house, state) => house.administer("POST", "/flows/state", { state });

/** Node-RED answers before it has written the state down. */
const untilWritten = (house, state) =>
    until(`the state ${state} to be written`, () => {
        const file = path.join(house.userDir, ".config.runtime.json");
        return JSON.parse(readFileSync(file, "utf8")).runtimeFlowState === state;
    });

async function aRunOtherThan(house, node, { executionId }) {
    const run = await until(`another run of ${node}`, async () => {
        const found = await running(house, node);
        return found.executionId !== executionId && found;
    });
    assert.equal((await house.trigger(node)).detached, false);
    return run;
}

async function stoppedFlowsStartNothing(house) {
    const run = await running(house, "one");
    await setState(house, "stop");
    await untilInterrupted(house, run);
    await assertNothingStarts(house, "one");
    assert.equal((await house.trigger("one")).detached, false, "it is away, not gone");
    await setState(house, "start");
    await aRunOtherThan(house, "one", run);
}

async function aDeployWhileTheFlowsAreStoppedStartsNothing(house) {
    const run = await running(house, "one");
    await setState(house, "stop");
    await untilInterrupted(house, run);
    await house.store(changed(FLOWS, "one", { name: "renamed" }));
    await assertNothingStarts(house, "one");
    assert.equal((await house.trigger("one")).configuration.name, "one", "nothing is declared");
    await setState(house, "start");
    await until("the new name", async () => (await house.trigger("one")).configuration.name === "renamed");
    await aRunOtherThan(house, "one", run);
}

async function stoppedFlowsStayStoppedOverARestart(house, version) {
    const run = await running(house, "one");
    await setState(house, "stop");
    await untilInterrupted(house, run);
    await untilWritten(house, "stop");
    await house.nodeRed.stop();
    await house.startNodeRed(version);
    await assertNothingStarts(house, "one");
    await setState(house, "start");
    await aRunOtherThan(house, "one", run);
}

async function inSafeModeNothingStartsUntilADeploy(house, version) {
    const run = await running(house, "one");
    await untilWritten(house, "start");
    await house.nodeRed.stop();
    await house.startNodeRed(version, safely);
    await assertNothingStarts(house, "one");
    await house.deploy(FLOWS);
    await aRunOtherThan(house, "one", run);
    await untilInterrupted(house, run);
}

test("flows that are stopped start nothing", { concurrency: true }, (t) =>
    liveOnBoth(t, { flows: FLOWS, settings }, [
        stoppedFlowsStartNothing,
        aDeployWhileTheFlowsAreStoppedStartsNothing,
        stoppedFlowsStayStoppedOverARestart,
        inSafeModeNothingStartsUntilADeploy,
    ]));
