"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { SESSION_ID } = require("../../node-red/lib/identity");
const { Deployed } = require("./support/deployed");
const { until } = require("./support/until");

const LIMIT = { timeout: 20_000 };
const WARN = 30;
const ERROR = 20;

const house = new Deployed();
const { node, peer } = house;

/** @param {object} [properties] of the configuration node */
const bridge = (properties) => ({ id: "b", type: "schedule-bridge", workspaceId: "a house", ...properties });
const puts = () => peer.requests.filter(({ method }) => method === "PUT");
const fires = () => peer.requests.filter(({ path }) => path.endsWith("/fire"));

test("a configuration node's limit is set for its workspace, at each deploy and connection", LIMIT, async () => {
    await house.deploy({ bridge: "b" }, [bridge({ maxConcurrentExecutions: "3" })]);
    await until(() => puts().length === 1);
    assert.deepEqual([puts()[0].path, puts()[0].body], ["/v1/workspaces/a%20house", { maxConcurrentExecutions: 3 }]);
    await house.deploy({ bridge: "b" }, [bridge({ maxConcurrentExecutions: 0 })]);
    await until(() => puts().length === 2);
    assert.deepEqual(puts()[1].body, { maxConcurrentExecutions: 0 });
    peer.hangUp();
    await until(() => puts().length === 3);
});

test("without a limit, and when its triggers are gone, the workspace is left as it is", LIMIT, async () => {
    await house.deploy({ bridge: "b" }, [bridge({ maxConcurrentExecutions: "" })]);
    await house.deploy({ bridge: "b" }, [bridge()]);
    await house.deploy({ bridge: "b" }, [bridge({ maxConcurrentExecutions: 2 })]);
    await until(() => puts().length);
    await node.deploy([bridge({ maxConcurrentExecutions: 2 })]);
    await until(() => !peer.isConnected);
    assert.equal(puts().length, 1);
});

test("a limit that is none is an error, and its triggers are off", LIMIT, async () => {
    for (const maxConcurrentExecutions of ["many", -1, 1.5]) {
        node.log = [];
        await node.deploy([bridge({ maxConcurrentExecutions }), { id: "t", type: "schedule-trigger", z: "x", bridge: "b" }]);
        assert.match(node.logged(ERROR)[0], /is no limit/);
        assert.equal(node.statusOf("t").text, "no such bridge");
    }
});

test("a limit that the bridge refuses is warned of", LIMIT, async () => {
    peer.answer = () => ({ status: 422, body: { detail: "At most 10000." } });
    await house.deploy({ bridge: "b" }, [bridge({ maxConcurrentExecutions: 20000 })]);
    await until(() => node.logged(WARN).length);
    assert.match(node.logged(WARN)[0], /At most 10000/);
});

test("the status says the place of a run on hold", LIMIT, async () => {
    await house.deploy();
    const execution = { executionId: "e", triggerId: house.known("t"), state: "onHold", waitsFor: { position: 2 } };
    peer.send({ type: "news", executions: [execution], triggers: [], workspace: {} });
    await until(() => node.statusOf("t")?.text === "on hold, place 2");
});

test("a trigger that fires at start does so once, whatever is deployed after", LIMIT, async () => {
    await house.deploy({ id: "t", fireAtStart: true });
    await until(() => fires().length);
    const [{ path, headers, body }] = fires();
    assert.equal(path, `/v1/triggers/${house.known("t")}/fire`);
    assert.equal(headers["idempotency-key"], `start:${SESSION_ID}${house.known("t")}`);
    assert.deepEqual(body, { source: "manual" });
    await house.deploy({ id: "t", fireAtStart: true, name: "other" });
    peer.hangUp();
    await peer.framesOf("here", 3);
    assert.equal(fires().length, 1);
});

test("a start that the bridge did not answer is asked for again under its key", LIMIT, async () => {
    const start = { id: "late", type: "schedule-trigger", z: "tab", wires: [], fireAtStart: true };
    peer.answer = () => ({ hangUp: true });
    await house.deploy({}, [start]);
    await until(() => fires().length);
    peer.answer = () => ({ body: { decisions: [] } });
    peer.hangUp();
    await until(() => fires().length === 2);
    assert.equal(fires()[0].headers["idempotency-key"], fires()[1].headers["idempotency-key"]);
});
