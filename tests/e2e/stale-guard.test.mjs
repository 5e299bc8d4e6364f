/** A run that nobody ends gives its slot back at its limit: five intervals, or maxRunMinutes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inHouse, mostAtOnce, until, VERSIONS } from "./support/house.mjs";
import { debug, tab, trigger } from "./support/nodes.mjs";

const WITHIN_MS = 100_000;

const FLOWS = [
    tab("flow"),
    // Only a finish node ends these runs, and there is none.
    trigger("derived", "flow", { every: 2, endsOnSilence: false, wires: [["starts"], ["derived-else"]] }),
    trigger("minutes", "flow", {
        every: 10,
        maxRunMinutes: 1,
        endsOnSilence: false,
        wires: [["starts"], ["minutes-else"]],
    }),
    debug("starts", "flow"),
    debug("derived-else", "flow"),
    debug("minutes-else", "flow"),
];

const seconds = (from, to) => (Date.parse(to) - Date.parse(from)) / 1000;

async function assertExpires(house, node, limitSeconds) {
    const expired = async () => (await house.executions(node)).find(({ state }) => state === "expired");
    const first = await until(`the limit of ${node}`, expired, WITHIN_MS);
    assert.equal(seconds(first.startedAt, first.deadline), limitSeconds);
    assert.ok(first.endedAt >= first.deadline, "never before its deadline");

    await until("the next run", async () => (await house.executions(node)).filter((e) => e.startedAt).length >= 2);
    const executions = await house.executions(node);
    assert.equal(executions[0].executionId, first.executionId);
    assert.equal(mostAtOnce(executions), 1);

    const announced = () => house.shown(`${node}-else`).find(({ payload }) => payload.outcome === "expired");
    const end = await until("the end on output 2", announced);
    assert.equal(end.payload.executionId, first.executionId);
    const warned = (line) => line.includes("[warn]") && line.includes(first.executionId.slice(0, 4));
    assert.ok(house.nodeRed.lines.some(warned), "Node-RED's log warns of it");
    const said = (line) => line.includes('"level":"warning"') && line.includes(first.executionId);
    assert.ok(house.bridge.lines.some(said), "the bridge's log warns of it");
}

test("a run without an end is given up at its limit", { concurrency: true }, async (t) => {
    const onVersion = (version) => async () =>
        inHouse({ version, flows: FLOWS }, async (house) => {
            await assertExpires(house, "derived", 10);
            await assertExpires(house, "minutes", 60);
        });
    await Promise.all(VERSIONS.map((version) => t.test(`on Node-RED ${version}`, onVersion(version))));
});
