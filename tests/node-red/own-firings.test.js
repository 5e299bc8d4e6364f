"use strict";

const assert = require("node:assert/strict");
const { beforeEach, test } = require("node:test");
const { OwnFirings } = require("../../node-red/lib/own-firings");

/**
 * @param {string} firingId
 * @param {string} decision
 * @param {string} [executionId]
 * @param {string} [lockKey]
 */
const decided = (firingId, decision, executionId, lockKey) => ({ firingId, decision, executionId, lockKey, triggerId: "t" });

/** @type {InstanceType<typeof OwnFirings>} */
let firings;

/**
 * Asks for a firing and hears of it twice, as in life: by the stream and by the answer.
 * @param {string} key also the message, and the firing's id in capitals
 * @param {string} decision
 * @param {string} [executionId]
 */
function fire(key, decision, executionId) {
    const made = decided(key.toUpperCase(), decision, executionId);
    firings.ask(key, "t", key);
    firings.follow(made);
    firings.decided(key, [made]);
}

beforeEach(() => {
    firings = new OwnFirings();
});

test("the message is handed out to the run of its firing and then let go", () => {
    fire("k", "started", "e");
    assert.deepEqual(firings.take("k", "e"), { message: "k", again: false });
    assert.equal(firings.size, 0);
});

test("an offer that comes before the answer gets the message too", () => {
    firings.ask("k", "t", "message");
    assert.equal(firings.take("k", "e")?.message, "message");
    firings.follow(decided("K", "started", "e"));
    firings.decided("k", [decided("K", "started", "e")]);
    assert.equal(firings.size, 0);
});

for (const decision of ["skipped", "dropped", "missed"]) {
    test(`the message of a ${decision} firing is let go`, () => {
        firings.ask("k", "t", "message");
        firings.decided("k", [decided("K", decision)]);
        assert.equal(firings.size, 0);
    });
}

for (const waits of ["queued", "waiting", "onHold"]) {
    test(`the message of a ${waits} run that ends before it starts is let go`, () => {
        fire("k", waits, "e");
        assert.equal(firings.size, 1);
        firings.follow(decided("K", "dropped", "e"));
        assert.equal(firings.size, 0);
    });
}

test("a run that ended before its firing was answered leaves no message behind", () => {
    firings.ask("k", "t", "message");
    firings.follow(decided("K", "queued", "e"));
    firings.follow(decided("K", "dropped", "e"));
    firings.decided("k", [decided("K", "queued", "e")]);
    assert.equal(firings.size, 0);
});

test("of merged firings the newest message goes out, the older ones are let go at once", () => {
    fire("first", "queued", "e");
    fire("second", "merged", "e");
    assert.equal(firings.size, 1);
    assert.equal(firings.take("second", "e")?.message, "second");
    assert.equal(firings.size, 0);
});

test("the newest is who the bridge decided last, in whatever order the answers come", () => {
    for (const key of ["a", "b", "c"]) firings.ask(key, "t", key);
    const made = [decided("A", "queued", "e"), decided("B", "merged", "e"), decided("C", "merged", "e")];
    for (const decision of made) firings.follow(decision);
    firings.decided("c", [made[2]]);
    firings.decided("b", [made[1]]);
    firings.decided("a", [made[0]]);
    assert.equal(firings.size, 1);
    assert.equal(firings.take("c", "e")?.message, "c");
});

test("a tick that is merged into a message's run lets the message go", () => {
    fire("k", "queued", "e");
    firings.follow(decided("TICK", "merged", "e"));
    assert.equal(firings.size, 0);
    assert.equal(firings.take(null, "e"), undefined);
});

test("the message of a run that was cancelled with a merged firing in it is let go", () => {
    firings.follow(decided("TICK", "queued", "e"));
    fire("k", "merged", "e");
    firings.follow(decided("TICK", "dropped", "e"));
    assert.equal(firings.size, 0);
});

