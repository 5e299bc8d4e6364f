"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { RunTracker } = require("../../node-red/lib/tracking/run-tracker");

const TRIGGER = { id: "t", type: "schedule-trigger" };
const A = { id: "a", type: "function", name: "first" };
const B = { id: "b", type: "function", name: "second" };
const C = { id: "c", type: "debug" };
const STATUS = { id: "status", type: "status" };

/** @param {string} executionId */
const infoOf = (executionId) => /** @type {any} */ ({ executionId, triggerId: "t" });

/** A tracker whose time a test turns by hand. */
class Flow {
    /** @type {string[]} */
    silent = [];
    /** @type {string[]} */
    late = [];
    /** @type {(() => void)[]} */
    timers = [];
    tracker = new RunTracker({
        onSilence: ({ info, error }) => this.silent.push(error ? `${info.executionId}: ${error}` : info.executionId),
        onLate: ({ info }, { name }) => this.late.push(`${info.executionId} by ${name}`),
        later: (act) => this.timers.push(act),
    });

    /** The settle time passes, once for each timer that is set now. */
    settle() {
        for (const act of this.timers.splice(0)) act();
    }

    /**
     * @param {string} executionId
     * @param {{endsOnSilence?: boolean}} [how]
     * @returns {any} the first message, on its way to node A
     */
    begin(executionId, { endsOnSilence = true } = {}) {
        const run = infoOf(executionId);
        /** @type {any} */
        let message;
        this.tracker.begin(run, { endsOnSilence, node: TRIGGER }, () => {
            message = this.tracker.deliver({ run }, TRIGGER, A, undefined);
        });
        return message;
    }

    /**
     * @param {any} message
     * @param {import("../../node-red/lib/tracking/tracked-run").Place} node
     * @returns {any} the hop
     */
    arrive(message, node) {
        return this.tracker.receive(message, node, undefined, undefined);
    }
}

test("a run is over when its message has been dealt with and the settle time has passed", () => {
    const flow = new Flow();
    const message = flow.begin("r");
    flow.settle();
    assert.deepEqual(flow.silent, []);
    flow.arrive(message, A);
    flow.settle();
    assert.deepEqual(flow.silent, []);
    flow.tracker.complete(message, A);
    flow.settle();
    assert.deepEqual(flow.silent, ["r"]);
    assert.equal(flow.tracker.isBusy, false);
});

test("a run whose trigger sends nothing is over at once", () => {
    const flow = new Flow();
    flow.tracker.begin(infoOf("r"), { endsOnSilence: true, node: TRIGGER }, () => {});
    flow.settle();
    assert.deepEqual(flow.silent, ["r"]);
});

test("what follows within the settle time keeps the run going", () => {
    const flow = new Flow();
    const message = flow.begin("r");
    flow.arrive(message, A);
    flow.tracker.complete(message, A);
    const next = /** @type {any} */ (flow.tracker.deliver(message, A, B, undefined));
    flow.settle();
    flow.arrive(next, B);
    flow.tracker.complete(next, B);
    assert.deepEqual(flow.silent, []);
    flow.settle();
    assert.deepEqual(flow.silent, ["r"]);
});

test("a silence that was broken is timed anew, with one timer", () => {
    const flow = new Flow();
    let message = flow.begin("r");
    for (let step = 0; step < 3; step += 1) {
        flow.arrive(message, A);
        flow.tracker.complete(message, A);
        if (step < 2) message = flow.tracker.deliver(message, A, A, undefined);
    }
    assert.equal(flow.timers.length, 1);
    flow.settle();
    assert.deepEqual(flow.silent, []);
    flow.settle();
    assert.deepEqual(flow.silent, ["r"]);
});

