/** The parts of the sidebar that touch no page. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createRequire } from "node:module";
import { asking } from "../../resources/sidebar/latest.mjs";
import { Past } from "../../resources/sidebar/past.mjs";
import { chosen, grouped } from "../../resources/sidebar/selection.mjs";
import { endingOf, entries, ofKind, united } from "../../resources/sidebar/story.mjs";
import { duration, policyWords, runTimes, scheduleWords, workspaceWords } from "../../resources/sidebar/words.mjs";

const { schedules } = createRequire(import.meta.url)("../../node-red/plugin/locales/en-US/schedules.json");

/** The catalogue's text, as Node-RED fills it in. */
function say(key, values = {}) {
    const text = key.split(".").reduce((part, name) => part?.[name], schedules);
    assert.equal(typeof text, "string", key);
    return text.replace(/__(\w+)__/g, (_, name) => values[name]);
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const at = (minute) => new Date(minute * MINUTE).toISOString();

test("a span is said in its two largest units", () => {
    const said = [0, 4 * SECOND, 23 * MINUTE + 4 * SECOND, 30 * MINUTE, HOUR + 3 * SECOND, 26 * HOUR].map((span) => duration(span, say));
    assert.deepEqual(said, ["less than a second", "4 s", "23 min 4 s", "30 min", "1 h", "1 d 2 h"]);
});

const WORKSPACE = { running: 0, starting: 0, onHold: 0, queued: 0, maxConcurrentExecutions: 0 };
const IN_WORDS = [
    ["all in use", { running: 4, starting: 1, onHold: 2, queued: 2, maxConcurrentExecutions: 5 }, "5 of 5 in use", "4 running · 1 starting · 2 on hold · 2 queued"],
    ["room left", { running: 3, maxConcurrentExecutions: 5 }, "3 of 5 in use", "3 running · nothing waits"],
    ["idle", { maxConcurrentExecutions: 5 }, "0 of 5 in use", "nothing runs"],
    ["no limit", { running: 4 }, "", "4 running, no limit"],
    ["idle without a limit", {}, "", "nothing runs, no limit"],
];
for (const [what, counts, use, words] of IN_WORDS) {
    test(`a workspace in words: ${what}`, () => {
        assert.deepEqual(workspaceWords({ ...WORKSPACE, ...counts }, say), { use, counts: words });
    });
}

test("a sparkline tells its shortest and its longest run", () => {
    const run = (minutes) => ({ startedAt: at(0), endedAt: at(minutes) });
    assert.equal(runTimes([run(22), run(6), run(10)], say), "Last 3 runs: 6 min to 22 min");
    assert.equal(runTimes([run(6), run(6)], say), "Last 2 runs: 6 min");
    assert.equal(runTimes([run(6)], say), "Last run: 6 min");
});

test("a schedule in few words", () => {
    assert.equal(scheduleWords({ kind: "interval", every: 10, unit: "minutes" }, say), "every 10 min");
    assert.equal(scheduleWords({ kind: "cron", cron: "*/5 * * * *" }, say), "*/5 * * * *");
    assert.equal(scheduleWords({ kind: "none" }, say), "Runs when a message arrives.");
});

test("an overlap policy is said in the reader's words, and one that is none as the skip that it is", () => {
    assert.equal(policyWords({ overlapPolicy: "queue", maxConcurrent: 1 }, say), "queue");
    assert.equal(policyWords({ overlapPolicy: "allow", maxConcurrent: 3 }, say), "allow 3");
    assert.equal(policyWords({ overlapPolicy: "sometimes", maxConcurrent: 1 }, say), "skip");
});

const TRIGGERS = [
    { id: "c", label: "Clean up", flow: "one", bridge: "b" },
    { id: "a", label: "nightly report", flow: "two", bridge: "a" },
    { id: "b", label: "classify images", flow: "one", bridge: "gone" },
];

test("triggers are found by a part of their name, in any case, in one flow or all", () => {
    const ids = (filter) => chosen(TRIGGERS, { text: "", flow: "", ...filter }).map(({ id }) => id);
    assert.deepEqual(ids({}), ["b", "c", "a"]);
    assert.deepEqual(ids({ text: " CL " }), ["b", "c"]);
    assert.deepEqual(ids({ flow: "two" }), ["a"]);
    assert.deepEqual(ids({ text: "clean", flow: "two" }), []);
});

test("triggers stand below their workspaces, those without one last", () => {
    const bridges = ["b", "a", "unused"].map((id) => ({ id, name: "", workspaceId: `w${id}` }));
    const groups = grouped(bridges, TRIGGERS).map(({ bridge, triggers }) => [bridge?.id, ...triggers.map(({ id }) => id)]);
    assert.deepEqual(groups, [["a", "a"], ["b", "c"], [undefined, "b"]]);
});

const decision = (minute, word, message = word) => ({ firingId: `f${minute}`, decision: word, message, decidedAt: at(minute) });
const execution = (minute, state, more = {}) => ({ executionId: `e${minute}`, state, startedAt: at(0), endedAt: at(minute), ...more });

test("ends that were not good ones stand among the decisions, newest first", () => {
    const executions = [execution(3, "failed"), execution(4, "completed"), execution(1, "cancelled", { terminated: true })];
    const list = entries({ decisions: [decision(5, "skipped"), decision(2, "waiting")], executions, hasMore: false });
    assert.deepEqual(list.map(({ outcome }) => outcome), ["skipped", "failed", "queued", "terminated"]);
});

test("ends from before the oldest known decision wait for their page", () => {
    const executions = [execution(1, "failed")];
    const past = { decisions: [decision(5, "skipped"), decision(2, "started")], executions };
    assert.deepEqual(entries({ ...past, hasMore: true }).length, 2);
    assert.deepEqual(entries({ ...past, hasMore: false }).length, 3);
});

test("a run that never started is told by its decision alone", () => {
    const executions = [execution(3, "cancelled", { startedAt: null })];
    assert.deepEqual(entries({ decisions: [], executions, hasMore: false }), []);
});

test("the list shows one kind", () => {
    const list = entries({ decisions: [decision(5, "skipped"), decision(2, "started")], executions: [execution(3, "failed")], hasMore: false });
    const outcomes = (choice) => ofKind(list, choice).map(({ outcome }) => outcome);
    assert.deepEqual(outcomes("started"), ["started"]);
    assert.deepEqual(outcomes("notStarted"), ["skipped"]);
    assert.deepEqual(outcomes("ended"), ["failed"]);
});

test("of two pages with the same decision the newer one counts", () => {
    const pages = [[decision(2, "started")], [decision(2, "queued"), decision(1, "skipped")]];
    assert.deepEqual(united(pages, "firingId").map(({ decision: word }) => word), ["started", "skipped"]);
});

test("what moves on to older pages stays listed once they were asked for", () => {
    const past = new Past();
    const page = (decisions, executions, cursor) => ({ decisions, executions, older: [], cursors: { decisions: cursor, executions: null } });
    past.latest(page([decision(3, "started"), decision(2, "skipped")], [execution(3, "running", { endedAt: null })], "2"));
    past.older(page([decision(1, "started")], [execution(1, "failed")], null));
    past.latest(page([decision(5, "started"), decision(4, "skipped")], [], "4"));
    assert.deepEqual(past.decisions.map(({ firingId }) => firingId), ["f5", "f4", "f3", "f2", "f1"]);
    assert.deepEqual(past.executions.map(({ executionId }) => executionId), ["e1"]);
    assert.equal(past.cursors.decisions, null);
});

test("without older pages the latest one is all there is", () => {
    const past = new Past();
    past.latest({ decisions: [decision(1, "started")], executions: [], older: [], cursors: { decisions: "1", executions: null } });
    past.latest({ decisions: [decision(2, "started")], executions: [], older: [], cursors: { decisions: "2", executions: null } });
    assert.deepEqual([past.decisions.length, past.cursors.decisions], [1, "2"]);
});

test("a cancelled run may have been terminated", () => {
    assert.deepEqual([endingOf({ state: "cancelled", terminated: true }), endingOf({ state: "cancelled" }), endingOf({ state: "failed", terminated: false })], ["terminated", "cancelled", "failed"]);
});

test("one question is asked at a time, and once more after it for all that came meanwhile", async () => {
    let [asked, answers] = [0, 0];
    let open;
    const gate = new Promise((resolve) => (open = resolve));
    const question = asking(
        async () => {
            asked += 1;
            await gate;
        },
        () => (answers += 1),
        () => false,
    );
    for (let times = 0; times < 5; times += 1) question.now();
    assert.equal(asked, 1);
    open();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([asked, answers], [2, 2]);
    question.stop();
    question.now();
    assert.equal(asked, 2);
});
