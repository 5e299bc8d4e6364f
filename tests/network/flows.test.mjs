/** What comes out of a trigger's outputs in a real Node-RED while the network does its worst. */
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import nodeRed from "../node-red/support/node-red.js";
import { until, World } from "./support/world.mjs";

const LIMIT = { timeout: 90_000 };
const isConfirmation = ({ confirmed }) => confirmed === true;

/** Longer than the client needs to come back. */
const HELD_SECONDS = 3;

const wired = (id, type, wires, more = {}) => ({ id, type, z: "tab", wires, ...more });
const FLOW = [
    { id: "tab", type: "tab", label: "flow" },
    wired("t", "schedule-trigger", [["out1", "held"], ["out2"]], { scheduleKind: "none", overlapPolicy: "queue", endsOnSilence: false }),
    wired("out1", "junction", [[]]),
    wired("out2", "junction", [[]]),
    wired("held", "delay", [["late", "f"]], { pauseType: "delay", timeout: String(HELD_SECONDS), timeoutUnits: "seconds" }),
    wired("late", "junction", [[]]),
    wired("f", "schedule-finish", [["passed"]]),
    wired("passed", "junction", [[]]),
    wired("c", "catch", [["caught"]], { scope: ["t"] }),
    wired("caught", "junction", [[]]),
];

/** @type {World} */
let world;
const node = new nodeRed.NodeRed();
const triggerId = () => `${node.instance}.t`;
const fire = (payload) => node.RED.nodes.getNode("t").receive({ payload, own: true });
const out = (id) => node.received(id);
const ends = () => out("out2").filter(({ payload }) => payload.outcome);
const condition = () => node.statusOf("t")?.text;
const notCutOff = () => condition() !== "bridge away" && condition() !== "connecting";

async function whenCutOff(act) {
    world.proxy.refusal = 502;
    world.proxy.cut();
    await until("the node to show that the bridge is away", () => condition() === "bridge away");
    await act();
    world.proxy.refusal = undefined;
    await until("the node to be back", notCutOff);
}

before(async () => {
    world = await World.open();
    Object.assign(process.env, { SCHEDULE_BRIDGE_URL: world.proxy.url, SCHEDULE_BRIDGE_TOKEN: world.bridge.token });
    await node.start("node-red-4");
    await node.deploy(FLOW);
    await world.untilDeclared({ triggerId: triggerId() });
});

after(async () => {
    await node.stop();
    await world.close();
});

/** The executions that a test before this one has left in the record. */
let past = 0;
beforeEach(async () => {
    past = (await world.executions(triggerId())).length;
    node.messages = [];
});

async function runs() {
    return (await world.executions(triggerId())).slice(past);
}

/** Waits until all that was fired in this test is over. */
function untilOver(count) {
    return until(`${count} runs to end`, async () => {
        const executions = await runs();
        return executions.length >= count && executions.every(({ endedAt }) => endedAt) && executions;
    });
}

for (const [what, stop] of [
    ["the offer", () => world.proxy.stop("bridge", "execution.start")],
    ["the claim", () => world.proxy.stop("client", "started")],
    ["the confirmation", () => world.proxy.stop("bridge", "reply", isConfirmation)],
    ["the report of the end", () => world.proxy.stop("client", "finished")],
]) {
    test(`${what} is lost: the message itself leaves output 1, once`, LIMIT, async () => {
        const stopped = stop();
        fire(what);
        (await stopped).lose();
        const [execution] = await untilOver(1);
        assert.deepEqual([execution.state, out("out1").length, out("passed").length], ["completed", 1, 1]);
        const [message] = out("out1");
        assert.deepEqual([message.payload, message.own, message.run.startedAt], [what, true, execution.startedAt]);
        assert.deepEqual([ends(), out("caught")], [[], []]);
    });
}

test("the answer to a firing is lost: a Catch node gets the error, and nothing leaves output 1", LIMIT, async () => {
    const answer = world.proxy.stop("bridge", "answer fire");
    const offer = world.proxy.stop("bridge", "execution.start");
    fire("lost");
    (await answer).lose();
    await until("the Catch node to be reached", () => out("caught").length === 1);
    (await offer).pass();
    const [execution] = await untilOver(1);
    assert.equal(execution.state, "interrupted");
    assert.deepEqual([out("out1"), ends()], [[], []]);
});

test("a run is terminated while the client is away: what it had in flight goes no further once that is known", LIMIT, async () => {
    fire("terminated");
    const execution = await until("the run", async () => (await runs()).find(({ state }) => state === "running"));
    await until("its first message", () => out("held").length === 1);
    await whenCutOff(() => world.command("terminate", execution));
    await until("the end to be told", () => ends().length === 1);
    fire("next");
    await untilOver(2);
    assert.deepEqual(out("late").map(({ payload }) => payload), ["next"], "a terminated message went on");
    assert.deepEqual(out("passed").map(({ payload }) => payload), ["next"]);
    assert.deepEqual(ends().map(({ payload }) => [payload.executionId, payload.halt]), [[execution.executionId, true]]);
});

test("a run is terminated between its claim and the confirmation, which is lost: nothing leaves output 1", LIMIT, async () => {
    const stopped = world.proxy.stop("bridge", "reply", isConfirmation);
    fire("never");
    const confirmation = await stopped;
    await world.command("terminate", (await runs())[0]);
    confirmation.lose();
    await until("the end to be told", () => ends().length === 1);
    assert.deepEqual(out("out1"), []);
    assert.equal(ends().length, 1);
});

test("every frame and call arrives twice: each message leaves its output once", LIMIT, async () => {
    world.proxy.onCrossing = (crossing) => crossing.pass(2);
    for (const payload of ["first", "second", "third"]) fire(payload);
    const executions = await untilOver(2);
    world.proxy.onCrossing = (crossing) => crossing.pass();
    assert.deepEqual(executions.map(({ state }) => state), ["completed", "completed"]);
    assert.deepEqual(out("out1").map(({ payload }) => payload), ["first", "third"]);
    const told = out("out2").map(({ payload }) => payload.decision);
    assert.deepEqual(told, ["queued", "merged"]);
});