test("of delayed firings the newest message goes out when the delay is over", () => {
    fire("first", "delayed");
    fire("second", "merged");
    assert.equal(firings.size, 1);
    firings.follow(decided("FIRST", "started", "e"));
    assert.equal(firings.take("second", "e")?.message, "second");
    assert.equal(firings.size, 0);
});

test("a message that joined a delayed tick is let go when that tick is turned down", () => {
    firings.follow(decided("TICK", "delayed"));
    fire("k", "merged");
    assert.equal(firings.size, 1);
    firings.follow(decided("TICK", "skipped"));
    assert.equal(firings.size, 0);
});

test("delayed firings of two keys are apart", () => {
    firings.follow(decided("ONE", "delayed", undefined, "one"));
    firings.ask("k", "t", "message");
    firings.decided("k", [decided("K", "delayed", undefined, "two")]);
    firings.follow(decided("K", "delayed", undefined, "two"));
    firings.follow(decided("TICK", "merged", undefined, "one"));
    assert.equal(firings.size, 1);
});

test("one firing for several lock keys hands its message out to each run (R26)", () => {
    firings.ask("k", "t", "message");
    firings.decided("k", [decided("A", "started", "a"), decided("B", "started", "b"), decided("C", "skipped")]);
    for (const id of ["a", "b"]) firings.follow(decided(id.toUpperCase(), "started", id));
    assert.deepEqual(firings.take("k", "a"), { message: "message", again: false });
    assert.deepEqual(firings.take("k", "b"), { message: "message", again: true });
    assert.equal(firings.size, 0);
});

test("the message of a buffered firing is held until its offer, later ones are let go (R7, R10)", () => {
    fire("held", "buffered");
    fire("late", "dropped");
    firings.follow(decided("TICK", "dropped"));
    firings.follow(decided("HELD", "started", "e"));
    assert.equal(firings.take("held", "e")?.message, "held");
    assert.equal(firings.size, 0);
});

test("a message that waits is not forgotten, however many other firings are decided meanwhile", () => {
    fire("k", "queued", "e");
    for (let tick = 0; tick < 3000; tick += 1) firings.follow(decided(`TICK${tick}`, "skipped"));
    firings.over("e");
    assert.equal(firings.size, 0);
});

test("an answer whose decision was lost with a connection says where its firing stands", () => {
    firings.ask("k", "t", "message");
    firings.decided("k", [decided("K", "queued", "e")]);
    firings.reconnected();
    assert.equal(firings.take("k", "e")?.message, "message");
    assert.equal(firings.size, 0);
});

test("what a connection told last goes before an earlier answer", () => {
    fire("k", "queued", "e");
    firings.follow(decided("TICK", "merged", "e"));
    fire("later", "merged", "e");
    firings.reconnected();
    assert.equal(firings.take("later", "e")?.message, "later");
    assert.equal(firings.size, 0);
});

test("the messages of a trigger that is not there any more are let go", () => {
    fire("k", "queued", "e");
    firings.keepOnly(new Set(["t"]));
    assert.equal(firings.take("k", "other")?.message, "k");
    firings.keepOnly(new Set(["u"]));
    assert.equal(firings.take("k", "e"), undefined);
});

test("a failed firing is remembered, its message is not", () => {
    firings.ask("k", "t", "message");
    assert.equal(firings.failed("k"), true);
    assert.equal(firings.hasFailed("k"), true);
    assert.equal(firings.hasFailed("other"), false);
});

test("a firing whose run was claimed cannot fail any more", () => {
    firings.ask("k", "t", "message");
    firings.take("k", "e");
    assert.equal(firings.failed("k"), false);
    assert.equal(firings.hasFailed("k"), false);
});

test("messages are bounded in number and age, the oldest going first", () => {
    let now = 0;
    firings = new OwnFirings({ now: () => now, bounds: { number: 3, age: 100 } });
    for (const key of ["a", "b", "c", "d"]) firings.ask(key, "t", key);
    assert.equal(firings.size, 3);
    assert.equal(firings.take("a", "e"), undefined);
    now = 101;
    firings.ask("e", "t", "e");
    assert.equal(firings.size, 1);
});
