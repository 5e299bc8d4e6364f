"use strict";

/** What the picture of the dialog says, in numbers and about each mark. */
const assert = require("node:assert/strict");
const { test } = require("node:test");
const catalogue = require("../../node-red/locales/en-US/schedule-trigger.json");
const { loadResources } = require("./support/resources");
const { simulated } = require("./support/simulator");

const { scheduleTrigger, ScheduleTimeline } = loadResources(
    "timeline-outcomes.js",
    "timeline-simulated.js",
    "timeline-axis.js",
    "picture-sentences.js",
    "run-time-slider.js",
);

/** A text of the catalogue, as the editor gives it. */
function say(/** @type {string} */ key, /** @type {any} */ values = {}) {
    const text = key.split(".").reduce((part, name) => part[name], /** @type {any} */ (catalogue)["schedule-trigger"]);
    return text.replace(/__(\w+)__/g, (/** @type {string} */ _whole, /** @type {string} */ name) => String(values[name]));
}

const START = Date.UTC(2026, 0, 1, 14, 10);
const MINUTE = 60_000;
const VIEW = { from: START + 10 * MINUTE, to: START + 130 * MINUTE };
const POLICIES = ["skip", "queue", "allow", "buffer", "cancel", "terminate"];
const SETTINGS = [...POLICIES.map((overlapPolicy) => ({ overlapPolicy, maxConcurrent: 2 })), { overlapPolicy: "skip", delaySeconds: 60 }];

const printed = simulated(
    SETTINGS.map((settings) => ({
        start: new Date(START).toISOString(),
        until: 7799,
        triggers: [{ triggerId: "t", schedule: { kind: "interval", every: 600 }, ...settings }],
        runs: { t: { durationSeconds: settings.overlapPolicy === "allow" ? 24 * 60 : 14 * 60 } },
    })),
);
const stories = printed.map((events, index) =>
    ScheduleTimeline.tellSimulated(events, { start: START, policy: SETTINGS[index].overlapPolicy, runMs: 14 * MINUTE }),
);
const summary = (/** @type {number} */ index) =>
    scheduleTrigger.pictureSummary(stories[index], VIEW, { say, lang: "en-US", since: VIEW.from, what: "ticks" });

test("the next ticks are summed up in one sentence, without what is zero", () => {
    assert.deepEqual(
        POLICIES.map((_policy, index) => summary(index)),
        [
            "In the next 2 hours: **12 ticks, 6 runs, 6 skipped.**",
            "In the next 2 hours: **12 ticks, 9 runs, 3 merged.**",
            "In the next 2 hours: **12 ticks, 8 runs, 4 skipped.**",
            "In the next 2 hours: **12 ticks, 6 runs, 5 dropped.** 1 still waits.",
            "In the next 2 hours: **12 ticks, 12 runs, 11 cancelled.**",
            "In the next 2 hours: **12 ticks, 12 runs, 11 terminated.**",
        ],
    );
});

test("a firing that is delayed and then skipped counts as one", () => {
    assert.match(summary(POLICIES.length), /\*\*12 ticks, 6 runs, \d skipped\.\*\*/);
});

test("each mark has its sentence", () => {
    const when = (/** @type {number | undefined} */ at) => (at === undefined ? "" : new Date(at).toISOString().slice(11, 16));
    const tells = (/** @type {number} */ index) => stories[index].marks.slice(0, 3).map(scheduleTrigger.pictureTeller(stories[index], { say, when }));
    assert.deepEqual(tells(0).slice(0, 2), ["14:20 A run starts. It ends at 14:34.", "14:30 Skipped: the run of 14:20 is still active."]);
    assert.deepEqual(tells(1).slice(1), ["14:30 Queued. It runs at 14:34.", "14:40 Queued. It runs at 14:48."]);
    assert.deepEqual(tells(2)[2], "14:40 Skipped: 2 runs are active.");
    assert.deepEqual(tells(3).slice(1), ["14:30 Held in the slot. It runs at 14:40.", "14:40 The tick that was held runs in place of this one."]);
    assert.deepEqual(tells(4)[0], "14:20 A run starts. The next one cancels it at 14:30.");
    assert.deepEqual(tells(5)[0], "14:20 A run starts. The next one terminates it at 14:30.");
});

test("every mark and bar of every policy has a sentence without gaps", () => {
    const when = (/** @type {number | undefined} */ at) => (at === undefined ? "" : new Date(at).toISOString().slice(11, 16));
    for (const story of stories) {
        const tell = scheduleTrigger.pictureTeller(story, { say, when });
        for (const thing of [...story.marks, ...story.waits, ...story.runs]) assert.doesNotMatch(tell(thing), /undefined| {2}| \.|__/);
    }
});

const totals = (/** @type {object} */ some) => ({ firings: 11, runs: 6, skipped: 0, merged: 0, dropped: 0, waiting: 0, cancelled: 0, expired: 0, ...some });

test("a replay is compared with what happened", () => {
    const compare = (/** @type {object} */ asItRan, /** @type {object} */ replayed) =>
        scheduleTrigger.pictureComparison({ asItRan: totals(asItRan), replayed: totals(replayed) }, "queue", { say, lang: "en-US" });
    assert.equal(
        compare({ skipped: 5 }, { runs: 7, merged: 4, waiting: 1 }),
        "With queue you would have had **7 runs instead of 6**, 4 merged, none skipped. 1 still waits.",
    );
    assert.equal(compare({}, {}), "With queue you would have had **6 runs as well**.");
});

test("spans and run times read as people say them", () => {
    const spans = [1500, 90_000, 7_200_000, 30_000_000, 4 * 86_400_000 + 3_600_000];
    assert.deepEqual(
        spans.map((ms) => scheduleTrigger.spanInWords(ms, "en-US")),
        ["2 seconds", "1 minute 30 seconds", "2 hours", "8 hours 20 minutes", "4 days"],
    );
    const times = [0.5, 5, 64, 840, 3600, 4200, 90_000];
    assert.deepEqual(
        times.map((seconds) => scheduleTrigger.timeInWords(seconds, say)),
        ["0.5 s", "5 s", "1 min 4 s", "14 min", "1 h", "1 h 10 min", "1 d 1 h"],
    );
});
