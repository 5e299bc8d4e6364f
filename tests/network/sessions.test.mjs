/** Two processes that say to be the same client: a copied user directory, or a restart whose end nobody heard of. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { oneBridge, until } from "./support/world.mjs";

const LIMIT = { timeout: 90_000 };
const onOneBridge = oneBridge();

/** A session with one run that goes on. */
async function running(world) {
    const trigger = world.trigger({ overlapPolicy: "allow", maxConcurrent: 2 });
    const first = await world.station({ triggers: [trigger] }).here();
    await world.fire(trigger.triggerId);
    const [executionId] = await first.untilStarted();
    return { trigger, first, executionId };
}

describe("sessions", { concurrency: 3 }, () => {
    test(
        "a second session is refused while the first one answers, and starts nothing",
        LIMIT,
        onOneBridge(async (world) => {
            const { trigger, first, executionId } = await running(world);
            const copy = world.station({ triggers: [trigger], session: "session 2" });
            copy.client.here([trigger]);
            await until("the copy to be refused", () => copy.conditions.includes("copied"));
            await world.fire(trigger.triggerId);
            await first.untilStarted(2);
            await assert.rejects(copy.fire(), { problem: "copied" });
            assert.equal((await world.untilIn(trigger.triggerId, "running")).executionId, executionId);
            for (const each of first.starts) first.finish(each);
            await world.endsAs(trigger.triggerId, "completed", "completed");
            assert.deepEqual([copy.starts, first.ends], [[], []]);
        }),
    );

    test(
        "a second session takes over from one that does not answer, whose runs are interrupted",
        LIMIT,
        onOneBridge(async (world) => {
            const { trigger, first } = await running(world);
            world.proxy.wires[0].mute();
            const second = await world.station({ triggers: [trigger], session: "session 2", finishes: true }).here();
            first.die();
            await world.fire(trigger.triggerId);
            await world.endsAs(trigger.triggerId, "interrupted restarted", "completed");
            assert.deepEqual([first.starts.length, second.starts.length], [1, 1]);
        }),
    );

    test(
        "a claim that the earlier session made and that arrives after the takeover is refused",
        LIMIT,
        onOneBridge(async (world) => {
            const trigger = world.trigger();
            const first = await world.station({ triggers: [trigger] }).here();
            const stopped = world.proxy.stop("client", "started");
            await world.fire(trigger.triggerId);
            const claim = await stopped;
            const [old] = world.proxy.wires;
            old.stopPongs();
            const second = await world.station({ triggers: [trigger], session: "session 2", finishes: true }).here();
            claim.pass();
            await world.endsAs(trigger.triggerId, "completed");
            assert.deepEqual([first.starts.length, second.starts.length], [0, 1]);
            first.die();
        }),
    );

    test(
        "the same session connects anew before the bridge has noticed the loss: it goes on at once, with its run",
        LIMIT,
        onOneBridge(async (world) => {
            const { trigger, first, executionId } = await running(world);
            await first.untilHereAgain(() => world.proxy.wires[0].mute());
            assert.equal((await world.untilIn(trigger.triggerId, "running")).executionId, executionId);
            first.finish(executionId);
            await world.endsAs(trigger.triggerId, "completed");
            assert.deepEqual([first.starts.length, first.ends.length], [1, 0]);
        }),
    );
});
