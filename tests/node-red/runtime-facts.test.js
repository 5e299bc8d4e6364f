"use strict";

// What the tracking of runs takes for granted about Node-RED.

const assert = require("node:assert/strict");
const { AsyncLocalStorage } = require("node:async_hooks");
const { after, afterEach, before, test } = require("node:test");
const { NodeRed } = require("./support/node-red");
const { until } = require("./support/until");

const LIMIT = { timeout: 20_000 };
const HOOKS = ["onSend", "preRoute", "preDeliver", "postDeliver", "onReceive", "postReceive", "onComplete"];
const node = new NodeRed();

/** @type {{hook: string, id: string, msg: any}[]} every hook that was called, with the node that it is about */
let calls = [];

/**
 * @param {string} hook
 * @param {any} event
 */
function note(hook, event) {
    if (hook === "onSend") for (const each of event) calls.push({ hook, id: each.destination.id, msg: each.msg });
    else calls.push({ hook, id: (event.destination ?? event.node).id, msg: event.msg });
}

/**
 * @param {string} id
 * @param {string} [hook]
 */
const callsOf = (id, hook) => calls.filter((call) => call.id === id && (!hook || call.hook === hook));
/** @param {string} id */
const hooksOf = (id) => callsOf(id).map(({ hook }) => hook);

/**
 * @param {string} id
 * @param {string} type
 * @param {object} properties
 * @param {...(string | string[])} outputs
 */
const at = (id, type, properties, ...outputs) => ({ id, type, z: "tab", ...properties, wires: outputs.map((ids) => [ids].flat()) });
/**
 * @param {string} id
 * @param {string} func
 * @param {...(string | string[])} outputs
 */
const fn = (id, func, ...outputs) => at(id, "function", { func, outputs: outputs.length }, ...outputs);
/** @param {string} id */
const sink = (id) => at(id, "junction", {});

/** @param {...object} nodes */
const deploy = (...nodes) => node.deploy([{ id: "tab", type: "tab" }, ...nodes]);
/**
 * @param {string} id
 * @param {any} message
 */
const give = (id, message) => node.RED.nodes.getNode(id).receive(message);

before(async () => {
    await node.start(process.env.NODE_RED_PACKAGE || "node-red-4");
    for (const hook of HOOKS) node.RED.hooks.add(`${hook}.facts`, (/** @type {any} */ event) => note(hook, event));
});

afterEach(() => {
    calls = [];
});

after(() => node.stop());

test("a wire calls the hooks in their order", LIMIT, async () => {
    await deploy(fn("a", "return msg;", "b"), fn("b", "return null;", []));
    give("a", {});
    await until(() => callsOf("b", "onComplete").length);
    assert.deepEqual(hooksOf("b"), HOOKS);
});

test("a node has done before Catch and Complete nodes get their messages", LIMIT, async () => {
    await deploy(
        fn("a", 'if (msg.bad) throw new Error("boom"); return null;', []),
        at("catch", "catch", { scope: null }, []),
        at("complete", "complete", { scope: ["a"] }, []),
    );
    give("a", { bad: true });
    give("a", {});
    await until(() => callsOf("catch", "onReceive").length && callsOf("complete", "onReceive").length);
    const order = calls.map(({ hook, id }) => `${hook} ${id}`);
    for (const id of ["catch", "complete"]) assert.equal(order[order.indexOf(`onReceive ${id}`) - 1], "onComplete a");
});

test("Catch, Complete, Status and called Link In nodes are handed their messages past the hooks of sending", LIMIT, async () => {
    await deploy(
        fn("a", 'node.status({ text: "busy" }); node.error("boom", msg); return msg;', "call"),
        at("catch", "catch", { scope: ["a"] }, []),
        at("complete", "complete", { scope: ["a"] }, []),
        at("status", "status", { scope: ["a"] }, []),
        at("call", "link call", { links: ["in"], linkType: "static", timeout: "5" }, []),
        at("in", "link in", { links: [] }, "out"),
        at("out", "link out", { mode: "return", links: [] }),
    );
    give("a", {});
    await until(() => callsOf("call", "onComplete").length);
    for (const id of ["catch", "complete", "status", "in"]) assert.equal(hooksOf(id)[0], "onReceive", id);
});

