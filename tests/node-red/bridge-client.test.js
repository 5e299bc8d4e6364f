"use strict";

const assert = require("node:assert/strict");
const { afterEach, beforeEach, test } = require("node:test");
const { BridgeClient } = require("../../node-red/lib/bridge-client");
const { Changes } = require("../../node-red/lib/changes");
const { Peer, defaultReply, offer } = require("./support/peer");
const { until } = require("./support/until");

const LIMIT = { timeout: 10_000 };
const IDENTITY = { clientId: "nr.managed.default", sessionId: "session", workspaceId: "default" };
const QUICK = { first: 10, most: 20, slow: 20 };

/** @type {InstanceType<typeof Peer>} */
let peer;
/** @type {InstanceType<typeof BridgeClient>} */
let client;
/** @type {[string, ...any[]][]} */
let heard;
/** @type {Set<string>} */
let deployed;

function listener() {
    /** @param {string} name */
    const note =
        (name) =>
        (/** @type {any[]} */ ...values) => {
            heard.push([name, ...values]);
        };
    return {
        runsTrigger: (/** @type {string} */ id) => deployed.has(id),
        ...{ onClaim: note("claim"), onStart: note("start"), onGone: note("gone"), onEnd: note("end") },
        ...{ onDecision: note("decision"), onTold: note("told"), onNews: note("news"), onInvalid: note("invalid") },
        onLimitRefused: note("limitRefused"),
        ...{ onCondition: note("condition"), onRetired: note("retired") },
    };
}

/** @param {string} name */
const heardOf = (name) => heard.filter(([what]) => what === name);

/** @returns {string[]} */
const typesSent = () => peer.frames.map(({ type }) => type);

function connection(token = "secret") {
    return { bridgeNodeId: "managed", workspaceId: "default", urls: [peer.url], token: () => token };
}

function connect(token = "secret") {
    client = new BridgeClient(IDENTITY, connection(token), listener(), QUICK);
    return client;
}

/** @param {{triggerId: string}[]} [triggers] */
async function connectHere(triggers = [{ triggerId: "t" }]) {
    connect().here(triggers);
    await until(() => client.condition === "connected");
}

/** @param {string} executionId */
async function startRun(executionId) {
    peer.send(offer(executionId, "t"));
    await until(() => heardOf("start").some(([, run]) => run.offer.executionId === executionId));
}

beforeEach(async () => {
    heard = [];
    deployed = new Set(["t"]);
    peer = await new Peer().start();
});

afterEach(async () => {
    client.close();
    await peer.stop();
});

test("says who it is, and here with its triggers and runs", LIMIT, async () => {
    await connectHere();
    assert.equal(peer.connections[0].get("clientId"), "nr.managed.default");
    assert.equal(peer.connections[0].get("sessionId"), "session");
    const here = await peer.frame("here");
    assert.deepEqual([here.triggers, here.runs], [[{ triggerId: "t" }], []]);
});

test("says nothing while the flows are stopped, a new connection included", LIMIT, async () => {
    await connectHere();
    client.away();
    peer.hangUp();
    await until(() => peer.connections.length > 1);
    await until(() => {
        client.away();
        return typesSent().filter((type) => type === "away").length > 1;
    });
    assert.equal(typesSent().filter((type) => type === "here").length, 1);
});

test("emits a run at the confirmation of its claim, not before", LIMIT, async () => {
    peer.reply = (/** @type {any} */ frame) => (frame.type === "started" ? undefined : defaultReply(frame));
    await connectHere();
    peer.send(offer("e1", "t", { payload: { when: new Date(5), bytes: Buffer.from("x") } }));
    const claim = await peer.frame("started");
    assert.equal(heardOf("start").length, 0);
    peer.send({ type: "reply", re: claim.id, confirmed: true, startedAt: "S", deadline: "D" });
    await until(() => heardOf("start").length);
    const [, run] = heardOf("start")[0];
    assert.deepEqual([run.info.startedAt, run.info.deadline, run.info.fencingToken], ["S", "D", 1]);
    assert.ok(run.offer.payload.when instanceof Date && Buffer.isBuffer(run.offer.payload.bytes));
});

