/** A firing that is asked for and whose answer does not come: what the node says of it is what happens. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { oneBridge } from "./support/world.mjs";

const LIMIT = { timeout: 90_000 };
const onOneBridge = oneBridge();

async function arrived(world, config) {
    const trigger = world.trigger(config);
    const station = await world.station({ triggers: [trigger] }).here();
    return { trigger, station };
}

describe("firings", { concurrency: 3 }, () => {
    test(
        "the request is lost: the firing has failed, and is not asked for again",
        LIMIT,
        onOneBridge(async (world) => {
            const { trigger, station } = await arrived(world);
            const stopped = world.proxy.stop("client", "POST fire");
            const asked = assert.rejects(station.fire(), { problem: "bridgeAway" });
            (await stopped).lose();
            await asked;
            await world.untilAllArrived(station);
            assert.deepEqual(await world.decisions(trigger.triggerId), []);
            assert.deepEqual(station.starts, []);
        }),
    );

    test(
        "the answer is lost before the offer comes: the firing has failed, so its run is interrupted and never starts",
        LIMIT,
        onOneBridge(async (world) => {
            const { trigger, station } = await arrived(world);
            const answer = world.proxy.stop("bridge", "answer fire");
            const offer = world.proxy.stop("bridge", "execution.start");
            const asked = assert.rejects(station.fire(), { problem: "bridgeAway" });
            (await answer).lose();
            await asked;
            (await offer).pass();
            await world.endsAs(trigger.triggerId, "interrupted");
            await world.untilAllArrived(station);
            assert.deepEqual([station.starts, station.ends], [[], []]);
        }),
    );

    test(
        "the answer is lost after the run was claimed: the run goes on, and the firing has not failed",
        LIMIT,
        onOneBridge(async (world) => {
            const { trigger, station } = await arrived(world);
            const answer = world.proxy.stop("bridge", "answer fire");
            const asked = station.fire();
            const [executionId] = await station.untilStarted();
            (await answer).lose();
            assert.deepEqual(await asked, []);
            station.finish(executionId);
            await world.endsAs(trigger.triggerId, "completed");
            assert.equal(station.starts.length, 1);
        }),
    );

    test(
        "the answer to a firing that waits is lost: when its turn comes its run is interrupted, and the one before ends well",
        LIMIT,
        onOneBridge(async (world) => {
            const { trigger, station } = await arrived(world, { overlapPolicy: "queue" });
            await station.fire();
            const [first] = await station.untilStarted();
            const answer = world.proxy.stop("bridge", "answer fire");
            const asked = assert.rejects(station.fire(), { problem: "bridgeAway" });
            (await answer).lose();
            await asked;
            station.finish(first);
            await world.endsAs(trigger.triggerId, "completed", "interrupted");
            assert.deepEqual(station.starts, [first]);
        }),
    );

    test(
        "a program's request with an Idempotency-Key whose answer is lost may be repeated: it is decided once",
        LIMIT,
        onOneBridge(async (world) => {
            const { trigger, station } = await arrived(world);
            station.onStart = ({ executionId }) => station.finish(executionId);
            const first = await loseAnswer(world, trigger, { "idempotency-key": `key of ${trigger.triggerId}` });
            const again = await post(world, trigger, { "idempotency-key": `key of ${trigger.triggerId}` });
            assert.equal((await again.json()).decisions[0].firingId, first.decisions[0].firingId);
            await world.endsAs(trigger.triggerId, "completed");
            assert.equal((await world.decisions(trigger.triggerId)).length, 1);
        }),
    );

    test(
        "without a key the repeated request is another firing, which the run of the first one keeps from starting",
        LIMIT,
        onOneBridge(async (world) => {
            const { trigger, station } = await arrived(world);
            await loseAnswer(world, trigger);
            const { decisions } = await (await post(world, trigger)).json();
            assert.deepEqual(decisions.map(({ decision }) => decision), ["skipped"]);
            const [executionId] = await station.untilStarted();
            station.finish(executionId);
            await world.endsAs(trigger.triggerId, "completed");
        }),
    );
});

/** Fires as a program does that reaches the bridge through the proxy. */
function post(world, { triggerId }, headers = {}) {
    const authorization = `Bearer ${world.bridge.token}`;
    const own = { authorization, "content-type": "application/json", ...headers };
    return fetch(`${world.proxy.url}/v1/triggers/${triggerId}/fire`, { method: "POST", headers: own, body: "{}" });
}

/** Fires, has the answer lost, and gives what it said. */
async function loseAnswer(world, trigger, headers) {
    const stopped = world.proxy.stop("bridge", "answer fire");
    const asked = assert.rejects(post(world, trigger, headers));
    const answer = await stopped;
    answer.lose();
    await asked;
    return answer.content;
}