test("a node that says twice that it has done is counted once", () => {
    const flow = new Flow();
    const message = flow.begin("r");
    flow.arrive(message, A);
    const next = /** @type {any} */ (flow.tracker.deliver({ ...message }, A, B, undefined));
    flow.tracker.complete(message, A);
    assert.equal(flow.tracker.complete(message, A), undefined);
    flow.settle();
    assert.deepEqual(flow.silent, []);
    flow.arrive(next, B);
    flow.tracker.complete(next, B);
    flow.settle();
    assert.deepEqual(flow.silent, ["r"]);
});

test("one message object at two nodes at once is two hops", () => {
    const flow = new Flow();
    const message = flow.begin("r");
    flow.arrive(message, A);
    flow.tracker.deliver(message, A, B, undefined);
    flow.arrive(message, B);
    flow.tracker.complete(message, B);
    flow.settle();
    assert.deepEqual(flow.silent, []);
    flow.tracker.complete(message, A);
    flow.settle();
    assert.deepEqual(flow.silent, ["r"]);
});

test("where only a finish node ends runs, silence does not", () => {
    const flow = new Flow();
    const message = flow.begin("r", { endsOnSilence: false });
    flow.arrive(message, A);
    flow.tracker.complete(message, A);
    flow.settle();
    assert.deepEqual(flow.silent, []);
    assert.equal(flow.tracker.isBusy, true);
});

test("a run that ended otherwise does not fall silent any more", () => {
    const flow = new Flow();
    const message = flow.begin("r");
    flow.arrive(message, A);
    flow.tracker.complete(message, A);
    flow.tracker.end("r");
    flow.settle();
    assert.deepEqual(flow.silent, []);
});

test("an error that was not handled makes the silent run a failed one", () => {
    const flow = new Flow();
    const message = flow.begin("r");
    const hop = flow.arrive(message, A);
    hop.run.error = "no paper";
    flow.tracker.complete(message, A);
    flow.settle();
    assert.deepEqual(flow.silent, ["r: no paper"]);
});

test("a message that goes on after the silence is late, is said once, and is delivered", () => {
    const flow = new Flow();
    const message = flow.begin("r");
    flow.arrive(message, A);
    flow.tracker.complete(message, A);
    flow.settle();
    const late = flow.tracker.deliver({ ...message }, A, B, undefined);
    assert.equal(late?.run.executionId, "r");
    flow.tracker.deliver({ ...message }, B, A, undefined);
    assert.deepEqual(flow.late, ["r by first"]);
    flow.settle();
    assert.deepEqual(flow.silent, ["r"]);
});

test("what goes on after a finish node is not late", () => {
    const flow = new Flow();
    const message = flow.begin("r");
    flow.arrive(message, A);
    flow.tracker.end("r");
    flow.tracker.deliver(message, A, B, undefined);
    assert.deepEqual(flow.late, []);
});

test("a new message belongs to the run in whose context its node sends it, and says so from then on", () => {
    const flow = new Flow();
    const context = flow.arrive(flow.begin("r"), A);
    const fresh = { payload: 1 };
    const delivered = flow.tracker.deliver(fresh, A, B, context);
    assert.deepEqual(delivered, { payload: 1, run: infoOf("r") });
    assert.deepEqual(fresh, { payload: 1 });
});

test("a context says nothing about what another node sends", () => {
    const flow = new Flow();
    const context = flow.arrive(flow.begin("r"), A);
    const message = { payload: 1 };
    assert.equal(flow.tracker.deliver(message, B, A, context), message);
    assert.equal(flow.tracker.receive(message, A, undefined, context), undefined);
});

test("msg.run goes before the context, and is never written over", () => {
    const flow = new Flow();
    const context = flow.arrive(flow.begin("r1"), A);
    const other = flow.begin("r2");
    const delivered = flow.tracker.deliver(other, A, B, context);
    assert.equal(delivered?.run.executionId, "r2");
    const own = flow.tracker.deliver({ run: "mine" }, A, B, context);
    assert.equal(own?.run, "mine");
});

test("a message that lost msg.run is known by its object before its context", () => {
    const flow = new Flow();
    const context = flow.arrive(flow.begin("r1"), A);
    const other = flow.begin("r2");
    flow.arrive(other, A);
    delete other.run;
    assert.equal(flow.tracker.deliver(other, A, B, context)?.run.executionId, "r2");
});

