/** The bridge is killed in the middle of a run and started again: nothing is lost, nothing runs twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inHouse, mostAtOnce, until, VERSIONS } from "./support/house.mjs";
import { debug, finish, tab, trigger, work } from "./support/nodes.mjs";

const FLOWS = [
    tab("flow"),
    trigger("queue", "flow", {
        every: 3,
        overlapPolicy: "queue",
        maxRunMinutes: 5,
        endsOnSilence: false,
        wires: [["work", "starts"], []],
    }),
    work("work", "flow", 10, ["finish"]),
    finish("finish", "flow"),
    debug("starts", "flow"),
];

const inState = (executions, ...states) => executions.filter(({ state }) => states.includes(state));

async function untilOneRunsAndOneWaits(house) {
    return until("a run with a queued one behind it", async () => {
        const executions = await house.trigger("queue").then((found) => (found ? house.executions("queue") : []));
        const [running] = inState(executions, "running");
        const [queued] = inState(executions, "queued");
        return running && queued && { running, queued };
    });
}

async function livesThroughTheKill(house) {
    const before = await untilOneRunsAndOneWaits(house);
    await house.bridge.kill("SIGKILL");
    await until("Node-RED to show that the bridge is away", () => house.status("queue")?.fill === "red");
    assert.equal(house.status("queue").shape, "ring");

    await house.startBridge();
    const after = await house.executions("queue");
    const same = after.find(({ executionId }) => executionId === before.running.executionId);
    assert.ok(["running", "completed"].includes(same.state), `the run is ${same.state}`);

    const ended = async () => {
        const executions = await house.executions("queue");
        const byId = (id) => executions.find(({ executionId }) => executionId === id);
        return byId(before.running.executionId).endedAt && byId(before.queued.executionId).endedAt && executions;
    };
    const executions = await until("both runs to end", ended);
    assert.equal(inState(executions, "completed").length, executions.filter(({ endedAt }) => endedAt).length);
    assert.equal(mostAtOnce(executions), 1);
    assert.notEqual(house.status("queue").fill, "red", "it recovers without a deploy");

    const claimed = executions.filter(({ startedAt }) => startedAt).map(({ executionId }) => executionId);
    const shown = () => house.shown("starts").map(({ run }) => run.executionId);
    await until("the starts to be shown", () => shown().length >= claimed.length);
    assert.deepEqual(shown(), claimed, "every claimed run came out, once");
}

test("a killed bridge loses nothing and runs nothing twice", { concurrency: true }, async (t) => {
    const onVersion = (version) => () => inHouse({ version, flows: FLOWS }, livesThroughTheKill);
    await Promise.all(VERSIONS.map((version) => t.test(`on Node-RED ${version}`, onVersion(version))));
});
