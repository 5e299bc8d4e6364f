/** Each rule of the soak finds what it is there for, in a sound record that was doctored in one place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { faultsOf } from "./soak/faults.mjs";

const BEGAN = Date.parse("2026-01-01T00:00:00Z");
const at = (seconds) => new Date(BEGAN + seconds * 1000).toISOString();

const run = (executionId, fencingToken, from, to) => ({
    ...{ executionId, fencingToken, triggerId: "nr.one", lockKey: null, state: "completed" },
    ...{ startedAt: at(from), endedAt: at(to) },
});
const decision = (firingId, word, seconds, reason = null, triggerId = "nr.one") => ({
    ...{ firingId, decision: word, reason, triggerId, message: word, decidedAt: at(seconds) },
});
const noted = (what, { executionId, fencingToken, triggerId, lockKey }) => ({
    what,
    said: { executionId, fencingToken, triggerId, lockKey },
});

/** Ten ticks of a trigger: two runs, four skipped, four missed; and a trigger that is paused. */
function soundRecord() {
    const [first, second] = [run("r1", 1, 1, 3.5), run("r2", 2, 4, 6.5)];
    const skipped = [2, 3, 5, 6].map((tick) => decision(`f${tick}`, "skipped", tick, "active"));
    const trigger = (triggerId, pausedSince) => ({
        ...{ triggerId, pausedSince, configuration: { overlapPolicy: "skip", lockKeys: [] } },
    });
    return {
        triggers: [trigger("nr.one", null), trigger("nr.off", at(0))],
        executions: [first, second],
        decisions: [decision("f1", "started", 1), ...skipped, decision("f4", "started", 4)],
        stretches: new Map([["nr.one", new Map([[at(7), { count: 4 }]])]]),
        journal: [noted("begin", first), noted("end", first), noted("begin", second), noted("end", second)],
        ...{ releasing: new Set(), ticking: ["one"], beganAt: BEGAN, stoppedAt: BEGAN + 10_000 },
        ...{ paused: { triggerId: "nr.off", pausedSince: at(0) }, before: { timers: 3 }, after: { timers: 3 } },
    };
}

const DOCTORED = {
    "1 executions are active": ({ executions }) => (executions[1].endedAt = null),
    "1 firings have not one final outcome: f2": ({ decisions }) => (decisions[1].decision = "queued"),
    "1 firings have not one final outcome: f3": ({ journal }) =>
        journal.push({ what: "other", said: decision("f3", "dropped", 4, "cancelled") }),
    "1 triggers have lost ticks": (record) => (record.stretches = new Map([["nr.one", new Map()]])),
    "1 runs came out twice: r2": ({ journal }) => journal.push(journal[2]),
    "1 things were told twice: f2 skipped": ({ journal, decisions }) =>
        journal.push({ what: "other", said: decisions[1] }, { what: "other", said: decisions[1] }),
    "1 runs completed that never came out: r1": ({ journal }) => journal.shift(),
    "1 scopes had two runs at once": ({ executions }) => (executions[1].startedAt = at(3)),
    "1 lock keys were held twice at once: k": ({ executions }) => {
        Object.assign(executions[0], { lockKey: "k", triggerId: "nr.two" });
        Object.assign(executions[1], { lockKey: "k", startedAt: at(3) });
    },
    "1 completed runs had another begin in their midst: r1": ({ journal }) => journal.splice(1, 0, ...journal.splice(2, 1)),
    "1 fencing tokens did not rise: 2": ({ journal }) => (journal[0].said.fencingToken = 3),
    "1 firings of a paused trigger": ({ decisions }) => decisions.push(decision("f9", "started", 5, null, "nr.off")),
    "paused since null": ({ triggers }) => (triggers[1].pausedSince = null),
    "1 counts in Node-RED are not back: timers 3, now 4": (record) => (record.after = { timers: 4 }),
};

test("a sound record has no fault", () => assert.deepEqual(faultsOf(soundRecord()), []));

test("a firing that was told to have joined a run may be dropped with it", () => {
    const record = soundRecord();
    record.journal.push({ what: "other", said: decision("f2", "merged", 2) });
    Object.assign(record.decisions[1], { decision: "dropped", reason: "cancelled" });
    assert.deepEqual(faultsOf(record), []);
});

for (const [sentence, doctor] of Object.entries(DOCTORED)) {
    test(`found: ${sentence}`, () => {
        const record = soundRecord();
        doctor(record);
        const faults = faultsOf(record);
        assert.ok(faults.some((fault) => fault.startsWith(sentence)), `found only: ${faults.join("\n")}`);
    });
}
