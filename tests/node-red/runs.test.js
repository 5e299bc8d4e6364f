"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Runs } = require("../../node-red/lib/runs");
const { offer } = require("./support/peer");

const times = { startedAt: "S", deadline: "D" };

test("a run is there from its claim to its end, and only then confirmed", () => {
    const runs = new Runs();
    runs.claim(offer("e", "t"), undefined);
    assert.deepEqual([runs.executionIds, runs.toEmit], [["e"], []]);
    const run = runs.confirm("e", times);
    assert.deepEqual(runs.toEmit, [run]);
    assert.equal(runs.end("e"), run);
    assert.equal(runs.end("e"), undefined);
    assert.deepEqual(runs.executionIds, []);
});

test("a confirmation that comes twice changes nothing", () => {
    const runs = new Runs();
    runs.claim(offer("e", "t"), undefined);
    runs.confirm("e", times);
    assert.equal(runs.confirm("e", { ...times, startedAt: "later" })?.info?.startedAt, "S");
});

test("a confirmation after the end is none", () => {
    const runs = new Runs();
    runs.claim(offer("e", "t"), undefined);
    runs.end("e");
    assert.equal(runs.confirm("e", times), undefined);
});

test("an offer is known while its run is active and after it has ended", () => {
    const runs = new Runs();
    assert.equal(runs.isKnown("e"), false);
    runs.claim(offer("e", "t"), undefined);
    assert.equal(runs.isKnown("e"), true);
    runs.end("e");
    assert.equal(runs.isKnown("e"), true);
});

test("an end that the bridge made is news once, and the memory of ends is bounded", () => {
    const runs = new Runs();
    assert.deepEqual([runs.endedByBridge("e").isNew, runs.endedByBridge("e").isNew], [true, false]);
    for (let number = 0; number < 1000; number += 1) runs.endedByBridge(`e${number}`);
    assert.equal(runs.isKnown("e"), false);
    assert.equal(runs.isKnown("e999"), true);
});

test("a run that ended here and by the bridge ended by the bridge", () => {
    const runs = new Runs();
    runs.claim(offer("e", "t"), undefined);
    runs.end("e");
    assert.equal(runs.isUnwanted("e"), false);
    assert.deepEqual(runs.endedByBridge("e"), { run: undefined, isNew: true });
    assert.equal(runs.isUnwanted("e"), true);
});

test("a run whose claim was refused has not ended by that", () => {
    const runs = new Runs();
    runs.claim(offer("e", "t"), undefined);
    runs.drop("e");
    assert.equal(runs.isKnown("e"), false);
    assert.equal(runs.endedByBridge("e").isNew, true);
});