test("a message to a node that is disabled dies after preRoute", LIMIT, async () => {
    await deploy(fn("a", "return msg;", ["off", "b"]), at("off", "debug", { d: true }), sink("b"));
    give("a", {});
    await until(() => callsOf("b", "onReceive").length);
    assert.deepEqual(hooksOf("off"), ["onSend", "preRoute"]);
});

test("Switch, Filter and subflow instances never say that they have done", LIMIT, async () => {
    await node.deploy([
        { id: "sub", type: "subflow", name: "s", in: [{ wires: [{ id: "within" }] }], out: [] },
        { id: "within", type: "junction", z: "sub", wires: [[]] },
        { id: "tab", type: "tab" },
        fn("a", "return msg;", ["switch", "filter", "instance", "b"]),
        at("switch", "switch", { property: "payload", propertyType: "msg", rules: [{ t: "else" }] }, []),
        at("filter", "rbe", { func: "rbe", property: "payload", topi: "topic" }, []),
        at("instance", "subflow:sub", {}),
        fn("b", "return null;", []),
    ]);
    give("a", { payload: 1 });
    await until(() => callsOf("b", "onComplete").length && callsOf("instance", "postReceive").length);
    for (const id of ["switch", "filter", "instance"]) {
        assert.equal(hooksOf(id).at(-1), "postReceive", id);
        assert.ok(node.RED.nodes.getNode(id)._inputCallback.length < 3, id);
    }
});

test("a node whose handler throws never says that it has done", LIMIT, async () => {
    await deploy(sink("a"));
    const bad = node.RED.nodes.getNode("a");
    bad.removeAllListeners("input");
    bad.on("input", (/** @type {any} */ _message, /** @type {any} */ _send, /** @type {any} */ _done) => {
        throw new Error("boom");
    });
    give("a", {});
    assert.deepEqual(hooksOf("a"), ["onReceive", "postReceive"]);
});

test("a node's only handler is called by a property that can hold another one; several handlers are not", LIMIT, async () => {
    await deploy(sink("a"));
    const a = node.RED.nodes.getNode("a");
    assert.deepEqual([typeof a._inputCallback, a._inputCallbacks], ["function", null]);
    /** @type {any[][]} */
    const seen = [];
    a._inputCallback = (/** @type {any[]} */ ...parameters) => seen.push(parameters);
    give("a", { payload: 1 });
    await until(() => seen.length);
    assert.deepEqual(seen[0].map((each) => typeof each), ["object", "function", "function"]);
    a.on("input", () => {});
    assert.equal(a._inputCallback, null);
    assert.equal(a._inputCallbacks.length, 2);
});

test("a Link Call that times out says that it failed, and not that it has done", LIMIT, async () => {
    await deploy(
        at("call", "link call", { links: ["in"], linkType: "static", timeout: "0.1" }, []),
        at("in", "link in", { links: [] }, []),
        at("catch", "catch", { scope: ["call"] }, []),
    );
    give("call", {});
    await until(() => callsOf("catch", "onReceive").length);
    const [{ msg }] = callsOf("catch", "onReceive");
    assert.deepEqual([msg.error.message, msg.error.source.type], ["timeout", "link call"]);
    assert.deepEqual(callsOf("call", "onComplete"), []);
});

test("a Delay that is flushed says twice that it has done", LIMIT, async () => {
    await deploy(at("delay", "delay", { pauseType: "delay", timeout: "60", timeoutUnits: "seconds" }, []));
    give("delay", { flush: true, payload: 1 });
    assert.equal(callsOf("delay", "onComplete").length, 2);
});

test("of a fan-out the first receiver gets the original, the others deep copies", LIMIT, async () => {
    await deploy(sink("b"), sink("c"), at("a", "junction", {}, ["b", "c"]));
    const message = { payload: {}, run: { executionId: "r" } };
    give("a", message);
    await until(() => callsOf("c", "onReceive").length);
    const [[first], [second]] = ["b", "c"].map((id) => callsOf(id, "onReceive"));
    assert.equal(first.msg, message);
    assert.notEqual(second.msg.run, message.run);
    assert.deepEqual(second.msg.run, message.run);
});

