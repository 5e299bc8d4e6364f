/** From the end of a run to the record: it is there once, whoever made it and whatever the network lost. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { oneBridge } from "./support/world.mjs";

const LIMIT = { timeout: 90_000 };
const MANY = 300;
const onOneBridge = oneBridge();

/** A client with one run that goes on. */
async function running(world, config) {
    const trigger = world.trigger(config);
    const station = await world.station({ triggers: [trigger] }).here();
    await world.fire(trigger.triggerId);
    const [executionId] = await station.untilStarted();
    return { station, trigger, executionId };
}

/** Cuts the client off, and lets it back once `act` is over. */
async function whileCutOff(world, station, act) {
    world.proxy.refusal = 502;
    world.proxy.cut();
    await station.untilAway();
    await act();
    world.proxy.refusal = undefined;
    await station.untilHere();
}

describe("ends", { concurrency: 3 }, () => {
    for (const [what, from, kind] of [
        ["the report of an end", "client", "finished"],
        ["the answer to it", "bridge", "reply"],
    ]) {
        test(
            `${what} is lost: the run has ended once, when the flow said so`,
            LIMIT,
            onOneBridge(async (world) => {
                const { station, trigger, executionId } = await running(world);
                const stopped = world.proxy.stop(from, kind);
                const said = new Date().toISOString();
                station.client.finish(executionId, "completed", undefined, Date.parse(said));
                (await stopped).lose();
                const [execution] = await world.endsAs(trigger.triggerId, "completed");
                assert.equal(execution.endedAt, execution.startedAt > said ? execution.startedAt : said);
                await world.untilAllArrived(station);
                assert.deepEqual([station.starts, station.ends], [[executionId], []]);
            }),
        );
    }

    test(
        "the report of an end overtakes the claim: it implies the claim, which is refused, and nothing starts",
        LIMIT,
        onOneBridge(async (world) => {
            const trigger = world.trigger();
            const station = await world.station({ triggers: [trigger] }).here();
            const stopped = world.proxy.stop("client", "started");
            await world.fire(trigger.triggerId);
            const claim = await stopped;
            claim.letOthersBy();
            station.finish(claim.content.executionId, "interrupted");
            await world.endsAs(trigger.triggerId, "interrupted");
            claim.pass();
            await world.untilAllArrived(station);
            assert.deepEqual([station.starts, station.ends], [[], []]);
        }),
    );

    test(
        "a run ends before its claim is confirmed: nothing starts",
        LIMIT,
        onOneBridge(async (world) => {
            const trigger = world.trigger();
            const station = await world.station({ triggers: [trigger] }).here();
            const stopped = world.proxy.stop("bridge", "reply", ({ confirmed }) => confirmed);
            await world.fire(trigger.triggerId);
            const confirmation = await stopped;
            station.finish((await world.untilIn(trigger.triggerId, "running")).executionId, "interrupted");
            await world.endsAs(trigger.triggerId, "interrupted");
            confirmation.pass();
            await world.untilAllArrived(station);
            assert.deepEqual([station.starts, station.ends], [[], []]);
        }),
    );

    for (const verb of ["cancel", "terminate"]) {
        test(
            `a run is ended by ${verb} while its client is away: it is told once, and the flow's own end comes too late`,
            LIMIT,
            onOneBridge(async (world) => {
                const { station, trigger, executionId } = await running(world);
                await whileCutOff(world, station, () => world.command(verb, { executionId }));
                const [end] = await station.untilEnded();
                assert.deepEqual([end.executionId, end.outcome, end.halt], [executionId, "cancelled", verb === "terminate"]);
                assert.equal(station.client.isUnwanted(executionId), true);
                assert.equal(station.finish(executionId), false);
                await world.untilAllArrived(station);
                assert.equal(station.ends.length, 1);
                await world.endsAs(trigger.triggerId, "cancelled");
            }),
        );
    }

    test(
        "the news of an end are lost: they are told at the next connection, once",
        LIMIT,
        onOneBridge(async (world) => {
            const { station, trigger, executionId } = await running(world);
            const stopped = world.proxy.stop("bridge", "execution.ended");
            await world.command("terminate", { executionId });
            (await stopped).lose();
            await station.untilEnded();
            await world.untilAllArrived(station);
            assert.deepEqual(station.ends.map(({ halt }) => halt), [true]);
            await world.endsAs(trigger.triggerId, "cancelled");
        }),
    );

    test(
        "an error text that no store keeps is told all the same, and the connection stays",
        LIMIT,
        onOneBridge(async (world) => {
            const { station, trigger, executionId } = await running(world);
            const connections = station.conditions.length;
            station.client.finish(executionId, "failed", `no \0 disk \ud83d ${"x".repeat(20_000)}`);
            const [execution] = await world.endsAs(trigger.triggerId, `failed no \ufffd disk \ufffd ${"x".repeat(988)}`);
            assert.equal(execution.executionId, executionId);
            await world.untilAllArrived(station);
            assert.deepEqual(station.conditions.slice(connections).filter((condition) => condition !== "connected"), []);
        }),
    );

    test(
        "a run ends both in the flow and by cancel while the client is away: the first end counts",
        LIMIT,
        onOneBridge(async (world) => {
            const { station, trigger, executionId } = await running(world);
            await whileCutOff(world, station, async () => {
                assert.equal(station.finish(executionId), true);
                await world.command("cancel", { executionId });
            });
            await world.endsAs(trigger.triggerId, "cancelled");
            await world.untilAllArrived(station);
            assert.equal(station.starts.length, 1);
        }),
    );

    test(
        `${MANY} runs end while the bridge is away: what is kept is one report a run, and each arrives once`,
        LIMIT,
        onOneBridge(async (world) => {
            const lockKeys = Array.from({ length: MANY }, (_, number) => `key ${number}`);
            const { station, trigger } = await running(world, { lockKeys });
            await station.untilStarted(MANY);
            const reports = [];
            await whileCutOff(world, station, async () => {
                for (const executionId of station.starts) station.finish(executionId);
                await assert.rejects(station.fire(), { problem: "bridgeAway" });
                world.proxy.onCrossing = (crossing) => {
                    if (crossing.kind === "finished") reports.push(crossing.content.executionId);
                    crossing.pass();
                };
            });
            await world.endsAs(trigger.triggerId, ...lockKeys.map(() => "completed"));
            assert.deepEqual(reports, station.starts);
            assert.equal(new Set(reports).size, MANY);
        }),
    );
});
