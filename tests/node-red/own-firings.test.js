"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { OwnFirings } = require("../../node-red/lib/own-firings");

const started = (/** @type {string} */ executionId) => ({ decision: "started", executionId });

test("the message is handed out to the run of its firing and then let go", () => {
    const firings = new OwnFirings();
    firings.ask("k", "message");
    firings.decided("k", [started("e")]);
    assert.deepEqual(firings.take("k", "e"), { message: "message", again: false });
    assert.equal(firings.size, 0);
});

test("an offer that comes before the answer gets the message too", () => {
    const firings = new OwnFirings();
    firings.ask("k", "message");
    assert.equal(firings.take("k", "e")?.message, "message");
    firings.decided("k", [started("e")]);
    assert.equal(firings.size, 0);
});

for (const decision of ["skipped", "dropped", "missed"]) {
    test(`the message of a ${decision} firing is let go`, () => {
        const firings = new OwnFirings();
        firings.ask("k", "message");
        firings.decided("k", [{ decision }]);
        assert.equal(firings.size, 0);
    });
}

test("of merged firings the newest message goes out, the older ones are let go", () => {
    const firings = new OwnFirings();
    firings.ask("first", "first");
    firings.decided("first", [{ decision: "queued", executionId: "e" }]);
    firings.ask("second", "second");
    firings.decided("second", [{ decision: "merged", executionId: "e" }]);
    assert.equal(firings.size, 1);
    assert.equal(firings.take("second", "e")?.message, "second");
});

test("a tick that was merged into a message's run lets the message go at the offer", () => {
    const firings = new OwnFirings();
    firings.ask("k", "message");
    firings.decided("k", [{ decision: "queued", executionId: "e" }]);
    assert.equal(firings.take("tick", "e"), undefined);
    assert.equal(firings.size, 0);
});

test("one firing for several lock keys hands its message out to each run (R26)", () => {
    const firings = new OwnFirings();
    firings.ask("k", "message");
    firings.decided("k", [started("a"), started("b"), { decision: "skipped" }]);
    assert.deepEqual(firings.take("k", "a"), { message: "message", again: false });
    assert.deepEqual(firings.take("k", "b"), { message: "message", again: true });
    assert.equal(firings.size, 0);
});

test("the message of a buffered firing is held until its offer (R10)", () => {
    const firings = new OwnFirings();
    firings.ask("k", "held");
    firings.decided("k", [{ decision: "buffered" }]);
    assert.equal(firings.take("k", "e")?.message, "held");
});

test("a failed firing is remembered, its message is not", () => {
    const firings = new OwnFirings();
    firings.ask("k", "message");
    assert.equal(firings.failed("k"), true);
    assert.equal(firings.hasFailed("k"), true);
    assert.equal(firings.hasFailed("other"), false);
});

test("a firing whose run was claimed cannot fail any more", () => {
    const firings = new OwnFirings();
    firings.ask("k", "message");
    firings.take("k", "e");
    assert.equal(firings.failed("k"), false);
    assert.equal(firings.hasFailed("k"), false);
});

test("messages are bounded in number and age, the oldest going first", () => {
    let now = 0;
    const firings = new OwnFirings({ now: () => now, bounds: { number: 3, age: 100 } });
    for (const key of ["a", "b", "c", "d"]) firings.ask(key, key);
    assert.equal(firings.size, 3);
    assert.equal(firings.take("a", "e"), undefined);
    now = 101;
    firings.ask("e", "e");
    assert.equal(firings.size, 1);
});
