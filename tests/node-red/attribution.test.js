"use strict";

// Ten runs at once through queues that they share with each other and with messages of no run.

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { Deployed } = require("./support/deployed");
const { offer } = require("./support/peer");
const { until } = require("./support/until");

const RUNS = 10;
const LANES = 5;
const EACH = 200;
const ALL = RUNS * LANES * EACH;

const house = new Deployed();
const { node, peer } = house;

const RATE = { type: "delay", pauseType: "rate", rate: "1000", nbRateUnits: "1", rateUnits: "second", drop: false, outputs: 1 };
const lanes = Array.from({ length: LANES }, (_, number) => `lane${number}`);

/** Sends messages that do not say which run they belong to, but remember it. */
const SPREAD = `const of = msg.run.executionId;
    for (let n = 0; n < ${EACH}; n += 1) node.send({ payload: { of, n } }, false);
    return null;`;
/** Loses `msg.run`, and that which `msg.payload` is part of. */
const FORGET = "await null; return { payload: msg.payload };";

/** @param {string} lane a queue, a node that forgets, another queue */
function laneOf(lane) {
    const z = "tab";
    return [
        { id: `${lane}-spread`, type: "function", z, func: SPREAD, outputs: 1, wires: [[lane]] },
        { id: lane, z, ...RATE, wires: [[`${lane}-forget`]] },
        { id: `${lane}-forget`, type: "function", z, func: FORGET, outputs: 1, wires: [[`${lane}-again`]] },
        { id: `${lane}-again`, z, ...RATE, wires: [["check"]] },
    ];
}

const check = { id: "check", type: "function", z: "tab", func: "msg.at = Date.now(); return null;", outputs: 1, wires: [[]] };

test(`not one of ${ALL} messages is taken for another run's`, { timeout: 120_000 }, async () => {
    const spread = lanes.map((lane) => `${lane}-spread`);
    await house.deploy({ endsOnSilence: true, wires: [spread, []] }, [...lanes.flatMap(laneOf), check]);
    for (let run = 0; run < RUNS; run += 1) peer.send(offer(`r${run}`, house.known("t")));
    await until(() => lanes.every((lane) => node.received(lane).length > EACH));
    for (let n = 0; n < EACH; n += 1) node.RED.nodes.getNode(lanes[n % LANES]).receive({ payload: { n } });

    const ends = await peer.framesOf("finished", RUNS);
    await until(() => node.received("check").length >= ALL + EACH);
    const wrong = node.received("check").filter(({ run, payload }) => run?.executionId !== payload.of);
    assert.equal(node.received("check").length, ALL + EACH);
    assert.deepEqual(wrong, []);

    for (const { executionId, outcome, endedAt } of ends) {
        const times = node.received("check").filter(({ run }) => run?.executionId === executionId).map(({ at }) => at);
        assert.deepEqual([outcome, times.length], ["completed", LANES * EACH]);
        assert.ok(Math.max(...times) <= Date.parse(endedAt), "no run ends before its last message");
    }
});
