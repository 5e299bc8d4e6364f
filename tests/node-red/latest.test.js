"use strict";

const assert = require("node:assert/strict");
const test = require("node:test");

const { LatestMap, LatestSet } = require("../../node-red/lib/latest");

test("a full map lets the entry go that was set or got longest ago", () => {
    const map = new LatestMap(3);
    for (const key of ["a", "b", "c"]) map.set(key, key);
    map.get("a");
    map.set("b", "again");
    map.set("d", "d").set("e", "e");
    assert.deepEqual([...map.keys()], ["b", "d", "e"]);
});

test("to look at an entry does not keep it", () => {
    const map = new LatestMap(2);
    map.set("a", 1).set("b", 2);
    assert.equal(map.peek("a"), 1);
    map.set("c", 3);
    assert.equal(map.peek("a"), undefined);
});

test("a map that was emptied goes on as if it were new", () => {
    const map = new LatestMap(2);
    for (const key of ["a", "b", "c"]) map.set(key, key);
    for (const key of ["b", "c"]) map.delete(key);
    for (const key of ["d", "e", "f"]) map.set(key, key);
    assert.deepEqual([...map.keys()], ["e", "f"]);
});

test("a full set lets the oldest member go and says which members are new", () => {
    const set = new LatestSet(2);
    assert.deepEqual(["a", "b", "a", "c"].map((member) => set.add(member)), [true, true, false, true]);
    assert.deepEqual([set.has("a"), set.has("b"), set.has("c"), set.size], [false, true, true, 2]);
});

for (const Latest of [LatestMap, LatestSet]) {
    test(`a ${Latest.name} that holds many lets one go about as fast as one that holds few`, (t) => {
        const [few, many] = [100, 10_000].map((most) => Math.min(...Array.from({ length: 5 }, () => cost(new Latest(most)))));
        t.diagnostic(`${(many / few).toFixed(1)} times`);
        assert.ok(many < 6 * few, `${many} against ${few} ns`);
    });
}

/** Nanoseconds for each of many new members. */
function cost(/** @type {any} */ latest) {
    const members = Array.from({ length: 30_000 }, (_, number) => `member ${number}`);
    const began = process.hrtime.bigint();
    for (const member of members) latest instanceof LatestMap ? latest.set(member, true) : latest.add(member);
    return Number(process.hrtime.bigint() - began) / members.length;
}
