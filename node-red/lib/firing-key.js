"use strict";

const { randomUUID } = require("node:crypto");

/** Characters that the bridge takes as an `Idempotency-Key`. */
const LONGEST = 1024;

const WITH_TOPIC = /^[0-9a-f-]{36} (\S+)$/;

/**
 * Names a firing, for the bridge and for itself. The bridge keeps the name for as long as a run may come of the firing,
 * so it also carries the topic of the message over a restart of Node-RED, if that is a text and fits.
 * @param {any} message that fires, or undefined
 * @returns {string} another one each time
 */
function firingKey(message) {
    const id = randomUUID();
    const key = `${id} ${encoded(message?.topic)}`;
    return key.length > LONGEST ? id : key.trimEnd();
}

/**
 * @param {unknown} topic
 * @returns {string} "" for what cannot be carried
 */
function encoded(topic) {
    // Half a surrogate pair is no character, and encodeURIComponent throws on it.
    return typeof topic === "string" ? encodeURIComponent(Buffer.from(topic).toString()) : "";
}

/**
 * What is known of a message that is not here any more.
 * @param {string | null | undefined} key of the newest firing in an offer; other programs have keys of their own
 * @returns {{topic?: string}}
 */
function messageFrom(key) {
    const [, topic] = WITH_TOPIC.exec(key ?? "") ?? [];
    return topic === undefined ? {} : { topic: decoded(topic) };
}

/** @param {string} text */
function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text;
    }
}

module.exports = { firingKey, messageFrom };
