"use strict";

/** What timelines make of events and of the record, before anything is drawn. */
const assert = require("node:assert/strict");
const { readFileSync, readdirSync } = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { loadResources } = require("./support/resources");
const { simulated } = require("./support/simulator");

const { ScheduleTimeline } = loadResources(
    "timeline-outcomes.js",
    "timeline-simulated.js",
    "timeline-past.js",
    "timeline-axis.js",
    "timeline-layout.js",
);
const { tellSimulated, tellPast, roundTimes, layOut, outcomesInView, assignLanes } = ScheduleTimeline;

const START = Date.UTC(2026, 0, 1, 10);
const MINUTE = 60_000;
const at = (/** @type {number} */ minutes) => START + minutes * MINUTE;

const scenario = (/** @type {string} */ overlapPolicy, /** @type {object} */ settings = {}, /** @type {any} */ times = [1500, 60]) => ({
    start: new Date(START).toISOString(),
    until: 3600,
    triggers: [{ triggerId: "t", overlapPolicy, schedule: { kind: "interval", every: 600 }, ...settings }],
    runs: { t: { durationSeconds: times } },
});

const POLICIES = ["skip", "queue", "allow", "buffer", "cancel", "terminate"];
const DELAYED = scenario("skip", { delaySeconds: 900 });
const EVEN = scenario("cancel", {}, 900);
/** All at once: the simulator takes a second to start. */
const printed = simulated([...POLICIES.map((policy) => scenario(policy)), DELAYED, EVEN]);
const told = (/** @type {number} */ index, /** @type {string} */ policy, /** @type {number} */ runMs) =>
    tellSimulated(printed[index], { start: START, policy, runMs });

const storyOf = (/** @type {string} */ policy) => told(POLICIES.indexOf(policy), policy, MINUTE);
const outcomes = (/** @type {any} */ story) => story.marks.map((/** @type {any} */ { outcome }) => outcome);

const EXPECTED = {
    skip: ["started", "skipped", "skipped", "started", "started", "started"],
    queue: ["started", "queued", "merged", "started", "started", "started"],
    allow: ["started", "skipped", "skipped", "started", "started", "started"],
    buffer: ["started", "held", "dropped", "dropped", "started", "started"],
    cancel: ["started", "started", "started", "started", "started", "started"],
    terminate: ["started", "started", "started", "started", "started", "started"],
};

test("each firing leaves its mark, whatever the policy", () => {
    for (const [policy, marks] of Object.entries(EXPECTED)) assert.deepEqual(outcomes(storyOf(policy)), marks, policy);
});

test("what cancel cuts off was cancelled, what terminate cuts off was terminated", () => {
    for (const [policy, ending] of [
        ["cancel", "cancelled"],
        ["terminate", "terminated"],
    ]) {
        assert.deepEqual([storyOf(policy).runs[0].ending, storyOf(policy).runs[0].end], [ending, at(20)]);
    }
});

test("a queued firing waits until its run starts, and what merged crosses its bar", () => {
    const { waits, runs } = storyOf("queue");
    assert.equal(waits[0].becomes, runs[1]);
    assert.deepEqual([waits[0].end, waits[0].merges], [at(35), [at(30)]]);
});

test("a released firing becomes the run and the current one is replaced", () => {
    const { marks, waits, runs } = storyOf("buffer");
    assert.equal(waits[0].becomes, runs[1]);
    assert.deepEqual([marks[2].reason, marks[3].reason], ["bufferFull", "replaced"]);
});

test("a delayed firing is held, and what follows merges into it", () => {
    const { marks, waits } = told(POLICIES.length, "skip", MINUTE);
    assert.deepEqual(outcomes({ marks }).slice(0, 2), ["delayed", "merged"]);
    assert.equal(waits[0].end, at(25));
});

test("every firing of the rules' own scenarios is accounted for once", () => {
    const folder = path.join(__dirname, "../scenarios");
    const scenarios = readdirSync(folder)
        .filter((name) => name.endsWith(".json"))
        .map((name) => JSON.parse(readFileSync(path.join(folder, name), "utf8")).scenario)
        .filter((each) => each.triggers.length === 1 && !each.steps?.some((/** @type {any} */ step) => /Trigger$/.test(step.do)));
    assert.ok(scenarios.length > 10, `${scenarios.length} scenarios have one trigger`);
    simulated(scenarios).forEach((events, index) => {
        const story = tellSimulated(events, { start: 0, policy: scenarios[index].triggers[0].overlapPolicy });
        const gone = outcomes(story).filter((/** @type {string} */ outcome) => ["skipped", "dropped", "merged"].includes(outcome));
        const starts = events.filter((/** @type {any} */ { event }) => event === "execution.started");
        const endless = story.waits.filter((/** @type {any} */ { becomes }) => !becomes);
        assert.equal(story.runs.length, starts.length);
        assert.ok(story.marks.length >= gone.length + story.runs.length - story.waits.length, JSON.stringify(scenarios[index]));
        assert.equal(endless.length + story.runs.length, story.waits.length + outcomes(story).filter((/** @type {string} */ each) => each === "started").length);
    });
});

