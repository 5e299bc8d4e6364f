/** A run that another takes over from: what becomes of its messages, wherever they are held. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inHouse, until, VERSIONS } from "./support/house.mjs";
import { debug, tab, trigger } from "./support/nodes.mjs";

const PLACE = { x: 100, y: 100 };
const at = (id, z, type, properties, ...outputs) => ({
    ...PLACE,
    ...{ id, z, type, ...properties },
    wires: outputs.map((ids) => [ids].flat()),
});

const TWO_SECONDS = { pauseType: "delay", timeout: "2", timeoutUnits: "seconds" };
const ONE_A_SECOND = { pauseType: "rate", rate: "1", nbRateUnits: "1", rateUnits: "second", drop: false, outputs: 1 };

/** Each run sends two messages into every kind of holder, and goes round in a loop. */
const terminating = [
    tab("ends"),
    trigger("terminate", "ends", { scheduleKind: "none", overlapPolicy: "terminate", wires: [["two"], ["ended"]] }),
    at("two", "ends", "function", { func: "return [[{ n: 1 }, { n: 2 }]];", outputs: 1 }, ["delay", "rate", "batch", "loop"]),
    at("delay", "ends", "delay", TWO_SECONDS, "out"),
    at("rate", "ends", "delay", ONE_A_SECOND, "out"),
    at("batch", "ends", "batch", { mode: "count", count: 3, overlap: 0 }, "out"),
    at("loop", "ends", "function", { func: "await new Promise((r) => setTimeout(r, 300)); return {};", outputs: 1 }, ["loop", "beat"]),
    debug("beat", "ends"),
    debug("out", "ends"),
    debug("ended", "ends"),
];

const cancelling = [
    tab("flows-on"),
    trigger("cancel", "flows-on", {
        scheduleKind: "none",
        overlapPolicy: "cancel",
        maxConcurrent: 1,
        wires: [["work"], ["cancelled"]],
    }),
    at("work", "flows-on", "delay", TWO_SECONDS, ["guard", "finish"]),
    at("guard", "flows-on", "schedule-guard", {}, "wanted", "over"),
    at("finish", "flows-on", "schedule-finish", { outcome: "auto" }, "passed"),
    ...["wanted", "over", "passed", "cancelled"].map((id) => debug(id, "flows-on")),
];

async function fire(house, id) {
    const answer = await fetch(`${house.nodeRed.url}/schedule-trigger/${id}/run`, { method: "POST" });
    assert.ok(answer.ok, await answer.text());
}

/** Two runs of a trigger; the second one starts while the first one is at work. */
async function takeOver(house, id) {
    await until(`the trigger ${id}`, () => house.trigger(id));
    await fire(house, id);
    const first = await until(`a run of ${id}`, async () => (await house.executions(id)).find((e) => e.state === "running"));
    // The first one's messages have come to the nodes that hold them.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await fire(house, id);
    const second = await until(`the other run of ${id}`, async () => (await house.executions(id))[1]);
    return { first: first.executionId, second: second.executionId };
}

const runsAt = (house, id) => house.shown(id).map(({ run }) => run?.executionId);

async function noMessageOfATerminatedRunIsDelivered(house) {
    const { first, second } = await takeOver(house, "terminate");
    const end = await until("the end on output 2", () => house.shown("ended").find(({ payload }) => payload.outcome));
    assert.deepEqual([end.payload.executionId, end.payload.halt], [first, true]);
    // Two messages of the second run come out of each holder but the batch of three, which keeps one of them.
    await until("the second run's messages", () => runsAt(house, "out").filter((run) => run === second).length === 5);
    const ofFirst = runsAt(house, "out").filter((run) => run === first);
    assert.deepEqual(ofFirst, [first], "nothing but what the rate limit let through at once");
    const order = house.editor.debug.map(({ message }) => message.run?.executionId);
    assert.ok(order.lastIndexOf(first) < order.indexOf(second), "and nothing after the second run began");
}

async function theMessagesOfACancelledRunFlowOnToTheNextGuardOrFinish(house) {
    const { first, second } = await takeOver(house, "cancel");
    await until("the second run's message", () => runsAt(house, "passed").includes(second));
    await until("its end", async () => (await house.ask(`/v1/executions/${second}`)).state === "completed");
    assert.deepEqual(runsAt(house, "over"), [first]);
    assert.deepEqual(runsAt(house, "wanted"), [second]);
    assert.deepEqual(runsAt(house, "passed"), [second]);
    const ends = house.shown("cancelled").filter(({ payload }) => payload.outcome);
    assert.deepEqual(
        ends.map(({ payload }) => [payload.executionId, payload.outcome, payload.halt]),
        [[first, "cancelled", false]],
    );
}

test("cancel and terminate", { concurrency: true }, async (t) => {
    const onVersion = (version) =>
        t.test(`on Node-RED ${version}`, () =>
            inHouse({ version, flows: [...terminating, ...cancelling] }, async (house) => {
                await Promise.all([
                    noMessageOfATerminatedRunIsDelivered(house),
                    theMessagesOfACancelledRunFlowOnToTheNextGuardOrFinish(house),
                ]);
            }),
        );
    await Promise.all(VERSIONS.map(onVersion));
});
