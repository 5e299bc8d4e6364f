/** Messages into a trigger: they fire it, command it, and come out themselves when their run starts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inHouse, until, VERSIONS } from "./support/house.mjs";
import { debug, finish, tab, trigger, work } from "./support/nodes.mjs";

const PLACE = { x: 100, y: 100 };
const httpIn = (id, url, wires) => ({ ...PLACE, id, z: "flow", type: "http in", url, method: "post", wires: [wires] });
const change = (id, rules, wires) => ({ ...PLACE, id, z: "flow", type: "change", rules, wires: [wires] });
const set = (p, to, tot = "json") => ({ t: "set", p, pt: "msg", to, tot });

const FLOWS = [
    tab("flow"),
    httpIn("in", "/orders", ["orders"]),
    trigger("orders", "flow", { scheduleKind: "none", wires: [["finish", "starts"], ["else"]] }),
    finish("finish", "flow", ["out"]),
    { ...PLACE, id: "out", z: "flow", type: "http response", wires: [] },
    debug("starts", "flow"),
    debug("else", "flow"),
    httpIn("pause-in", "/pause", ["pause"]),
    change("pause", [set("schedule", '{"do":"pause"}')], ["orders", "pause-out"]),
    httpIn("resume-in", "/resume", ["resume"]),
    change("resume", [set("schedule", '{"do":"resume"}')], ["orders", "pause-out"]),
    { ...PLACE, id: "pause-out", z: "flow", type: "http response", wires: [] },
    httpIn("slow-in", "/slow", ["slow-topic"]),
    change("slow-topic", [set("topic", "orders / über 7", "str")], ["slow"]),
    trigger("slow", "flow", { scheduleKind: "none", overlapPolicy: "queue", wires: [["slow-work"], []] }),
    debug("slow-done", "flow"),
    work("slow-work", "flow", 3, ["slow-finish", "slow-done"]),
    finish("slow-finish", "flow", ["out"]),
    ...["skip", "cancel"].flatMap((policy) => [
        httpIn(`${policy}-in`, `/${policy}`, [policy]),
        trigger(policy, "flow", { scheduleKind: "none", overlapPolicy: policy, wires: [[`${policy}-work`], [`${policy}-no`]] }),
        work(`${policy}-work`, "flow", 4, [`${policy}-finish`]),
        finish(`${policy}-finish`, "flow", ["out"]),
        change(`${policy}-no`, [set("statusCode", "409", "num")], ["out"]),
    ]),
];

const post = (house, path, body) =>
    fetch(house.nodeRed.url + path, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(20_000),
    });

async function theMessageItselfComesOut(house) {
    const answer = await post(house, "/orders", { order: 7 });
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), { order: 7 });
    const [message] = await until("the start", () => house.shown("starts").length && house.shown("starts"));
    assert.equal(message.run.source, "input");
    assert.equal((await house.executions("orders"))[0].executionId, message.run.executionId);
}

async function aPausedTriggerSkipsAndOutlivesADeploy(house) {
    await post(house, "/pause", {});
    await until("the pause", async () => (await house.trigger("orders")).paused);
    await house.deploy(FLOWS, "full");
    assert.equal((await house.trigger("orders")).paused, true);
    const lost = post(house, "/orders", { order: 8 }).catch(() => {});
    const skipped = () => house.shown("else").find(({ payload }) => payload.reason === "paused");
    await until("the skip to be told", skipped);
    await post(house, "/resume", {});
    await until("the end of the pause", async () => !(await house.trigger("orders")).paused);
    assert.equal((await post(house, "/orders", { order: 9 })).status, 200);
    await house.nodeRed.stop(); // whoever still waits for an answer is let go
    await lost;
}

async function aQueuedMessageAnswersWhenItsRunEnds(house) {
    const first = post(house, "/slow", { n: 1 });
    await until("the first run", async () => (await house.executions("slow")).length === 1);
    const second = post(house, "/slow", { n: 2 });
    assert.deepEqual(await (await first).json(), { n: 1 });
    assert.deepEqual(await (await second).json(), { n: 2 });
}

/** Output 2 is wired to an HTTP Response, as the help advises. */
async function whoeverIsTurnedDownIsAnswered(house) {
    const first = post(house, "/skip", { n: 1 });
    await until("the first run", async () => (await house.executions("skip")).length === 1);
    const second = await post(house, "/skip", { n: 2 });
    assert.equal(second.status, 409);
    assert.match((await second.json()).message, /^Skipped: run \w{4} of this workflow has been running/);
    assert.deepEqual(await (await first).json(), { n: 1 });
}

async function whoeverIsCancelledIsAnswered(house) {
    const first = post(house, "/cancel", { n: 1 });
    await until("the first run", async () => (await house.executions("cancel"))[0]?.startedAt);
    const second = post(house, "/cancel", { n: 2 });
    const cancelled = await first;
    assert.deepEqual([cancelled.status, (await cancelled.json()).outcome], [409, "cancelled"]);
    assert.deepEqual(await (await second).json(), { n: 2 });
}

async function payloadAndTopicComeBackAfterARestart(house, version) {
    const before = (await house.executions("slow")).length;
    const lost = [1, 2].map((n) => post(house, "/slow", { n }).catch(() => {}));
    await until("a run that waits", async () => (await house.executions("slow")).length === before + 2);
    await house.nodeRed.kill("SIGKILL");
    await Promise.all(lost);
    await house.startNodeRed(version);
    const [message] = await until("the run that waited", () => house.shown("slow-done").length && house.shown("slow-done"));
    assert.equal(message.topic, "orders / über 7");
    assert.ok([1, 2].includes(message.payload.n));
}

test("messages fire, command and come out", { concurrency: true }, async (t) => {
    const onVersion = (version) =>
        t.test(`on Node-RED ${version}`, () =>
            inHouse({ version, flows: FLOWS }, async (house) => {
                await until("the triggers", async () => (await house.trigger("slow")) && house.trigger("orders"));
                await theMessageItselfComesOut(house);
                await aQueuedMessageAnswersWhenItsRunEnds(house);
                await whoeverIsTurnedDownIsAnswered(house);
                await whoeverIsCancelledIsAnswered(house);
                await payloadAndTopicComeBackAfterARestart(house, version);
                await aPausedTriggerSkipsAndOutlivesADeploy(house);
            }),
        );
    await Promise.all(VERSIONS.map(onVersion));
});
