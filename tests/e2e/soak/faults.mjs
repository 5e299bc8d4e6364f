/** What is wrong with a record: sentences, none where nothing is. */
import { mostAtOnce } from "../support/house.mjs";

const FINAL = new Set(["started", "merged", "dropped", "skipped"]);
const MOST_NAMED = 5;
const AT_THE_ENDS = 2;
/** One or two were seen after 20,000 runs, and who holds them is not known; a leak for each run would be thousands. */
const MAY_STAY = { messages: 5 };

/** The values by key. */
export function grouped(values, keyOf) {
    const groups = new Map();
    for (const value of values) {
        const key = keyOf(value);
        if (groups.has(key)) groups.get(key).push(value);
        else groups.set(key, [value]);
    }
    return groups;
}

const scopeOf = ({ triggerId, lockKey }) => `${triggerId} ${lockKey ?? ""}`;
const isOneAtATime = (trigger) => trigger.configuration.overlapPolicy !== "allow";

/** A sentence that names the first few of what is wrong, if anything is. */
function complaint(what, wrong) {
    if (wrong.length === 0) return [];
    return [`${wrong.length} ${what}: ${wrong.slice(0, MOST_NAMED).join("; ")}`];
}

function stillActive({ executions }) {
    const active = executions.filter(({ endedAt }) => !endedAt);
    const words = ({ executionId, state, triggerId }) => `${executionId} ${state} of ${triggerId}`;
    return complaint("executions are active", active.map(words));
}

const outcomeOf = ({ decision, reason }) => `${decision} ${reason ?? ""}`.trim();

/**
 * A firing is recorded with one final outcome, and output 2 told no other. One that joined a run was told so, and is
 * dropped with that run if it ends before its start.
 */
function withoutOneOutcome({ decisions, journal }) {
    const told = journal.filter(({ what, said }) => what === "other" && FINAL.has(said.decision)).map(({ said }) => said);
    const toldOf = grouped(told, ({ firingId }) => firingId);
    const odd = decisions.flatMap((recorded) => {
        const isFinal = FINAL.has(recorded.decision) || recorded.decision === "missed";
        const mayFollow = ({ decision }) => decision === "merged" && recorded.decision === "dropped";
        const others = (toldOf.get(recorded.firingId) ?? []).filter((said) => outcomeOf(said) !== outcomeOf(recorded));
        const wrong = others.filter((said) => !mayFollow(said));
        if (isFinal && wrong.length === 0) return [];
        return [[recorded.firingId, outcomeOf(recorded), ...wrong.map((said) => `told ${outcomeOf(said)}`)].join(", ")];
    });
    return complaint("firings have not one final outcome", odd);
}

/** How many ticks of a trigger have a firing, and how many were missed. */
export function ticksOf({ triggerId, configuration }, { decisions, stretches, releasing }) {
    const isTick = ({ decision, firingId }) => decision !== "missed" && !releasing.has(firingId);
    const own = decisions.filter((each) => each.triggerId === triggerId && isTick(each));
    const fired = new Set(own.map(({ firingId }) => firingId)).size / Math.max(configuration.lockKeys.length, 1);
    const missed = [...stretches.get(triggerId).values()].reduce((sum, { count }) => sum + count, 0);
    return { fired, missed };
}

/** Each tick is a firing or lies in one missed stretch; at both ends one may fall into the time of a deploy. */
function ticksUnaccounted(record) {
    const ticking = record.triggers.filter(({ triggerId }) => record.ticking.some((id) => triggerId.endsWith(`.${id}`)));
    const due = Math.floor((record.stoppedAt - record.beganAt) / 1000);
    const wrong = ticking.flatMap((trigger) => {
        const { fired, missed } = ticksOf(trigger, record);
        const isRight = Math.abs(fired + missed - due) <= AT_THE_ENDS;
        return isRight ? [] : [`${trigger.triggerId}: ${due} due, ${fired} fired, ${missed} missed`];
    });
    return complaint("triggers have lost ticks, or have too many", wrong);
}

const begunIn = (journal) => journal.filter(({ what }) => what === "begin").map(({ said }) => said);

function cameOutTwice({ journal }) {
    const begun = begunIn(journal).map(({ executionId }) => executionId);
    const twice = [...grouped(begun, (id) => id)].filter(([, times]) => times.length > 1);
    return complaint("runs came out twice", twice.map(([id]) => id));
}

