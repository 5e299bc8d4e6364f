"use strict";

const assert = require("node:assert/strict");
const { after, before, test } = require("node:test");
const { NodeRed } = require("./support/node-red");
const { Peer, offer } = require("./support/peer");
const { until } = require("./support/until");

const node = new NodeRed();
/** @type {InstanceType<typeof Peer>} */
let peer;

before(async () => {
    peer = await new Peer().start();
    process.env.SCHEDULE_BRIDGE_URL = peer.url;
    process.env.SCHEDULE_BRIDGE_TOKEN = "secret";
    const settings = { httpAdminRoot: false, disableEditor: true };
    await node.start(process.env.NODE_RED_PACKAGE || "node-red-4", settings);
});

after(async () => {
    await node.stop();
    await peer.stop();
});

test("a Node-RED without admin routes and editor runs triggers all the same", { timeout: 20_000 }, async () => {
    await node.deploy([
        { id: "tab", type: "tab" },
        { id: "t", type: "schedule-trigger", z: "tab", wires: [["out"], []] },
        { id: "out", type: "schedule-finish", z: "tab", wires: [] },
    ]);
    const [{ triggerId }] = (await peer.frame("here", ({ triggers }) => triggers.length > 0)).triggers;
    peer.send(offer("e1", triggerId));
    const end = await peer.frame("finished");
    assert.deepEqual([end.executionId, end.outcome], ["e1", "completed"]);
    await until(() => node.received("out").length === 1);
});
