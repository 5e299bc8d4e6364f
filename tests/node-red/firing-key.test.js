"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { firingKey, messageFrom } = require("../../node-red/lib/firing-key");

for (const topic of ["orders", "orders / über 7", "a%20b", "line\nbreak", "\u{1F600}"]) {
    test(`the topic ${JSON.stringify(topic)} comes back, by way of printable characters`, () => {
        const key = firingKey({ topic });
        assert.match(key, /^[\x20-\x7e]+$/);
        assert.deepEqual(messageFrom(key), { topic });
    });
}

test("a topic that is none, or that is too long for a key, is left out", () => {
    for (const message of [undefined, {}, { topic: "" }, { topic: 7 }, { topic: "ü".repeat(200) }]) {
        const key = firingKey(message);
        assert.match(key, /^[0-9a-f-]{36}$/);
        assert.deepEqual(messageFrom(key), {});
    }
});

test("half a surrogate pair is carried as what stands for no character", () => {
    assert.deepEqual(messageFrom(firingKey({ topic: "a\ud800" })), { topic: "a\ufffd" });
});

test("two firings never have one key", () => {
    assert.notEqual(firingKey({ topic: "a" }), firingKey({ topic: "a" }));
});

test("the keys of other programs carry no topic", () => {
    for (const key of [null, undefined, "", "order 7", "7f3a bc"]) assert.deepEqual(messageFrom(key), {});
    const odd = `${"0".repeat(36)} %E0`;
    assert.deepEqual(messageFrom(odd), { topic: "%E0" });
});
