/** Connections that break badly: in the middle of a frame, without a word, or not at all. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inWorld, oneBridge, until } from "./support/world.mjs";

const LIMIT = { timeout: 90_000 };
const onOneBridge = oneBridge({ limits: { ping_every: 1 } });

const clientsHere = async (world) => (await world.ask("/v1/info")).counts.clientsHere;

async function arrived(world, config, wanted) {
    const trigger = world.trigger(config);
    const station = await world.station({ triggers: [trigger], ...wanted }).here();
    return { trigger, station };
}

/** A new run goes all its way over whatever connection there is by now. */
async function stillWorks(world, station, { triggerId }) {
    await world.fire(triggerId);
    await station.untilStarted((await world.executions(triggerId)).length);
    for (const executionId of station.starts) station.finish(executionId);
    const executions = await world.endsAs(triggerId, ...station.starts.map(() => "completed"));
    assert.deepEqual(station.starts, executions.map(({ executionId }) => executionId));
    assert.deepEqual(station.ends, []);
}

describe("breaks", { concurrency: 3 }, () => {
    for (const from of ["client", "bridge"]) {
        test(
            `a frame of the ${from} is torn in the middle by a reset: the connection is made anew, the run goes on`,
            LIMIT,
            onOneBridge(async (world) => {
                const { trigger, station } = await arrived(world, { overlapPolicy: "allow", maxConcurrent: 2 });
                await world.fire(trigger.triggerId);
                await station.untilStarted();
                await station.untilHereAgain(() => world.proxy.wires[0].tear(from));
                await stillWorks(world, station, trigger);
            }),
        );

        test(
            `bytes that are no frame come from the ${from}: the run goes on`,
            LIMIT,
            onOneBridge(async (world) => {
                const { trigger, station } = await arrived(world, { overlapPolicy: "allow", maxConcurrent: 2 });
                await world.fire(trigger.triggerId);
                await station.untilStarted();
                const garble = () => world.proxy.wires[0].garble(from);
                if (from === "client") await station.untilHereAgain(garble);
                else garble();
                await stillWorks(world, station, trigger);
            }),
        );
    }

    test(
        "bytes go nowhere: the client's pings notice, and it connects anew and loses nothing",
        LIMIT,
        onOneBridge(async (world) => {
            const { trigger, station } = await arrived(world, { overlapPolicy: "allow", maxConcurrent: 2 });
            await station.untilHereAgain(() => world.proxy.wires[0].mute());
            await world.fire(trigger.triggerId);
            await stillWorks(world, station, trigger);
        }),
    );

    test("bytes go nowhere: the bridge's pings notice, and the client is not here any more", LIMIT, () =>
        inWorld({ limits: { ping_every: 1 } }, async (world) => {
            const { trigger, station } = await arrived(world, {}, { timing: { ping: 80_000 } });
            assert.equal(await clientsHere(world), 1);
            world.proxy.wires[0].mute();
            await until("the client to be taken for away", async () => (await clientsHere(world)) === 0);
            assert.equal(station.client.condition, "connected");
            await world.fire(trigger.triggerId);
            await world.untilIn(trigger.triggerId, "pending");
        }),
    );

    test("a client that stops reading is dropped; what it was offered starts once when it is back", LIMIT, () =>
        inWorld({ limits: { ping_every: 1, frames_queued: 50 } }, async (world) => {
            const lockKeys = Array.from({ length: 40 }, (_, number) => `key ${number}`);
            const { trigger, station } = await arrived(world, { lockKeys }, { finishes: true });
            world.proxy.wires[0].stopReading();
            await world.fire(trigger.triggerId, { payload: "x".repeat(500_000) });
            await station.untilStarted(lockKeys.length);
            await world.endsAs(trigger.triggerId, ...lockKeys.map(() => "completed"));
            assert.equal(new Set(station.starts).size, lockKeys.length);
            assert.equal(station.starts.length, lockKeys.length);
        }),
    );

    test(
        "a proxy answers 502 to everything: the bridge is away, nothing starts, and all is well afterwards",
        LIMIT,
        onOneBridge(async (world) => {
            const { trigger, station } = await arrived(world);
            world.proxy.refusal = 502;
            await assert.rejects(station.fire(), { status: 502 });
            world.proxy.cut();
            await until("the bridge to be away", () => station.client.condition === "bridgeAway");
            await assert.rejects(station.fire(), { problem: "bridgeAway" });
            await world.fire(trigger.triggerId);
            world.proxy.refusal = undefined;
            await station.untilHere();
            await station.untilStarted();
            station.finish(station.starts[0]);
            await world.endsAs(trigger.triggerId, "completed");
            assert.equal(station.starts.length, 1);
        }),
    );

    test(
        "every frame and call arrives twice: each thing happens once",
        LIMIT,
        onOneBridge(async (world) => {
            const { trigger, station } = await arrived(world, { overlapPolicy: "queue" });
            world.proxy.onCrossing = (crossing) => crossing.pass(2);
            const decisions = [...(await station.fire()), ...(await station.fire()), ...(await station.fire())];
            assert.deepEqual(decisions.map(({ decision }) => decision), ["started", "queued", "merged"]);
            const [first] = await station.untilStarted();
            station.finish(first);
            const [, second] = await station.untilStarted(2);
            await world.command("cancel", { executionId: second });
            await world.endsAs(trigger.triggerId, "completed", "cancelled");
            await world.untilAllArrived(station);
            assert.deepEqual([station.starts.length, station.ends.length], [2, 1]);
            const told = station.decisions.filter(({ triggerId }) => triggerId === trigger.triggerId);
            const kinds = told.map(({ firingId, decision }) => `${firingId} ${decision}`);
            assert.deepEqual(kinds, [...new Set(kinds)], "a decision was told twice");
        }),
    );
});