test("emits once for an offer that is repeated", LIMIT, async () => {
    await connectHere();
    await startRun("e1");
    peer.send(offer("e1", "t"));
    await startRun("e2");
    assert.equal(heardOf("start").length, 2);
});

test("emits nothing for a claim that is refused", LIMIT, async () => {
    peer.reply = (/** @type {any} */ frame) => (frame.type === "started" ? { refused: true, reason: "ended" } : defaultReply(frame));
    await connectHere();
    peer.send(offer("e1", "t"));
    await until(() => heardOf("gone").length);
    assert.equal(heardOf("start").length, 0);
});

test("keeps claims and ends while the bridge is away, and hands them in before here", LIMIT, async () => {
    await connectHere();
    await startRun("e1");
    await startRun("e2");
    const { port } = peer;
    await peer.stop();
    await until(() => client.condition === "bridgeAway");
    assert.equal(client.finish("e1", "completed"), true);
    peer = await new Peer().start(port);
    const here = await peer.frame("here");
    assert.deepEqual(
        peer.frames.map((/** @type {any} */ { type, executionId }) => [type, executionId]),
        [
            ["finished", "e1"],
            ["here", undefined],
        ],
    );
    assert.deepEqual(here.runs, ["e2"]);
    assert.match(peer.frames[0].endedAt, /^\d{4}-\d\d-\d\dT.*Z$/);
});

test("sends an unanswered claim again under its id, and emits when it is confirmed at last", LIMIT, async () => {
    peer.reply = (/** @type {any} */ frame) => (frame.type === "started" ? undefined : defaultReply(frame));
    await connectHere();
    peer.send(offer("e1", "t"));
    const claim = await peer.frame("started");
    peer.reply = defaultReply;
    peer.hangUp();
    await until(() => heardOf("start").length);
    const [, again] = await peer.framesOf("started", 2);
    assert.equal(again.id, claim.id);
    assert.deepEqual((await peer.framesOf("here", 2))[1].runs, ["e1"]);
});

test("an answered end is not sent again", LIMIT, async () => {
    await connectHere();
    await startRun("e1");
    client.finish("e1", "failed", "no paper");
    const end = await peer.frame("finished");
    assert.deepEqual([end.outcome, end.error], ["failed", "no paper"]);
    peer.hangUp();
    await peer.framesOf("here", 2);
    assert.equal(typesSent().filter((type) => type === "finished").length, 1);
});

test("the first end wins; one of an unknown run is none", LIMIT, async () => {
    await connectHere();
    await startRun("e1");
    assert.equal(client.finish("e1", "completed"), true);
    assert.equal(client.finish("e1", "failed"), false);
    assert.equal(client.finish("e9", "completed"), false);
});

test("an end that the bridge made is told once, though it is said again at a connection", LIMIT, async () => {
    await connectHere();
    await startRun("e1");
    const end = { type: "execution.ended", executionId: "e1", triggerId: "t", outcome: "expired", reason: null };
    peer.send(end);
    peer.send(end);
    await startRun("e2");
    assert.equal(heardOf("end").length, 1);
    assert.equal(heardOf("end")[0][2].offer.executionId, "e1");
    assert.equal(client.finish("e1", "completed"), false);
});

test("an offer for a trigger whose node no longer runs is interrupted, not claimed", LIMIT, async () => {
    await connectHere();
    deployed.clear();
    peer.send(offer("e1", "t"));
    assert.equal((await peer.frame("finished")).outcome, "interrupted");
    assert.equal(typesSent().filter((type) => type === "started").length, 0);
});

test("a claim confirmed while the flows are stopped starts when they run again", LIMIT, async () => {
    peer.reply = (/** @type {any} */ frame) => (frame.type === "started" ? undefined : defaultReply(frame));
    await connectHere();
    peer.send(offer("e1", "t"));
    const claim = await peer.frame("started");
    client.away();
    await peer.frame("away");
    peer.send({ type: "reply", re: claim.id, confirmed: true, startedAt: "S", deadline: "D" });
    peer.send({ type: "news", executions: [], triggers: [] });
    await until(() => heardOf("news").length);
    assert.equal(heardOf("start").length, 0);
    client.here([{ triggerId: "t" }]);
    assert.equal(heardOf("start").length, 1);
});

