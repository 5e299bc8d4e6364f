/** What happened to a trigger, one list of decisions and ends, newest first: pure, so that it can be tried without a page. */

const BAD_ENDS = ["failed", "expired", "cancelled", "interrupted"];

/** @typedef {{at: number, outcome: string, message?: string, decision?: object, end?: object}} Entry */

/**
 * Decisions, and among them the ends that were not good ones. Ends from before the oldest decision that is known are
 * left out while there are older decisions to be had.
 * @param {{decisions: any[], executions: any[], hasMore: boolean}} past
 * @returns {Entry[]} newest first
 */
export function entries({ decisions, executions, hasMore }) {
    const told = decisions.map((decision) => ({ at: Date.parse(decision.decidedAt), outcome: outcomeOf(decision), message: decision.message, decision }));
    const oldest = hasMore && told.length > 0 ? told[told.length - 1].at : -Infinity;
    const ends = executions.filter(isBadEnd).map((end) => ({ at: Date.parse(end.endedAt), outcome: endingOf(end), end }));
    return [...told, ...ends.filter(({ at }) => at >= oldest)].sort((one, other) => other.at - one.at);
}

/** A run that started and ended otherwise than well; what never started is told by its decision. */
function isBadEnd({ state, startedAt }) {
    return BAD_ENDS.includes(state) && Boolean(startedAt);
}

/** How a run ended: one that was cancelled may have been terminated. */
export function endingOf({ state, terminated }) {
    return state === "cancelled" && terminated ? "terminated" : state;
}

/** The mark of a decision. */
function outcomeOf({ decision }) {
    const marks = { waiting: "queued", buffered: "held" };
    return marks[decision] ?? decision;
}

const KINDS = {
    all: () => true,
    started: ({ outcome }) => outcome === "started",
    notStarted: ({ decision, outcome }) => decision !== undefined && outcome !== "started",
    ended: ({ end }) => end !== undefined,
};

/** The words of the choice above the list. */
export const CHOICES = Object.keys(KINDS);

/**
 * @param {Entry[]} list
 * @param {string} choice one of CHOICES
 */
export function ofKind(list, choice) {
    return list.filter(KINDS[choice]);
}

/**
 * Pages in one: each decision and execution once, as it was told last.
 * @param {any[][]} pages the newest first
 * @param {"firingId" | "executionId"} name
 */
export function united(pages, name) {
    const known = new Map();
    for (const each of pages.flat()) if (!known.has(each[name])) known.set(each[name], each);
    return [...known.values()];
}
