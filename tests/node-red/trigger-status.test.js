"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const catalogue = require("../../node-red/locales/en-US/schedule-trigger.json");
const finishCatalogue = require("../../node-red/locales/en-US/schedule-finish.json");
const { triggerStatus } = require("../../node-red/lib/status");
const { TriggerActivity } = require("../../node-red/lib/trigger-activity");

const place = { now: Date.parse("2026-03-04T12:00:00Z"), timeZone: "UTC" };
const idle = new TriggerActivity().counts;
const view = {
    mistake: undefined,
    warning: undefined,
    inTheWay: undefined,
    lateNode: undefined,
    condition: /** @type {const} */ ("connected"),
    counts: idle,
    limit: undefined,
    nextRun: "2026-03-04T14:20:00.000Z",
    pausedSince: null,
};

/** @type {Record<string, string>} */
const texts = catalogue["schedule-trigger"].status;

/**
 * @param {object} changes
 * @returns {string} such as "blue ring: next 14:20"
 */
function shown(changes) {
    const status = triggerStatus({ ...view, ...changes }, place);
    if (!status) return "nothing";
    const text = texts[status.key].replace(/__(\w+)__/g, (_match, name) => String(status.values[name]));
    return `${status.fill} ${status.shape}: ${text}`;
}

for (const { when, changes, status } of [
    { when: "at rest", changes: {}, status: "blue ring: next 14:20" },
    { when: "without a schedule", changes: { nextRun: null }, status: "nothing" },
    { when: "paused at no full minute", changes: { pausedSince: "2026-03-04T09:12:41.5Z" }, status: "grey ring: paused since 09:12" },
    { when: "paused on another day", changes: { pausedSince: "2026-03-01T09:12:41Z" }, status: "grey ring: paused since Sun" },
    { when: "paused long ago", changes: { pausedSince: "2025-12-23T09:12:00Z" }, status: "grey ring: paused since 23 Dec" },
    { when: "late", changes: { lateNode: "resize images" }, status: "yellow dot: late: resize images" },
    { when: "late by a long name", changes: { lateNode: "resize all images" }, status: "yellow dot: late: resize all im…" },
    { when: "paused", changes: { pausedSince: "2026-03-04T09:12:00Z" }, status: "grey ring: paused since 09:12" },
    { when: "running", changes: { counts: { ...idle, running: 1 } }, status: "blue dot: running 1" },
    { when: "running of a limit", changes: { counts: { ...idle, running: 2 }, limit: 3 }, status: "blue dot: running 2/3" },
    { when: "skipping", changes: { counts: { ...idle, running: 1, skipped: 3 } }, status: "blue dot: running, skipped 3" },
    { when: "queued", changes: { counts: { ...idle, running: 1, queued: 1 } }, status: "yellow ring: queued, running 1" },
    { when: "queued behind others", changes: { counts: { ...idle, queued: 1 } }, status: "yellow ring: queued 1" },
    { when: "on hold", changes: { counts: { ...idle, onHold: 1, place: 2 } }, status: "yellow ring: on hold, place 2" },
    { when: "the bridge is away", changes: { condition: "bridgeAway" }, status: "red ring: bridge away" },
    { when: "connecting", changes: { condition: "connecting" }, status: "grey ring: connecting" },
    { when: "mistaken", changes: { mistake: "cron" }, status: "red dot: bad cron expression" },
    { when: "odd", changes: { warning: "unknownPolicy" }, status: "yellow dot: unknown policy" },
]) {
    test(`${when}: ${status}`, () => assert.equal(shown(changes), status));
}

test("a mistake goes before a lost bridge, a lost bridge before runs", () => {
    const counts = { ...idle, running: 1 };
    assert.equal(shown({ mistake: "every", condition: "bridgeAway", counts }), "red dot: bad interval");
    assert.equal(shown({ condition: "unauthorised", counts }), "red ring: bad bridge token");
});

test("no status text is longer than 20 characters, whatever its numbers", () => {
    const longest = { running: 99, step: 3, steps: 3, queued: 999, place: 999, skipped: "99k", limit: 99, time: "Fri 14:20:05" };
    const all = Object.entries({ ...texts, ...finishCatalogue["schedule-finish"].status });
    for (const [key, text] of all) {
        const values = key === "paused" ? { time: "23 Sept" } : longest;
        const said = text.replace(/__(\w+)__/g, (_match, name) => String(/** @type {any} */ (values)[name]));
        assert.ok(said.length <= 20, said);
    }
});

test("activity is a set: an end that is heard twice counts once", () => {
    const activity = new TriggerActivity();
    activity.started("a");
    activity.started("a");
    activity.started("b");
    activity.ended("a");
    activity.ended("a");
    assert.equal(activity.counts.running, 1);
});

test("skips are counted behind a run and forgotten when nothing is active", () => {
    const activity = new TriggerActivity();
    activity.started("a");
    activity.decided({ decision: "skipped", reason: "active" });
    activity.decided({ decision: "skipped", reason: "paused" });
    assert.equal(activity.counts.skipped, 1);
    activity.ended("a");
    assert.equal(activity.counts.skipped, 0);
});

test("a queued run is followed from its decision through news to its start", () => {
    const activity = new TriggerActivity();
    activity.decided({ decision: "queued", executionId: "q" });
    assert.equal(activity.counts.queued, 1);
    activity.changed({ executionId: "q", state: "onHold", waitsFor: { position: 2 } });
    assert.deepEqual([activity.counts.queued, activity.counts.onHold, activity.counts.place], [0, 1, 2]);
    activity.started("q");
    assert.deepEqual([activity.counts.onHold, activity.counts.running], [0, 1]);
    activity.changed({ executionId: "q", state: "completed" });
    assert.equal(activity.counts.running, 0);
});

test("a lost connection forgets what waits, not what runs here", () => {
    const activity = new TriggerActivity();
    activity.started("a");
    activity.decided({ decision: "queued", executionId: "q" });
    activity.forgetWaiting();
    assert.deepEqual([activity.counts.running, activity.counts.queued], [1, 0]);
});