const record = (/** @type {number} */ minute, /** @type {string} */ decision, /** @type {string} */ executionId = "") => ({
    firedAt: new Date(at(minute)).toISOString(),
    decision,
    executionId: executionId || null,
});
const execution = (/** @type {string} */ executionId, /** @type {string} */ state, /** @type {(number | undefined)[]} */ [created, started, ended]) => {
    const text = (/** @type {number | undefined} */ minute) => (minute === undefined ? null : new Date(at(minute)).toISOString());
    return { executionId, state, createdAt: text(created), startedAt: text(started), endedAt: text(ended), deadline: text(60) };
};

test("the record tells the same story as the simulator", () => {
    const decisions = [record(30, "merged", "b"), record(20, "started", "b"), record(10, "started", "a"), record(40, "skipped")];
    const executions = [execution("b", "running", [20, 35, undefined]), execution("a", "completed", [10, 10, 35])];
    const story = tellPast(decisions, executions);
    assert.deepEqual(outcomes(story), ["started", "queued", "merged", "skipped"]);
    assert.equal(story.waits[0].becomes, story.runs[1]);
    assert.deepEqual(story.waits[0].merges, [at(30)]);
    assert.deepEqual([story.runs[0].ending, story.runs[1].end, story.runs[1].limit], ["completed", undefined, at(60)]);
});

test("what came late to an execution was held before", () => {
    const story = tellPast([record(10, "started", "a")], [execution("a", "completed", [30, 30, 31])]);
    assert.deepEqual(story.waits[0].stretches, [{ outcome: "held", start: at(10) }]);
});

test("the record knows of a cancelled run whether it was terminated", () => {
    const cancelled = execution("a", "cancelled", [10, 10, 31]);
    const ending = (/** @type {object} */ of) => tellPast([record(10, "started", "a")], [of]).runs[0].ending;
    assert.deepEqual([ending({ ...cancelled, terminated: true }), ending({ ...cancelled, terminated: false })], ["terminated", "cancelled"]);
});

const view = (/** @type {number} */ minutes) => ({ from: START, to: at(minutes) });
const labels = (/** @type {any} */ times) => times.map((/** @type {any} */ { label }) => label);

test("hairlines stand at round times of the zone", () => {
    assert.deepEqual(labels(roundTimes(view(120), { zone: "Asia/Kolkata", lang: "en-US" })), ["15:30", "16:00", "16:30", "17:00", "17:30"]);
    assert.deepEqual(labels(roundTimes(view(1), { zone: "UTC", lang: "en-US" })).slice(0, 2), ["10:00:00", "10:00:15"]);
});

test("hairlines stay at round times when clocks change in between", () => {
    const change = { from: Date.UTC(2026, 2, 28, 22), to: Date.UTC(2026, 2, 29, 6) };
    assert.deepEqual(labels(roundTimes(change, { zone: "Europe/Berlin", lang: "en-US" })), ["00:00", "04:00", "06:00", "08:00"]);
});

test("there are no more hairlines than there is room for, at any width of time", () => {
    for (let span = 10; span < 1e13; span *= 1.7) {
        const times = roundTimes({ from: START, to: START + span }, { zone: "Europe/Berlin", lang: "en-US" });
        assert.ok(times.length >= 1 && times.length <= 7, `${times.length} at ${span}`);
    }
});

test("a cut bar and its successor use two lanes", () => {
    const bands = [{ story: told(POLICIES.length + 1, "cancel", 15 * MINUTE) }];
    const { bands: [band] } = layOut({ bands, view: view(60), zone: "UTC" }, 500); // prettier-ignore
    const lanes = new Set(band.runs.map((/** @type {any} */ { y }) => y));
    assert.equal(lanes.size, 2);
    assert.ok(band.runs[0].lost > band.runs[0].right);
});

test("marks shrink when there is less than 12 px for each", () => {
    const bands = [{ story: storyOf("skip") }];
    const isSmall = (/** @type {number} */ width) => layOut({ bands, view: view(61), zone: "UTC" }, width).bands[0].isSmall;
    assert.deepEqual([isSmall(500), isSmall(130)], [false, true]);
});

test("the legend has only what is in view", () => {
    const bands = [{ story: storyOf("queue") }];
    const seen = (/** @type {any} */ part) => outcomesInView(layOut({ bands, view: part, zone: "UTC" }, 500));
    assert.deepEqual(seen(view(60)), ["started", "queued", "merged"]);
    assert.deepEqual(seen({ from: at(38), to: at(60) }), ["started"]);
});

test("each thing takes the first lane that is free", () => {
    const extents = [[0, 10], [5, 8], [6, 9], [8, 12], [10, 11]]; // prettier-ignore
    assert.deepEqual(assignLanes(extents, 2), [0, 1, undefined, 1, 0]);
});
