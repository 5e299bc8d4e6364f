/** A client that knows several addresses goes on by another one when its bridge is gone. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { unaccounted } from "./support/ticks.mjs";
import { inHouseOfTwo } from "./support/two-bridges.mjs";
import { until } from "./support/world.mjs";

const LIMIT = { timeout: 120_000 };
const EVERY = 2;
const FIRES_EVERY_MS = 150;
const ENDS_WITHIN_MS = 300;

const isOver = ({ endedAt }) => endedAt !== null;

/** A schedule, a trigger that messages fire, and one whose run goes on until somebody ends it. */
function triggersOf(world) {
    return {
        ticking: world.trigger({ schedule: { kind: "interval", every: EVERY }, overlapPolicy: "allow", maxConcurrent: 9 }, "ticking"),
        fired: world.trigger({ overlapPolicy: "queue" }, "fired"),
        long: world.trigger({}, "long"),
    };
}

/** Fires again and again as messages do; what cannot be decided is reported, and starts nothing. */
function keepFiring(station, { triggerId }) {
    const timer = setInterval(() => station.fire(triggerId).catch(() => {}), FIRES_EVERY_MS);
    return () => clearInterval(timer);
}

/** Runs end after a moment, but for those of one trigger. */
function finishesLater(station, { long }) {
    station.onStart = ({ executionId, triggerId }) => {
        if (triggerId !== long.triggerId) setTimeout(() => station.finish(executionId), Math.random() * ENDS_WITHIN_MS);
    };
}

/** Stops what fires, waits until all is over, and holds what came out to what is on record. */
async function holdToRecord(world, station, { ticking, fired, long }) {
    for (const { triggerId } of [ticking, fired]) await world.ask(`/v1/triggers/${triggerId}/pause`, "POST", {});
    const all = () => Promise.all([ticking, fired, long].map(({ triggerId }) => world.all("executions", triggerId)));
    await until("all runs to end", async () => (await all()).flat().every(isOver));
    const executions = (await all()).flat();
    const claimed = executions.filter(({ startedAt }) => startedAt !== null).map(({ executionId }) => executionId);
    assert.deepEqual([...station.starts].sort(), claimed.sort());
    const other = executions.filter(({ startedAt, state }) => startedAt !== null && state !== "completed");
    assert.deepEqual(other, []);
    assert.deepEqual(await unaccounted(world, ticking.triggerId, EVERY), []);
}

const startsOf = (station, { triggerId }) => station.infos.filter((info) => info.triggerId === triggerId).length;

const untilMoreTicks = (station, { ticking }) => {
    const before = startsOf(station, ticking);
    return until("two more ticks", async () => startsOf(station, ticking) >= before + 2);
};

describe("several addresses", { concurrency: 2 }, () => {
    test("the first bridge is killed: the client goes on by the second, its run as well, and nothing runs twice", LIMIT, () =>
        inHouseOfTwo(async (world) => {
            const triggers = triggersOf(world);
            const station = world.station({ triggers: Object.values(triggers) });
            finishesLater(station, triggers);
            await station.here();
            const stopFiring = keepFiring(station, triggers.fired);
            await station.fire(triggers.long.triggerId);
            await untilMoreTicks(station, triggers);
            world.asked = 1;
            await station.untilHereAgain(() => world.bridges[0].kill("SIGKILL"));
            await untilMoreTicks(station, triggers);
            stopFiring();
            const { executionId } = station.infos.find(({ triggerId }) => triggerId === triggers.long.triggerId);
            station.finish(executionId);
            await holdToRecord(world, station, triggers);
        }),
    );

    test("each bridge is stopped in its turn and comes back: the client is led to and fro, and nothing runs twice", LIMIT, () =>
        inHouseOfTwo(async (world) => {
            const triggers = triggersOf(world);
            const station = world.station({ triggers: Object.values(triggers) });
            finishesLater(station, triggers);
            await station.here();
            const stopFiring = keepFiring(station, triggers.fired);
            for (const number of [0, 1]) {
                world.asked = 1 - number;
                await station.untilHereAgain(() => world.bridges[number].stop());
                await untilMoreTicks(station, triggers);
                await world.start(number);
            }
            stopFiring();
            await holdToRecord(world, station, triggers);
        }),
    );
});
