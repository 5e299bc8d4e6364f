/** Triggers that fire every second live through deploys of every type, restarts and a bridge that is killed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { VERSIONS } from "./support/house.mjs";
import { figuresOf } from "./soak/figures.mjs";
import { soak } from "./soak/life.mjs";

const seed = Number(process.env.SOAK_SEED ?? Date.now() % 2 ** 31);
/** One round of everything that may happen; `npm run soak` is the long form. */
const SHORT = { seconds: 30, triggers: 25, pauseMs: 2200, seed };

async function leavesNothingBehind(t, version) {
    const lived = await soak({ ...SHORT, version });
    t.diagnostic(`SOAK_SEED=${seed} on Node-RED ${version}: ${JSON.stringify(figuresOf(lived))}`);
    assert.deepEqual(lived.faults, []);
}

test("nothing is lost, doubled or left behind under load", { concurrency: true }, async (t) => {
    const onVersion = (version) => t.test(`on Node-RED ${version}`, (inner) => leavesNothingBehind(inner, version));
    await Promise.all(VERSIONS.map(onVersion));
});
