"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Deployed } = require("./support/deployed");
const { until } = require("./support/until");

const LIMIT = { timeout: 20_000 };
const ERROR = 20;

const house = new Deployed();
const { node, peer } = house;

/**
 * @param {string} executionId
 * @param {object} [more]
 */
const ended = (executionId, more) => {
    const end = { type: "execution.ended", executionId, triggerId: house.known("t"), outcome: "cancelled" };
    peer.send({ ...end, reason: "cancelled", halt: false, ...more });
};

/** @param {Record<string, string[]>} active execution ids by state */
function answerWith(active) {
    peer.answer = (path) => {
        const state = new URL(path, "http://peer").searchParams.get("state");
        const executions = (state && active[state]) || [];
        return { body: { executions: executions.map((executionId) => ({ executionId })), nextCursor: null } };
    };
}

const verbsAsked = () => peer.requests.filter(({ method }) => method === "POST").map(({ path }) => path);

for (const verb of ["cancel", "terminate"]) {
    test(`msg.schedule ${verb} ends the run that it names`, LIMIT, async () => {
        await house.deploy();
        house.fire({ schedule: { do: verb, executionId: "a b" } });
        await until(() => peer.requests.length);
        assert.deepEqual(verbsAsked(), [`/v1/executions/a%20b/${verb}`]);
    });

    test(`msg.schedule ${verb} without a run ends all that is active, what waits first`, LIMIT, async () => {
        await house.deploy();
        answerWith({ running: ["r"], pending: ["p"], queued: ["q1", "q2"], onHold: ["h"] });
        house.fire({ schedule: { do: verb } });
        const paths = ["q1", "q2", "h", "p", "r"].map((id) => `/v1/executions/${id}/${verb}`);
        await until(() => verbsAsked().length === paths.length);
        assert.deepEqual(verbsAsked(), paths);
        const asked = new URL(peer.requests[0].path, peer.url).searchParams;
        assert.equal(asked.get("triggerId"), house.known("t"));
    });
}

test("a run that ends by itself meanwhile keeps no other from being cancelled", LIMIT, async () => {
    await house.deploy();
    answerWith({ running: ["r1", "r2"] });
    const { answer } = peer;
    peer.answer = (path, body) => (path.includes("r1") ? { status: 409, body: { detail: "Over." } } : answer(path, body));
    house.fire({ schedule: { do: "cancel" } });
    await until(() => verbsAsked().includes("/v1/executions/r2/cancel"));
    assert.deepEqual(node.logged(ERROR), []);
});

test("more runs than fit a page are all cancelled", LIMIT, async () => {
    await house.deploy();
    peer.answer = (path) => {
        const { searchParams } = new URL(path, peer.url);
        const isFirst = !searchParams.has("cursor");
        const isRunning = searchParams.get("state") === "running";
        const executions = isRunning ? [{ executionId: isFirst ? "r1" : "r2" }] : [];
        return { body: { executions, nextCursor: isRunning && isFirst ? "7" : null } };
    };
    house.fire({ schedule: { do: "cancel" } });
    await until(() => verbsAsked().length === 2);
    assert.deepEqual(verbsAsked(), ["/v1/executions/r1/cancel", "/v1/executions/r2/cancel"]);
});

test("to cancel a named run that is over fails with the bridge's sentence", LIMIT, async () => {
    await house.deploy();
    peer.answer = () => ({ status: 409, body: { detail: "The execution is not active." } });
    house.fire({ schedule: { do: "cancel", executionId: "x" } });
    await until(() => node.logged(ERROR).length);
    assert.match(node.logged(ERROR)[0], /not active/);
});

test("a cancelled run is told once, and a finish node turns its messages away", LIMIT, async () => {
    await house.deploy();
    const message = await house.run("a1");
    ended("a1");
    ended("a1");
    await until(() => node.received("out2").length);
    node.RED.nodes.getNode("f").receive(message);
    await until(() => node.statusOf("f")?.text === "run already over");
    assert.deepEqual(
        node.received("out2").map(({ payload }) => [payload.outcome, payload.run.executionId]),
        [["cancelled", "a1"]],
    );
    assert.deepEqual(node.received("passed"), []);
});

test("the messages of a cancelled run flow on to the finish node, those of a terminated one to no node", LIMIT, async () => {
    const way = { id: "way", type: "junction", z: "tab", wires: [["end"]] };
    const ends = ["end", "end2"].map((id) => ({ id, type: "junction", z: "tab", wires: [[]] }));
    await house.deploy({ wires: [["out1"], ["out3"]] }, [way, { ...way, id: "out3", wires: [["end2"]] }, ...ends]);
    const [cancelled, terminated, other] = [await house.run("b1"), await house.run("b2"), await house.run("b3")];
    ended("b1");
    ended("b2", { halt: true });
    await until(() => node.received("end2").length === 2);
    for (const message of [cancelled, terminated, other]) node.RED.nodes.getNode("way").receive(message);
    await until(() => node.received("end").some(({ run }) => run.executionId === "b3"));
    assert.deepEqual(
        node.received("end").map(({ run }) => run.executionId),
        ["b1", "b3"],
    );
});

test("a run that is cancelled between its offer and its claim is told, and never starts", LIMIT, async () => {
    await house.deploy();
    peer.reply = (frame) => (frame.type === "started" ? { refused: true, reason: "notPending" } : undefined);
    peer.send({ type: "execution.start", executionId: "c1", triggerId: house.known("t"), payload: null, firingKey: null });
    await peer.frame("started");
    ended("c1");
    await until(() => node.received("out2").length);
    assert.equal(node.received("out2")[0].payload.executionId, "c1");
    assert.deepEqual(node.received("out1"), []);
});

test("a queued run that is dropped is told once, and leaves the status", LIMIT, async () => {
    await house.deploy();
    await house.run("d1");
    const decision = { triggerId: house.known("t"), firingId: "1", executionId: "d2", message: "", activeExecutions: [] };
    peer.send({ type: "decision", decision: { ...decision, decision: "queued" } });
    await until(() => node.statusOf("t")?.text === "queued, running 1");
    peer.send({ type: "decision", decision: { ...decision, decision: "dropped", reason: "cancelled" } });
    await until(() => node.statusOf("t")?.text === "running 1");
    assert.deepEqual(
        node.received("out2").map(({ payload }) => payload.decision),
        ["queued", "dropped"],
    );
});
