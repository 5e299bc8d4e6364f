/** A network, and a day, that are bad at random: nothing lost, nothing doubled. `SEED` repeats one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { campaign } from "./chance/campaign.mjs";

const SECONDS = Number(process.env.SEARCH_SECONDS ?? 25);
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 32);

test("whatever the network does, each run that was confirmed comes out once and ends", { timeout: (SECONDS + 120) * 1000 }, async (t) => {
    t.diagnostic(`SEED=${SEED}`);
    const { wrong, figures } = await campaign({ seed: SEED, seconds: SECONDS });
    t.diagnostic(JSON.stringify(figures));
    for (const [kind, cases] of Object.entries(wrong)) assert.deepEqual(cases, [], `${kind}; SEED=${SEED}`);
    assert.ok(figures["starts that came out"] > 0 && figures.faults > 0);
});