test("a new object of a Function has no msg.run, and the context of the receiver finds it; in a shared queue it does not", LIMIT, async () => {
    await deploy(
        fn("a", "await null; return { payload: msg.payload };", "rate"),
        at("rate", "delay", { pauseType: "rate", rate: "20", nbRateUnits: "1", rateUnits: "second", drop: false, outputs: 1 }, "b"),
        sink("b"),
    );
    /** @type {AsyncLocalStorage<any>} */
    const context = new AsyncLocalStorage();
    /** @type {Record<string, [number, number | undefined][]>} */
    const seen = { rate: [], b: [] };
    const { hooks } = node.RED;
    hooks.add("preDeliver.context", (/** @type {any} */ { msg, destination }) => {
        assert.equal(msg.run, undefined);
        seen[destination.id].push([msg.payload, context.getStore()]);
    });
    hooks.add("onReceive.context", (/** @type {any} */ { msg }) => context.enterWith(msg.payload));
    for (const payload of [1, 2, 3]) give("a", { payload, run: { executionId: String(payload) } });
    await until(() => seen.b.length === 3);
    hooks.remove("*.context");
    assert.deepEqual(seen.rate, [
        [1, 1],
        [2, 2],
        [3, 3],
    ]);
    assert.deepEqual(seen.b[2], [3, 1]);
});

test("what is held says that it has done while its node closes, after flows:stopping told what stops", LIMIT, async () => {
    const holding = [
        at("delay", "delay", { pauseType: "delay", timeout: "60", timeoutUnits: "seconds" }, []),
        at("join", "join", { mode: "custom", build: "array", count: "5" }, []),
        at("batch", "batch", { mode: "count", count: 5, overlap: 0 }, []),
        at("sort", "sort", { order: "ascending", target: "", targetType: "seq", msgKey: "payload", msgKeyType: "elem" }, []),
    ];
    await deploy(...holding);
    const ids = holding.map(({ id }) => id);
    for (const id of ids) give(id, { payload: 1, parts: { id: "p", index: 0, count: 5 } });
    assert.deepEqual(ids.flatMap((id) => callsOf(id, "onComplete")), []);
    /** @type {any[]} */
    const told = [];
    node.RED.events.once("flows:stopping", (/** @type {any} */ { type, diff }) => {
        told.push([type, diff.removed.sort(), ids.flatMap((id) => callsOf(id, "onComplete"))]);
    });
    await node.deploy([{ id: "tab", type: "tab" }], "nodes");
    assert.deepEqual(told, [["nodes", ids.toSorted(), []]]);
    for (const id of ids) assert.equal(callsOf(id, "onComplete").length, 1, id);
});

for (const { hook, left } of [
    { hook: "onSend", left: [] },
    { hook: "preDeliver", left: ["c"] },
]) {
    test(`halting in ${hook} drops ${left.length ? "one message" : "all that are sent together"}`, LIMIT, async () => {
        await deploy(fn("a", "return [{ stop: true }, {}];", "b", "c"), sink("b"), sink("c"));
        node.RED.hooks.add(`${hook}.halt`, (/** @type {any} */ event) => {
            return (event[0] ?? event).msg.stop ? false : undefined;
        });
        give("a", {});
        await until(() => callsOf("a", "onComplete").length);
        await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
        node.RED.hooks.remove(`${hook}.halt`);
        const received = ["b", "c"].filter((id) => callsOf(id, "onReceive").length);
        assert.deepEqual(received, left);
    });
}

test("a hook that throws takes the message with it, and one with two parameters is waited for", LIMIT, async () => {
    await deploy(sink("a"));
    node.RED.hooks.add("onReceive.bad", () => assert.fail("a bad hook"));
    give("a", {});
    node.RED.hooks.remove("onReceive.bad");
    /** @type {(() => void)[]} */
    const waiting = [];
    node.RED.hooks.add("onReceive.slow", (/** @type {any} */ _event, /** @type {() => void} */ next) => waiting.push(next));
    give("a", {});
    node.RED.hooks.remove("onReceive.slow");
    assert.deepEqual(callsOf("a", "postReceive"), []);
    for (const next of waiting) next();
    assert.equal(callsOf("a", "postReceive").length, 1);
});
