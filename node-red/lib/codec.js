"use strict";

const msgpack = require("@msgpack/msgpack");

/**
 * Turns a value into MessagePack. Buffers become binary, Dates timestamps; a key without a value is left out.
 * @param {unknown} value
 * @returns {Buffer}
 * @throws {Error} for what cannot be carried: functions, symbols, BigInts, circular references
 */
function encode(value) {
    const bytes = msgpack.encode(value, { ignoreUndefined: true });
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * Reads MessagePack; binary comes back as Buffers, as nodes expect it.
 * @param {Uint8Array} bytes
 * @returns {any}
 */
function decode(bytes) {
    return withBuffers(msgpack.decode(bytes));
}

/**
 * @param {any} value
 * @returns {any}
 */
function withBuffers(value) {
    if (value === null || typeof value !== "object" || value instanceof Date) return value;
    // Copied, because the decoder hands out a window on the whole frame, which would stay in memory.
    if (value instanceof Uint8Array) return Buffer.from(value);
    for (const key of Object.keys(value)) value[key] = withBuffers(value[key]);
    return value;
}

module.exports = { encode, decode };
