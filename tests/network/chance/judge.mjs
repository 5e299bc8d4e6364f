/** What the record must say in the end, compared with what came out. */
import { unaccounted } from "../support/ticks.mjs";
import { EVERY } from "./traffic.mjs";

/** Everything that is wrong, in words; empty when nothing was lost or doubled. */
export async function judge(world, { triggerIds, tickers, starts, zombies, answered }) {
    const executions = [];
    const decisions = [];
    const wrong = { lost: [], doubled: [], "ended, but started": zombies };
    for (const triggerId of [...triggerIds, ...tickers]) {
        executions.push(...(await world.all("executions", triggerId)));
        decisions.push(...(await world.all("decisions", triggerId)));
    }
    for (const triggerId of tickers) wrong.lost.push(...(await unaccounted(world, triggerId, EVERY)));
    wrong.lost.push(...lostStarts(executions, starts), ...lostAnswers(decisions, answered));
    wrong.doubled.push(...repeated(starts), ...firedTwice(executions));
    return { wrong, executions: executions.length, decisions: decisions.length };
}

/** Only what has started can complete, and what has started is in the record. */
function lostStarts(executions, starts) {
    const known = new Set(executions.map(({ executionId }) => executionId));
    const started = new Set(starts);
    const completed = executions.filter(({ state }) => state === "completed").map(({ executionId }) => executionId);
    return [
        ...completed.filter((id) => !started.has(id)).map((id) => `${id} completed and never came out`),
        ...starts.filter((id) => !known.has(id)).map((id) => `${id} came out and is not in the record`),
        ...executions.filter(({ endedAt }) => !endedAt).map(({ executionId }) => `${executionId} has no end`),
    ];
}

function lostAnswers(decisions, answered) {
    const kept = new Set(decisions.map(({ firingId }) => firingId));
    return answered.filter(({ firingId }) => !kept.has(firingId)).map(({ firingId }) => `firing ${firingId} is forgotten`);
}

function repeated(starts) {
    return starts.filter((id, at) => starts.indexOf(id) !== at).map((id) => `${id} came out twice`);
}

/** Ticks whose firing made two executions. */
function firedTwice(executions) {
    const ticks = executions.filter(({ source }) => source === "schedule").map(({ triggerId, scheduledAt }) => `${triggerId} ${scheduledAt}`);
    return ticks.filter((tick, at) => ticks.indexOf(tick) !== at).map((tick) => `${tick} fired twice`);
}
