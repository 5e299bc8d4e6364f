/** What the record of a house says of a trigger, and that its editor was shown the same. */
import assert from "node:assert/strict";
import { until } from "./house.mjs";

const WITHIN_MS = 90_000;

export const ended = ({ endedAt }) => endedAt !== null;

/** The decisions of one kind and, where given, reason. */
export const withVerdict = (decisions, decision, reason) =>
    decisions.filter((each) => each.decision === decision && (!reason || each.reason === reason));

/** Waits until so many runs of a node have ended. */
export async function whenEnded(house, node, runs) {
    const enough = async () => (await house.executions(node)).filter(ended).length >= runs;
    await until(`${runs} ended runs of ${node}`, enough, WITHIN_MS);
}

/** Waits until there are so many decisions of a kind, and gives them. */
export async function whenDecided(house, node, verdict, count) {
    const enough = async () => {
        const decisions = withVerdict(await house.decisions(node), verdict);
        return decisions.length >= count && decisions;
    };
    return until(`${count} times “${verdict}” of ${node}`, enough, WITHIN_MS);
}

/** Every claimed execution has come out of output 1 once, in order, and what did not start of output 2. */
export async function assertShownOnce(house, node, starts, others) {
    const executions = (await house.executions(node)).filter(({ startedAt }) => startedAt);
    const recorded = executions.sort(byStart).map(({ executionId }) => executionId);
    const shown = () => house.shown(starts).filter(({ run }) => run.triggerId.endsWith(`.${node}`));
    await until("the starts to be shown", () => shown().length >= recorded.length);
    const ids = shown().map(({ run }) => run.executionId);
    assert.equal(new Set(ids).size, ids.length, "a run came out twice");
    assert.deepEqual(ids.slice(0, recorded.length), recorded);
    await assertToldOnce(house, node, others);
}

async function assertToldOnce(house, node, others) {
    const final = (await house.decisions(node)).filter(({ decision }) => ["skipped", "merged", "dropped"].includes(decision));
    const told = () => house.shown(others).filter(({ payload }) => payload.firingId).map(({ payload }) => payload);
    const timesTold = ({ firingId, decision }) =>
        told().filter((each) => each.firingId === firingId && each.decision === decision).length;
    await until("the decisions to be shown", () => final.every((decision) => timesTold(decision) > 0));
    for (const decision of final) assert.equal(timesTold(decision), 1, `${decision.message} was told twice`);
}

/** Output 2 has told the end of each execution that ended so, once. */
export async function assertEndsTold(house, node, others, state) {
    const executions = (await house.executions(node)).filter((each) => each.state === state && each.startedAt);
    const told = (id) => house.shown(others).filter(({ payload }) => payload.executionId === id && payload.outcome === state);
    for (const { executionId } of executions) {
        await until(`the end of ${executionId} to be told`, () => told(executionId).length > 0);
        assert.equal(told(executionId).length, 1, "an end was told twice");
    }
    return executions;
}

export const byStart = (a, b) => a.startedAt.localeCompare(b.startedAt) || a.fencingToken - b.fencingToken;

/** The executions by lock key. */
export function byLockKey(executions) {
    const keys = new Map();
    for (const execution of executions) keys.set(execution.lockKey, [...(keys.get(execution.lockKey) ?? []), execution]);
    return keys;
}

/** Pauses a schedule by its inject node and waits for the last run. */
export async function lastRunAfterAPause(house, key) {
    await house.press(`${key}-pause`);
    await until("the pause", async () => (await house.trigger(`${key}-trigger`)).paused);
    const last = async () => {
        const executions = await house.executions(`${key}-trigger`);
        return executions.at(-1).state === "completed" && executions;
    };
    return until("the last run to finish", last);
}
