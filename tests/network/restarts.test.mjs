/** A process dies at a bad moment: nothing is lost, nothing starts twice. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { unaccounted } from "./support/ticks.mjs";
import { inWorld, until } from "./support/world.mjs";

const LIMIT = { timeout: 90_000 };
const EVERY = 2;
const inWorldOf = (wanted, act) => () => inWorld(wanted, act);
const inAnyWorld = (act) => inWorldOf({}, act);

/** Stops a trigger's ticks and waits until its last run is over. */
async function rest(world, trigger) {
    await world.ask(`/v1/triggers/${trigger}/pause`, "POST", {});
    await until("the last run to end", async () => (await world.executions(trigger)).every(({ endedAt }) => endedAt));
}

describe("restarts", { concurrency: 3 }, () => {
    test(
        "the bridge dies before the commit of a tick: the tick fires once, after the restart",
        LIMIT,
        inWorldOf({ diesBefore: "executions" }, async (world) => {
            const trigger = world.trigger({ schedule: { kind: "interval", every: EVERY }, overlapPolicy: "allow", maxConcurrent: 9 });
            const station = await world.station({ triggers: [trigger], finishes: true }).here();
            await world.bridge.ended;
            assert.deepEqual(station.starts, []);
            await world.startBridge();
            await station.untilStarted(2);
            await rest(world, trigger.triggerId);
            const executions = await world.executions(trigger.triggerId);
            assert.deepEqual(station.starts, executions.map(({ executionId }) => executionId));
            assert.deepEqual(await unaccounted(world, trigger.triggerId, EVERY), []);
        }),
    );

    test(
        "the bridge dies before the commit of a claim: the start is offered again, and starts once",
        LIMIT,
        inAnyWorld(async (world) => {
            const trigger = world.trigger();
            const station = await world.station({ triggers: [trigger], finishes: true }).here();
            const stopped = world.proxy.stop("client", "started");
            await world.fire(trigger.triggerId);
            const claim = await stopped;
            await world.bridge.kill("SIGKILL");
            claim.lose();
            await world.startBridge();
            await world.endsAs(trigger.triggerId, "completed");
            assert.equal(station.starts.length, 1);
        }),
    );

    test(
        "the bridge dies between the commit of a claim and its reply: the claim is confirmed again, and starts once",
        LIMIT,
        inAnyWorld(async (world) => {
            const trigger = world.trigger();
            const station = await world.station({ triggers: [trigger], finishes: true }).here();
            const stopped = world.proxy.stop("bridge", "reply", ({ confirmed }) => confirmed);
            await world.fire(trigger.triggerId);
            const confirmation = await stopped;
            const { startedAt } = await world.untilIn(trigger.triggerId, "running");
            await world.bridge.kill("SIGKILL");
            confirmation.lose();
            await world.startBridge();
            const [execution] = await world.endsAs(trigger.triggerId, "completed");
            assert.deepEqual([execution.startedAt, station.starts.length], [startedAt, 1]);
            assert.equal(station.infos[0].startedAt, startedAt);
        }),
    );

    test(
        "the client dies between its claim and the confirmation: the run is interrupted, and the next one starts",
        LIMIT,
        inAnyWorld(async (world) => {
            const trigger = world.trigger();
            const station = await world.station({ triggers: [trigger] }).here();
            const stopped = world.proxy.stop("bridge", "reply", ({ confirmed }) => confirmed);
            await world.fire(trigger.triggerId);
            const confirmation = await stopped;
            station.die();
            confirmation.lose();
            const next = await world.station({ triggers: [trigger], session: "session 2", finishes: true }).here();
            await until("the interruption", () => world.untilIn(trigger.triggerId, "interrupted"));
            await world.fire(trigger.triggerId);
            await world.endsAs(trigger.triggerId, "interrupted restarted", "completed");
            assert.deepEqual([station.starts.length, next.starts.length], [0, 1]);
        }),
    );

    test(
        "the client dies before its claim arrives: the start is offered to its next session, and starts once",
        LIMIT,
        inAnyWorld(async (world) => {
            const trigger = world.trigger();
            const station = await world.station({ triggers: [trigger] }).here();
            const stopped = world.proxy.stop("client", "started");
            await world.fire(trigger.triggerId);
            const claim = await stopped;
            station.die();
            claim.lose();
            const next = await world.station({ triggers: [trigger], session: "session 2", finishes: true }).here();
            await world.endsAs(trigger.triggerId, "completed");
            assert.deepEqual([station.starts.length, next.starts.length], [0, 1]);
        }),
    );

    test(
        "the bridge comes back at its port with an empty store: its client's runs are over for it, and new ones start",
        LIMIT,
        inAnyWorld(async (world) => {
            const trigger = world.trigger({ overlapPolicy: "allow", maxConcurrent: 2 });
            const station = await world.station({ triggers: [trigger] }).here();
            await world.fire(trigger.triggerId);
            await world.fire(trigger.triggerId);
            const [kept, reported] = await station.untilStarted(2);
            await world.bridge.kill("SIGKILL");
            await station.untilAway();
            station.finish(reported);
            world.loseStore();
            await world.startBridge();
            const [end] = await station.untilEnded();
            assert.deepEqual([end.executionId, end.outcome, end.reason], [kept, "interrupted", "unknown"]);
            await world.untilDeclared(trigger);
            station.onStart = ({ executionId }) => station.finish(executionId);
            await world.fire(trigger.triggerId);
            await world.endsAs(trigger.triggerId, "completed");
            assert.deepEqual([station.starts.length, station.ends.length], [3, 1]);
        }),
    );

    test(
        "the client says here again and again while ticks come: each tick has one firing, and each run starts once",
        LIMIT,
        inAnyWorld(async (world) => {
            const trigger = world.trigger({ schedule: { kind: "interval", every: EVERY }, overlapPolicy: "allow", maxConcurrent: 9 });
            const station = await world.station({ triggers: [trigger], finishes: true }).here();
            const saysHere = setInterval(() => station.client.here([trigger]), 7);
            const reconnects = setInterval(() => world.proxy.cut(), 250);
            await station.untilStarted(4);
            for (const timer of [saysHere, reconnects]) clearInterval(timer);
            await rest(world, trigger.triggerId);
            const executions = await world.executions(trigger.triggerId);
            assert.deepEqual(station.starts, executions.map(({ executionId }) => executionId));
            assert.ok(executions.every(({ state }) => state === "completed"));
            assert.deepEqual(await unaccounted(world, trigger.triggerId, EVERY), []);
        }),
    );
});
