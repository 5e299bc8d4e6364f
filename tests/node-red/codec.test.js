/** What crosses to the bridge and back. */
"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { decode, encode } = require("../../node-red/lib/codec");

const HALF = "\ud83d"; // of an emoji that was cut off

test("Buffers and Dates go through MessagePack unharmed", () => {
    const value = { list: [Buffer.from([0, 255])], when: new Date(1234), text: "ü 🙂", none: null };
    const back = decode(encode(value));
    assert.deepEqual(back, value);
    assert.ok(Buffer.isBuffer(back.list[0]) && back.when instanceof Date);
});

test("a key without a value is left out", () => {
    assert.deepEqual(decode(encode({ a: undefined, b: 1 })), { b: 1 });
});

test("half a character is replaced wherever it stands, and the value itself is left alone", () => {
    const value = { name: `cut ${HALF}`, list: [{ [`key ${HALF}`]: HALF, bytes: Buffer.from([1]), when: new Date(7) }] };
    const strict = new TextDecoder("utf-8", { fatal: true });
    const bytes = encode(value);
    assert.doesNotThrow(() => strict.decode(bytes.subarray(bytes.indexOf("cut"), bytes.indexOf("cut") + "cut \ufffd".length + 2)));
    const whole = { name: "cut \ufffd", list: [{ "key \ufffd": "\ufffd", bytes: Buffer.from([1]), when: new Date(7) }] };
    assert.deepEqual(decode(bytes), whole);
    assert.equal(value.name, `cut ${HALF}`);
});

test("what refers to itself is refused", () => {
    const value = {};
    value.self = value;
    assert.throws(() => encode(value), /Too deep/);
});
