"use strict";

const assert = require("node:assert/strict");
const { afterEach, beforeEach, test } = require("node:test");
const { Stream } = require("../../node-red/lib/stream");
const { sleep } = require("../../node-red/lib/timers");
const { Peer } = require("./support/peer");
const { until } = require("./support/until");

const LIMIT = { timeout: 20_000 };
const IDENTITY = { clientId: "nr.managed.default", sessionId: "session", workspaceId: "default" };
const PING_MS = 300;

/** @type {InstanceType<typeof Peer>} */
let peer;
/** @type {InstanceType<typeof Stream>} */
let stream;

beforeEach(async () => {
    peer = await new Peer().start();
    const connection = { bridgeNodeId: "managed", workspaceId: "default", urls: [peer.url], token: () => "secret" };
    stream = new Stream(IDENTITY, connection, { first: 10, most: 20, ping: PING_MS });
    stream.connect();
    await until(() => stream.isOpen);
});

afterEach(async () => {
    stream.close();
    await peer.stop();
});

test("a client whose bridge pings asks nothing itself", LIMIT, async () => {
    const pinging = setInterval(() => peer.ping(), PING_MS);
    await sleep(6 * PING_MS);
    clearInterval(pinging);
    assert.equal(peer.pings, 0);
});

test("a frame is as good as a ping", LIMIT, async () => {
    const telling = setInterval(() => peer.send({ type: "news" }), PING_MS);
    await sleep(6 * PING_MS);
    clearInterval(telling);
    assert.equal(peer.pings, 0);
});

test("a client that hears nothing asks, again and again, and stays with a bridge that answers", LIMIT, async () => {
    await until(() => peer.pings >= 3);
    assert.equal(peer.connections.length, 1);
});

test("a client that gets no answer connects anew", LIMIT, async () => {
    peer.isDeaf = true;
    await until(() => peer.connections.length >= 2);
    assert.equal(peer.pings, 1);
});
