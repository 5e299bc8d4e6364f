"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Deployed, flow } = require("./support/deployed");
const { defaultReply, offer } = require("./support/peer");
const { until } = require("./support/until");

const LIMIT = { timeout: 20_000 };
const WARN = 30;

const house = new Deployed();
const { node, peer } = house;
const ON_SILENCE = { endsOnSilence: true };

/**
 * A node behind the trigger.
 * @param {string} id
 * @param {string} type
 * @param {object} [properties]
 */
const at = (id, type, properties) => ({ id, type, z: "tab", wires: [[]], ...properties });
/** @param {string} func */
const work = (func) => at("work", "function", { name: "resize images", func, outputs: 1, wires: [["end"]] });
const holding = (/** @type {string} */ id) => at(id, "delay", { pauseType: "delay", timeout: "60", timeoutUnits: "seconds" });

const ends = () => peer.frames.filter(({ type }) => type === "finished");
/** @param {string} executionId */
const endOf = (executionId) => peer.frame("finished", (frame) => frame.executionId === executionId);

/** @param {string} executionId */
const terminate = (executionId) => {
    const end = { type: "execution.ended", executionId, triggerId: house.known("t"), outcome: "cancelled" };
    peer.send({ ...end, reason: "terminated", halt: true });
};

test("a run ends by itself when its messages have been dealt with", LIMIT, async () => {
    await house.deploy(ON_SILENCE);
    await house.run("a1");
    const end = await endOf("a1");
    assert.deepEqual([end.outcome, end.error], ["completed", undefined]);
    await until(() => node.statusOf("t")?.text !== "running 1");
});

test("an error that no Catch node handles makes it a failed one, with its message", LIMIT, async () => {
    await house.deploy({ ...ON_SILENCE, wires: [["work"], []] }, [work('throw new Error("no paper")'), at("end", "junction")]);
    peer.send(offer("b1", house.known("t")));
    const end = await endOf("b1");
    assert.deepEqual([end.outcome, end.error], ["failed", "no paper"]);
});

test("a node whose handler throws has done, and its run failed", LIMIT, async () => {
    await house.deploy({ ...ON_SILENCE, wires: [["end"], []] }, [at("end", "junction")]);
    const handler = (/** @type {any} */ _message, /** @type {any} */ _send, /** @type {any} */ _done) => {
        throw new Error("a bad node");
    };
    const bad = node.RED.nodes.getNode("end");
    bad.removeAllListeners("input");
    bad.on("input", handler);
    peer.send(offer("c1", house.known("t")));
    const end = await endOf("c1");
    assert.deepEqual([end.outcome, end.error], ["failed", "a bad node"]);
    assert.equal(bad._inputCallback, handler);
});

test("late activity shows on the trigger with the node's name, and is warned of once", LIMIT, async () => {
    const late = work("setTimeout(() => node.send(msg), 300); setTimeout(() => node.send(msg), 400);");
    await house.deploy({ ...ON_SILENCE, wires: [["work"], []] }, [late, at("end", "junction")]);
    peer.send(offer("d1", house.known("t")));
    await endOf("d1");
    await until(() => node.received("end").length === 2);
    assert.deepEqual([node.statusOf("t").text, node.statusOf("t").fill], ["late: resize images", "yellow"]);
    assert.equal(node.logged(WARN).length, 1);
    assert.match(node.logged(WARN)[0], /Run d1 was taken for completed when “resize images” \(function\) sent another message/);
});

test("a name that is too long for a status is cut", LIMIT, async () => {
    const late = { ...work("setTimeout(() => node.send(msg), 300)"), name: "resize all of the images" };
    await house.deploy({ ...ON_SILENCE, wires: [["work"], []] }, [late, at("end", "junction")]);
    peer.send(offer("d2", house.known("t")));
    await until(() => node.statusOf("t")?.text === "late: resize all of…");
});

test("a guard lets the messages of an active run through, and turns away those of one that has ended", LIMIT, async () => {
    const guard = at("guard", "schedule-guard", { wires: [["wanted"], ["over"]] });
    await house.deploy({}, [guard, at("wanted", "junction"), at("over", "junction")]);
    const message = await house.run("e1");
    const ask = (/** @type {any} */ asked) => node.RED.nodes.getNode("guard").receive(asked);
    ask({ ...message, step: 1 });
    node.RED.nodes.getNode("f").receive({ ...message });
    await endOf("e1");
    ask({ ...message, step: 2 });
    ask({ step: 3 });
    ask({ step: 4, run: { executionId: "of another Node-RED" } });
    await until(() => node.received("over").length === 2);
    const steps = (/** @type {string} */ id) => node.received(id).map(({ step }) => step);
    assert.deepEqual([steps("wanted"), steps("over")], [
        [1, 3],
        [2, 4],
    ]);
    assert.match(node.logged(WARN)[0], /belongs to no run/);
});