test("an offer that crosses with away is left for later", LIMIT, async () => {
    await connectHere();
    client.away();
    peer.send(offer("e1", "t"));
    peer.send({ type: "news", executions: [], triggers: [] });
    await until(() => heardOf("news").length);
    assert.equal(heardOf("claim").length, 0);
});

test("a run is active from its claim to its end", LIMIT, async () => {
    await connectHere();
    assert.equal(client.isActive("e1"), false);
    await startRun("e1");
    assert.equal(client.isActive("e1"), true);
    client.finish("e1", "completed");
    assert.equal(client.isActive("e1"), false);
});

test("an end that was noticed later is told with the time when it was", LIMIT, async () => {
    await connectHere();
    await startRun("e1");
    client.finish("e1", "failed", "no paper", Date.parse("2026-01-01T00:00:09.5Z"));
    const end = await peer.frame("finished");
    assert.deepEqual([end.outcome, end.error, end.endedAt], ["failed", "no paper", "2026-01-01T00:00:09.500Z"]);
});

test("a firing's message waits for its offer", LIMIT, async () => {
    await connectHere();
    peer.answer = () => ({ body: { decisions: [{ decision: "started", executionId: "e1" }] } });
    const message = { payload: 1, res: {} };
    const decisions = await client.fire("t x", { source: "input", payload: 1 }, message);
    assert.equal(decisions[0].decision, "started");
    const [{ path, headers, body }] = peer.requests;
    assert.deepEqual([path, body], ["/v1/triggers/t%20x/fire", { source: "input", payload: 1 }]);
    peer.send(offer("e1", "t", { firingKey: headers["idempotency-key"], source: "input", payload: 1 }));
    await until(() => heardOf("start").length);
    assert.equal(heardOf("start")[0][1].held.message, message);
});

test("no run comes of a firing that was reported as failed", LIMIT, async () => {
    await connectHere();
    peer.answer = () => ({ hangUp: true });
    await assert.rejects(client.fire("t", { source: "input" }, {}), { problem: "bridgeAway" });
    peer.send(offer("e1", "t", { firingKey: peer.requests[0].headers["idempotency-key"] }));
    assert.equal((await peer.frame("finished")).outcome, "interrupted");
    assert.equal(heardOf("start").length, 0);
});

test("a firing whose run was claimed has not failed, though its answer is lost", LIMIT, async () => {
    await connectHere();
    peer.answer = () => {
        peer.send(offer("e1", "t", { firingKey: peer.requests[0].headers["idempotency-key"] }));
        return { body: undefined };
    };
    const message = {};
    const asked = client.fire("t", { source: "input" }, message);
    await until(() => heardOf("start").length);
    assert.deepEqual(await asked, []);
});

test("a firing fails at once while the bridge is away, and nothing is retried", LIMIT, async () => {
    await connectHere();
    await peer.stop();
    await until(() => client.condition === "bridgeAway");
    await assert.rejects(client.fire("t", { source: "manual" }), { problem: "bridgeAway" });
    peer = await new Peer().start();
    assert.equal(peer.requests.length, 0);
});

test("a firing right after a deploy waits for the connection", LIMIT, async () => {
    connect().here([{ triggerId: "t" }]);
    await client.fire("t", { source: "manual" });
    assert.equal(peer.requests.length, 1);
});

test("a firing waits for a connection no longer because somebody set the clock back", { timeout: 20_000 }, async (t) => {
    peer.reply = () => undefined;
    connect().here([{ triggerId: "t" }]);
    const wakes = t.mock.method(Changes.prototype, "next");
    const fired = client.fire("t", { source: "manual" });
    const longAgo = Date.now() - 400 * 24 * 60 * 60 * 1000;
    t.mock.method(Date, "now", () => longAgo);
    await assert.rejects(fired, { problem: "bridgeAway" });
    assert.ok(wakes.mock.callCount() < 20, "it waits, and does not spin");
});

