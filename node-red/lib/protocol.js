"use strict";

/** The protocol that this package speaks; a bridge of another one is not talked to. */
const PROTOCOL = 1;

/** The WebSocket subprotocol: MessagePack frames, which carry Buffers and Dates unharmed. */
const SUBPROTOCOL = "schedule-bridge.v1.msgpack";

/** Close codes of the stream that mean more than "the connection is gone". */
const CLOSE = Object.freeze({ PROTOCOL: 4001, REPLACED: 4002, COPIED: 4003, BAD_FRAME: 4004 });

/**
 * Why a client is not connected. The words are also the keys of the status texts.
 * @typedef {"bridgeAway" | "unauthorised" | "bridgeTooOld" | "nodeTooOld" | "otherProtocol" | "copied"} Problem
 */

/**
 * What a `hello` of the other side means.
 * @param {unknown} theirs the `protocol` that the bridge named
 * @returns {Problem | undefined} undefined when both speak the same
 */
function protocolProblem(theirs) {
    if (theirs === PROTOCOL) return undefined;
    return typeof theirs === "number" && theirs > PROTOCOL ? "nodeTooOld" : "bridgeTooOld";
}

/**
 * What the end of a connection means.
 * @param {number} code the WebSocket close code
 * @returns {Problem}
 */
function closeProblem(code) {
    // Without a hello of the bridge nobody knows which of the two is the older one.
    if (code === CLOSE.PROTOCOL) return "otherProtocol";
    return code === CLOSE.COPIED ? "copied" : "bridgeAway";
}

module.exports = { PROTOCOL, SUBPROTOCOL, CLOSE, protocolProblem, closeProblem };
