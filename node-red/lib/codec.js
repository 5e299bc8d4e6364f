"use strict";

const msgpack = require("@msgpack/msgpack");

/**
 * Turns a value into MessagePack. Buffers become binary, Dates timestamps; a key without a value is left out. Half a
 * surrogate pair becomes U+FFFD, as in a Buffer: the bridge would refuse the whole frame, all other triggers with it.
 * @param {unknown} value
 * @returns {Buffer}
 * @throws {Error} for what cannot be carried: functions, symbols, BigInts, circular references
 */
function encode(value) {
    const packed = pack(value); // throws for circular references, before they are walked
    return isWellFormed(value) ? packed : pack(wellFormed(value));
}

/** @param {unknown} value */
function pack(value) {
    const bytes = msgpack.encode(value, { ignoreUndefined: true });
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * @param {unknown} value
 * @returns {value is object} whether it is made of others
 */
function isCompound(value) {
    return value !== null && typeof value === "object" && !(value instanceof Date) && !ArrayBuffer.isView(value);
}

/**
 * @param {unknown} value
 * @returns {boolean}
 */
function isWellFormed(value) {
    if (typeof value === "string") return value.isWellFormed();
    if (!isCompound(value)) return true;
    return Object.entries(value).every(([key, part]) => key.isWellFormed() && isWellFormed(part));
}

/**
 * @param {unknown} value
 * @returns {unknown} a copy
 */
function wellFormed(value) {
    if (typeof value === "string") return value.toWellFormed();
    if (Array.isArray(value)) return value.map(wellFormed);
    if (!isCompound(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key.toWellFormed(), wellFormed(part)]));
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