test("a refusal carries the bridge's sentence and pointers", LIMIT, async () => {
    await connectHere();
    const errors = [{ pointer: "/priority", message: "must be at most 100" }];
    peer.answer = () => ({ status: 400, body: { detail: "The body is not valid.", errors } });
    const refusal = { message: "The body is not valid.", status: 400, errors };
    await assert.rejects(client.fire("t", { source: "input", priority: 900 }), refusal);
});

test("a payload that cannot be carried fails the firing before the bridge hears of it", LIMIT, async () => {
    await connectHere();
    await assert.rejects(client.fire("t", { source: "input", payload: () => {} }), /function/i);
    assert.equal(peer.requests.length, 0);
});

test("a wrong token shows as unauthorised, and a mended one connects", LIMIT, async () => {
    connect("wrong").here([]);
    await until(() => client.condition === "unauthorised");
    await assert.rejects(client.fire("t", { source: "manual" }), { problem: "unauthorised" });
    client.moveTo(connection("secret"));
    await until(() => client.condition === "connected");
});

for (const { protocol, condition } of [
    { protocol: 0, condition: "bridgeTooOld" },
    { protocol: 2, condition: "nodeTooOld" },
]) {
    test(`protocol ${protocol} shows as ${condition}, and nothing is said`, LIMIT, async () => {
        peer.protocol = protocol;
        connect().here([{ triggerId: "t" }]);
        await until(() => client.condition === condition);
        assert.deepEqual(peer.frames, []);
    });
}

test("a bridge that hangs up for its protocol before its hello shows as one of another protocol", LIMIT, async () => {
    peer.sayHello = (/** @type {any} */ socket) => socket.close(4001);
    connect().here([{ triggerId: "t" }]);
    await until(() => client.condition === "otherProtocol");
    await assert.rejects(client.fire("t", { source: "manual" }), { problem: "otherProtocol" });
});

test("a decision that arrives twice is told once", LIMIT, async () => {
    await connectHere();
    const frame = { type: "decision", decision: { firingId: "f", decision: "skipped", decidedAt: "2026-01-01T00:00:00.000Z" } };
    peer.send(frame);
    peer.send(frame);
    peer.send({ type: "news", executions: [], triggers: [] });
    await until(() => heardOf("news").length);
    assert.equal(heardOf("decision").length, 1);
});

test("a copied user directory shows as such", LIMIT, async () => {
    await connectHere();
    peer.hangUp(4003);
    await until(() => heardOf("condition").some(([, condition]) => condition === "copied"));
});

test("triggers that the bridge does not accept are told with their errors", LIMIT, async () => {
    const errors = [{ pointer: "/schedule/expression", message: "Hour 25 does not exist." }];
    peer.reply = () => ({ detached: [], invalid: [{ triggerId: "t", errors }] });
    await connectHere();
    assert.deepEqual(heardOf("invalid"), [["invalid", "t", errors]]);
});

test("a client that no trigger uses any more detaches all, hands in its ends and closes", LIMIT, async () => {
    await connectHere();
    client.retire();
    await until(() => heardOf("retired").length);
    assert.deepEqual((await peer.framesOf("here", 2))[1].triggers, []);
});

test("a client without a connection and with nothing to report closes at once", LIMIT, async () => {
    connect("wrong").here([]);
    await until(() => client.condition === "unauthorised");
    client.retire();
    assert.equal(heardOf("retired").length, 1);
});

test("a condition is worth a line in the log once", LIMIT, async () => {
    await connectHere();
    const { port } = peer;
    await peer.stop();
    await until(() => heardOf("condition").filter(([, condition]) => condition === "bridgeAway").length >= 2);
    peer = await new Peer().start(port);
    await until(() => client.condition === "connected");
    const news = heardOf("condition").filter(([, , isNew]) => isNew);
    assert.deepEqual(
        news.map(([, condition]) => condition),
        ["bridgeAway", "connected"],
    );
});