test("a queue that sends a stranger's copy in the context of a run does not make it the run's", () => {
    const flow = new Flow();
    const context = flow.arrive(flow.begin("r"), A);
    flow.arrive({ _msgid: "stranger" }, A);
    const copy = { _msgid: "stranger" };
    assert.equal(flow.tracker.deliver(copy, A, B, context), copy);
    assert.equal(flow.tracker.deliver({ _msgid: "fresh" }, A, B, context)?.run.executionId, "r");
});

test("a stranger is known at every node that it came to, and at no other", () => {
    const flow = new Flow();
    const [atA, atB, atC] = [A, B, C].map((node) => flow.arrive(flow.begin("r"), node));
    for (const node of [A, A, B]) flow.arrive({ _msgid: "stranger" }, node);
    const runs = [
        [A, atA],
        [B, atB],
        [C, atC],
    ].map(([node, context]) => flow.tracker.deliver({ _msgid: "stranger" }, node, A, context)?.run?.executionId);
    assert.deepEqual(runs, [undefined, undefined, "r"]);
});

test("the run of another Node-RED is none of ours", () => {
    const flow = new Flow();
    const context = flow.arrive(flow.begin("r"), A);
    const message = { run: { executionId: "elsewhere" } };
    assert.equal(flow.tracker.deliver(message, A, B, context), message);
    assert.equal(flow.tracker.receive(message, B, undefined, context), undefined);
});

test("no message of a terminated run is delivered, on its way or held, with or without msg.run", () => {
    const flow = new Flow();
    const onItsWay = flow.begin("r");
    const held = flow.begin("r");
    const context = flow.arrive(held, A);
    flow.tracker.end("r", { halt: true });
    assert.equal(flow.arrive(onItsWay, A), false);
    assert.equal(flow.tracker.deliver(held, A, B, undefined), undefined);
    assert.equal(flow.tracker.deliver({ payload: 1 }, A, B, context), undefined);
    assert.equal(flow.tracker.receive({ payload: 1 }, B, A, context), false);
    assert.equal(flow.tracker.deliver(flow.begin("r2"), A, B, context)?.run.executionId, "r2");
});

test("a terminated run stays so after a thousand others have ended", () => {
    const flow = new Flow();
    const held = flow.begin("r");
    flow.tracker.end("r", { halt: true });
    for (let number = 0; number < 1500; number += 1) {
        flow.begin(`n${number}`);
        flow.tracker.end(`n${number}`);
    }
    assert.equal(flow.tracker.deliver({ ...held }, A, B, undefined), undefined);
});

test("a status that a node shows counts while the run goes on, and is no news after it", () => {
    const flow = new Flow();
    const message = flow.begin("r");
    const context = flow.arrive(message, A);
    const shown = { status: {} };
    flow.tracker.receive(shown, STATUS, A, context);
    flow.tracker.complete(message, A);
    flow.settle();
    assert.deepEqual(flow.silent, []);
    flow.tracker.complete(shown, STATUS);
    flow.settle();
    assert.deepEqual(flow.silent, ["r"]);
    assert.equal(flow.tracker.receive({ status: {} }, STATUS, A, context), undefined);
    assert.deepEqual(flow.late, []);
});

test("the runs with a message on its way to a node or at it are found", () => {
    const flow = new Flow();
    const isA = (/** @type {{id: string}} */ { id }) => id === "a";
    const message = flow.begin("r");
    assert.deepEqual(flow.tracker.executionsIn(isA), ["r"]);
    flow.arrive(message, A);
    assert.deepEqual(flow.tracker.executionsIn(isA), ["r"]);
    flow.tracker.deliver({ ...message }, A, B, undefined);
    flow.tracker.complete(message, A);
    assert.deepEqual(flow.tracker.executionsIn(isA), []);
});