function toldTwice({ journal }) {
    const words = ({ said }) => `${said.firingId ?? said.executionId} ${said.decision ?? said.outcome}`;
    const told = journal.filter(({ what }) => what === "other").map(words);
    const twice = [...grouped(told, (each) => each)].filter(([, times]) => times.length > 1);
    return complaint("things were told twice", twice.map(([each]) => each));
}

/** Runs that completed by the record, though their first message never came out. */
function completedUnseen({ journal, executions }) {
    const begun = new Set(begunIn(journal).map(({ executionId }) => executionId));
    const unseen = executions.filter(({ state, executionId }) => state === "completed" && !begun.has(executionId));
    return complaint("runs completed that never came out", unseen.map(({ executionId, triggerId }) => `${executionId} of ${triggerId}`));
}

function overlaps({ triggers, executions }) {
    const single = new Set(triggers.filter(isOneAtATime).map(({ triggerId }) => triggerId));
    const scopes = grouped(executions.filter(({ triggerId }) => single.has(triggerId)), scopeOf);
    const over = [...scopes].filter(([, runs]) => mostAtOnce(runs) > 1).map(([scope]) => scope);
    return complaint("scopes had two runs at once", over);
}

function sharedKeys({ executions }) {
    const keys = grouped(executions.filter(({ lockKey }) => lockKey), ({ lockKey }) => lockKey);
    const over = [...keys].filter(([, runs]) => mostAtOnce(runs) > 1).map(([key]) => key);
    return complaint("lock keys were held twice at once", over);
}

/** Completed runs in the midst of which, by what their own flow wrote, another of their scope began. */
function overlapsSeen({ triggers, executions, journal }) {
    const single = new Set(triggers.filter(isOneAtATime).map(({ triggerId }) => triggerId));
    const completed = new Set(executions.filter(({ state }) => state === "completed").map(({ executionId }) => executionId));
    const said = journal.filter(({ what, said }) => what !== "other" && single.has(said?.triggerId));
    const wrong = [...grouped(said, ({ said: run }) => scopeOf(run)).values()].flatMap((lines) => crossed(lines, completed));
    return complaint("completed runs had another begin in their midst", wrong);
}

function crossed(lines, completed) {
    const lastOf = new Map(lines.map(({ what, said }, at) => [`${what} ${said.executionId}`, at]));
    return lines.flatMap(({ what, said: { executionId } }, at) => {
        const end = lastOf.get(`end ${executionId}`);
        if (what !== "begin" || end === undefined || !completed.has(executionId)) return [];
        return lines.slice(at + 1, end).some((other) => other.what === "begin") ? [executionId] : [];
    });
}

function tokensThatFall({ journal }) {
    const wrong = [...grouped(begunIn(journal), scopeOf)].flatMap(([scope, runs]) => {
        const fallen = runs.filter(({ fencingToken }, at) => fencingToken <= runs[at - 1]?.fencingToken);
        return fallen.map(({ fencingToken }) => `${fencingToken} of ${scope}`);
    });
    return complaint("fencing tokens did not rise", wrong);
}

/** A trigger that an operator paused stays so over all deploys. */
function noLongerPaused({ triggers, decisions, paused: { triggerId, pausedSince } }) {
    const { pausedSince: now } = triggers.find((trigger) => trigger.triggerId === triggerId);
    const own = decisions.filter((each) => each.triggerId === triggerId && each.decidedAt > pausedSince);
    const passed = own.filter(({ decision, reason }) => decision !== "missed" && reason !== "paused");
    const resumed = now === pausedSince ? [] : [`paused since ${now}, not ${pausedSince}`];
    return [...complaint("firings of a paused trigger", passed.map(({ message }) => message)), ...resumed];
}

/** Counts that are higher than they were before the first firing. */
export function leftOver({ before, after }) {
    const odd = Object.keys(before).filter((name) => after[name] > before[name] + (MAY_STAY[name] ?? 0));
    return complaint("counts in Node-RED are not back", odd.map((name) => `${name} ${before[name]}, now ${after[name]}`));
}

/** Everything that is wrong with what a house has recorded and its flows have written. */
export function faultsOf(record) {
    const rules = [
        ...[stillActive, withoutOneOutcome, ticksUnaccounted, cameOutTwice, toldTwice],
        ...[completedUnseen, overlaps, sharedKeys, overlapsSeen, tokensThatFall],
        ...[noLongerPaused, leftOver],
    ];
    return rules.flatMap((rule) => rule(record));
}
