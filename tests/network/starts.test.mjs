/** From the offer to the first message: whatever the network loses, a run starts once or is over. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { oneBridge } from "./support/world.mjs";

const LIMIT = { timeout: 90_000 };
const onOneBridge = oneBridge();
const isConfirmation = ({ confirmed }) => confirmed === true;

/** A client that is here with one trigger, which an operator has just fired. */
async function firedOnce(world, stop) {
    const trigger = world.trigger();
    const station = await world.station({ triggers: [trigger] }).here();
    const stopped = stop(world.proxy);
    await world.fire(trigger.triggerId);
    return { station, trigger, crossing: await stopped };
}

/** The run comes out once, and its end is the flow's own. */
async function startsOnceAndEnds(world, station, { triggerId }) {
    const [executionId] = await station.untilStarted();
    station.finish(executionId);
    const executions = await world.endsAs(triggerId, "completed");
    assert.deepEqual(station.starts, [executions[0].executionId]);
    assert.deepEqual(station.ends, []);
}

const MOMENTS = {
    "the offer": (proxy) => proxy.stop("bridge", "execution.start"),
    "the claim": (proxy) => proxy.stop("client", "started"),
    "the confirmation": (proxy) => proxy.stop("bridge", "reply", isConfirmation),
};

describe("starts", { concurrency: 3 }, () => {
    for (const [what, stop] of Object.entries(MOMENTS)) {
        test(
            `${what} is lost: the run starts once`,
            LIMIT,
            onOneBridge(async (world) => {
                const { station, trigger, crossing } = await firedOnce(world, stop);
                crossing.lose();
                await startsOnceAndEnds(world, station, trigger);
            }),
        );

        test(
            `${what} arrives and the connection is cut behind it: the run starts once`,
            LIMIT,
            onOneBridge(async (world) => {
                const { station, trigger, crossing } = await firedOnce(world, stop);
                crossing.passAndCut();
                await startsOnceAndEnds(world, station, trigger);
            }),
        );

        test(
            `${what} arrives twice: the run starts once`,
            LIMIT,
            onOneBridge(async (world) => {
                const { station, trigger, crossing } = await firedOnce(world, stop);
                crossing.pass(2);
                await startsOnceAndEnds(world, station, trigger);
            }),
        );
    }

    test(
        "a cancel between the offer and the claim: the claim is refused, nothing starts, the end is told once",
        LIMIT,
        onOneBridge(async (world) => {
            const { station, trigger, crossing } = await firedOnce(world, MOMENTS["the claim"]);
            await world.command("cancel", await world.untilIn(trigger.triggerId, "pending"));
            crossing.pass();
            await world.endsAs(trigger.triggerId, "cancelled");
            await world.untilAllArrived(station);
            assert.deepEqual(station.starts, []);
            assert.deepEqual(station.ends.map(({ outcome }) => outcome), ["cancelled"]);
        }),
    );

    test(
        "a cancel between the claim and its confirmation: the run starts, then its end is told, each once",
        LIMIT,
        onOneBridge(async (world) => {
            const { station, trigger, crossing } = await firedOnce(world, MOMENTS["the confirmation"]);
            const run = await world.untilIn(trigger.triggerId, "running");
            await world.command("cancel", run);
            assert.deepEqual([station.starts, station.ends], [[], []]);
            crossing.pass();
            await world.untilAllArrived(station);
            assert.deepEqual(station.starts, [run.executionId]);
            assert.deepEqual(station.ends.map(({ outcome }) => outcome), ["cancelled"]);
            await world.endsAs(trigger.triggerId, "cancelled");
        }),
    );

    for (const verb of ["cancel", "terminate"]) {
        test(
            `the confirmation is lost and the run meanwhile ended by ${verb}: nothing starts, the end is told once`,
            LIMIT,
            onOneBridge(async (world) => {
                const { station, trigger, crossing } = await firedOnce(world, MOMENTS["the confirmation"]);
                await world.command(verb, await world.untilIn(trigger.triggerId, "running"));
                crossing.lose();
                await world.endsAs(trigger.triggerId, "cancelled");
                await world.untilAllArrived(station);
                assert.deepEqual(station.starts, []);
                assert.deepEqual(station.ends.map(({ halt }) => halt), [verb === "terminate"]);
            }),
        );
    }

    test(
        "the end overtakes the confirmation: nothing starts",
        LIMIT,
        onOneBridge(async (world) => {
            const { station, trigger, crossing } = await firedOnce(world, MOMENTS["the confirmation"]);
            crossing.letOthersBy();
            await world.command("terminate", await world.untilIn(trigger.triggerId, "running"));
            await station.untilEnded();
            crossing.pass();
            await world.untilAllArrived(station);
            assert.deepEqual(station.starts, []);
            await world.endsAs(trigger.triggerId, "cancelled");
        }),
    );

    test(
        "two confirmations arrive in the wrong order: each run starts once, with its own times",
        LIMIT,
        onOneBridge(async (world) => {
            const trigger = world.trigger({ overlapPolicy: "allow", maxConcurrent: 2 });
            const station = await world.station({ triggers: [trigger] }).here();
            const first = world.proxy.stop("bridge", "reply", isConfirmation);
            await world.fire(trigger.triggerId);
            const late = await first;
            late.letOthersBy();
            await world.fire(trigger.triggerId);
            await station.untilStarted();
            late.pass();
            await station.untilStarted(2);
            const executions = await world.executions(trigger.triggerId);
            const byId = Object.fromEntries(executions.map(({ executionId, startedAt }) => [executionId, startedAt]));
            assert.deepEqual(station.starts, executions.map(({ executionId }) => executionId).reverse());
            for (const { executionId, startedAt } of station.infos) assert.equal(startedAt, byId[executionId]);
        }),
    );

    test(
        "the trigger is detached while its start is pending: the start is offered, and given up",
        LIMIT,
        onOneBridge(async (world) => {
            const [trigger, other] = [world.trigger(), world.trigger({}, "other")];
            const station = await world.station({ triggers: [trigger] }).here();
            station.client.away();
            await world.fire(trigger.triggerId);
            await world.untilIn(trigger.triggerId, "pending");
            await station.here([other]);
            await world.endsAs(trigger.triggerId, "interrupted");
            assert.deepEqual([station.starts, station.ends], [[], []]);
        }),
    );

    test(
        "the trigger is detached while its claim is on its way: the run is confirmed, and given up",
        LIMIT,
        onOneBridge(async (world) => {
            const { station, trigger, crossing } = await firedOnce(world, MOMENTS["the claim"]);
            station.triggers = [];
            station.client.here([]);
            crossing.pass();
            await world.endsAs(trigger.triggerId, "interrupted");
            assert.deepEqual([station.starts, station.ends], [[], []]);
        }),
    );
});