test("what a terminated run has in a Delay node is swallowed when it comes out, and other runs' messages are not", LIMIT, async () => {
    const delay = { ...holding("work"), timeout: "0.3", wires: [["end"]] };
    await house.deploy({ wires: [["work", "out1"], ["out2"]] }, [delay, at("end", "junction")]);
    await house.run("f1");
    await house.run("f2");
    terminate("f1");
    await until(() => node.received("end").length);
    assert.deepEqual(
        node.received("end").map(({ run }) => run.executionId),
        ["f2"],
    );
    assert.equal(node.received("out2")[0].payload.executionId, "f1");
});

test("a run that is terminated while its payload is made sends nothing", LIMIT, async () => {
    await house.deploy({ payloadType: "jsonata", payload: "$millis()" });
    const { length } = peer.frames;
    peer.reply = (frame) => {
        if (frame.type !== "started") return { detached: [], invalid: [] };
        setImmediate(() => terminate("g1"));
        return { confirmed: true, startedAt: "S", deadline: "D" };
    };
    peer.send(offer("g1", house.known("t")));
    await until(() => node.received("out2").length);
    await house.run("g2");
    assert.deepEqual(
        node.received("out1").map(({ run }) => run.executionId),
        ["g2"],
    );
    assert.ok(peer.frames.length > length);
});

test("a deploy interrupts the runs that have a message in a node that stops, and no others", LIMIT, async () => {
    const u = { id: "u", type: "schedule-trigger", z: "tab", endsOnSilence: false, wires: [["delay2"], []] };
    const nodes = [...flow({ wires: [["delay1"], []] }), holding("delay1"), u, holding("delay2")];
    const idle = { id: "v", type: "schedule-trigger", z: "tab", endsOnSilence: false, wires: [[], []] };
    await node.deploy([...nodes, idle]);
    await until(() => peer.frames.some(({ type }) => type === "here"));
    for (const [run, trigger] of Object.entries({ h1: "t", h2: "u", h3: "v" })) peer.send(offer(run, house.known(trigger)));
    await until(() => node.received("delay1").length && node.received("delay2").length);
    const changed = [...nodes, idle].map((each) => (each.id === "delay1" ? { ...each, timeout: "61" } : each));
    await node.deploy(changed, "nodes");
    assert.deepEqual(
        ends().map(({ executionId, outcome }) => [executionId, outcome]),
        [["h1", "interrupted"]],
    );
    await node.deploy([...changed], "full");
    assert.deepEqual(
        ends().map(({ executionId }) => executionId),
        ["h1", "h2"],
    );
});

test("a bridge that does not answer does not hold up a deploy", LIMIT, async () => {
    await house.deploy({ wires: [["held"], []] }, [holding("held")]);
    peer.send(offer("k1", house.known("t")));
    await until(() => node.received("held").length);
    peer.reply = () => undefined;
    await node.deploy(flow());
    assert.equal((await endOf("k1")).outcome, "interrupted");
    peer.reply = defaultReply;
    peer.hangUp(); // what was not answered is sent again
});

test("a client whose triggers are gone sees its runs to their end before it closes", LIMIT, async () => {
    await house.deploy();
    await house.run("i1");
    await node.deploy([]);
    const [, here] = await peer.framesOf("here", 2);
    assert.deepEqual([here.triggers, here.runs, peer.isConnected], [[], ["i1"], true]);
    peer.send({ type: "execution.ended", executionId: "i1", outcome: "expired", halt: false });
    await until(() => !peer.isConnected);
});

test("a message that cannot be followed is delivered all the same, and said", LIMIT, async () => {
    await house.deploy();
    const message = Object.defineProperty({ payload: 1 }, "run", {
        get() {
            throw new Error("private");
        },
    });
    node.RED.nodes.getNode("passed").receive(message);
    await until(() => node.received("passed").length);
    await until(() => node.logged(WARN).some((text) => text.includes("could not be followed") && text.includes("private")));
});

test("hooks are in place while a trigger is deployed or a run goes on, and no longer", LIMIT, async () => {
    const names = ["preDeliver", "onReceive", "postReceive", "onComplete"];
    const inPlace = () => names.map((name) => node.RED.hooks.has(`${name}.scheduleTrigger`));
    assert.deepEqual(inPlace(), [false, false, false, false]);
    await house.deploy();
    assert.deepEqual(inPlace(), [true, true, true, true]);
    await house.run("j1");
    await node.deploy([]);
    assert.deepEqual(inPlace(), [true, true, true, true]);
    peer.send({ type: "execution.ended", executionId: "j1", outcome: "expired", halt: false });
    await until(() => !peer.isConnected);
    assert.deepEqual(inPlace(), [false, false, false, false]);
});
