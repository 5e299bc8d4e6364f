/** How the runs of many small flows end, on real Node-REDs against a real bridge. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { inHouse, until, VERSIONS } from "./support/house.mjs";
import { functions } from "./tracking/functions.mjs";
import { holding } from "./tracking/holding.mjs";
import { outside } from "./tracking/outside.mjs";
import { pageAndTruth } from "./tracking/page.mjs";
import { flowOf } from "./tracking/row.mjs";
import { routing } from "./tracking/routing.mjs";
import { complaints, endOf, fire, report } from "./tracking/verdict.mjs";
import { openWorld } from "./tracking/world.mjs";

const ROWS = [...functions, ...routing, ...holding, ...outside];
const FLOWS = ROWS.flatMap(flowOf);
let world;

before(async () => (world = await openWorld()));
after(() => world.close());

/** Runs every row, all at once. */
async function runAll(house, version) {
    const last = ROWS.at(-1);
    await until("the triggers", async () => house.trigger(`${last.slug}-trigger`));
    await Promise.all(ROWS.map((row) => fire(house, row)));
    const ends = new Map(await Promise.all(ROWS.map(async (row) => [row, await endOf(house, row)])));
    const { right, text } = report(ROWS, (row) => complaints(house, row, ends.get(row)));
    console.log(`Node-RED ${version}:\n${text}`);
    assert.equal(right, ROWS.length, text);
}

test("the page for users has the rows that are tried", () => {
    const [page, truth] = pageAndTruth(ROWS);
    assert.equal(page, truth);
});

test("the runs of all rows end when, and as, they must", { concurrency: true }, async (t) => {
    const onVersion = (version) =>
        t.test(`on Node-RED ${version}`, () =>
            inHouse({ version, flows: FLOWS, env: world.env }, (house) => runAll(house, version)),
        );
    await Promise.all(VERSIONS.map(onVersion));
});
