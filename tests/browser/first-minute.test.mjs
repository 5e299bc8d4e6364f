/** A newcomer's first minute: from the palette to a schedule that is protected, reading nothing. */
import assert from "node:assert/strict";
import { tab } from "../e2e/support/nodes.mjs";
import { mostAtOnce, until } from "../e2e/support/house.mjs";
import { onBoth } from "./support/both.mjs";

/** Seconds that a person takes, by the keystroke-level model: to think, to point, to press, to hit a key. */
const TAKES = { think: 1.35, point: 1.1, press: 0.2, key: 0.28 };
const TWO_MINUTES = 120;
/** Clicks and drags. More than these are a detour that somebody has built in. */
const MOST_PRESSES = 14;

const hands = {};
const ids = {};

/** Counts what a person would do with mouse and keyboard from here on. */
async function beginToCount({ editor }) {
    await editor.page.evaluate(`
        window.hands = { presses: 0, keys: 0 };
        document.addEventListener("mousedown", () => (window.hands.presses += 1), true);
        document.addEventListener("keydown", () => (window.hands.keys += 1), true);
    `);
}

async function dragTheNodes({ editor }) {
    await beginToCount({ editor });
    const trigger = await editor.place("schedule-trigger", { x: 200, y: 120 });
    const slow = await editor.place("delay", { x: 400, y: 120 });
    const shows = await editor.place("debug", { x: 600, y: 120 });
    await editor.wire(trigger, 1, slow);
    await editor.wire(slow, 1, shows);
    ids[editor.url] = { trigger, slow, shows };
}

/** Every two seconds, so that the five seconds of the delay node overlap. Nothing else is touched. */
async function setTheInterval({ editor }) {
    const dialog = await editor.edit(ids[editor.url].trigger);
    await dialog.type("every", "2");
    await dialog.choose("everyUnit", "seconds");
    await dialog.picture.says("skipped");
    await dialog.done();
}

async function deployAndSeeTheProtection({ house, editor }) {
    const { trigger } = ids[editor.url];
    await editor.deploy();
    hands[editor.url] = await editor.page.evaluate("window.hands");
    await editor.untilStatus(trigger, { fill: "blue", shape: "dot", text: /^running, skipped \d$/ });
    const ended = async () => (await house.executions(trigger)).filter(({ state }) => state === "completed").length >= 2;
    await until("two completed runs", ended, 30_000);
    assert.equal(mostAtOnce(await house.executions(trigger)), 1);
    editor.troubles.assertNone();
}

/** Choosing from a list is a press and a choice, which the browser's own list keeps from the page. */
async function takeNoLongerThanPromised({ editor }) {
    const { presses, keys } = hands[editor.url];
    assert.ok(presses > 0 && presses <= MOST_PRESSES, `${presses} presses`);
    const seconds = (presses + 2) * (TAKES.think + TAKES.point + 2 * TAKES.press) + keys * TAKES.key;
    console.log(`# ${presses} presses and ${keys} keys: about ${Math.round(seconds)} s for a person`);
    assert.ok(seconds < TWO_MINUTES, `${seconds} s`);
}

onBoth("the first minute", [tab("empty")], {
    "nodes from the palette, and their wires": dragTheNodes,
    "a shorter interval, with what it does in a picture": setTheInterval,
    "a deploy, and runs that do not overlap": deployAndSeeTheProtection,
    "less than two minutes of a person's clicks": takeNoLongerThanPromised,
});
