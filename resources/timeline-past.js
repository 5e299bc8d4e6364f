/** Reads a trigger's decisions and executions, as the bridge's API gives them, back into its story (timeline-simulated.js). */
(function () {
    const WAITING = { delayed: "delayed", buffered: "held", queued: "queued", waiting: "queued", onHold: "onHold" };
    const GONE = ["skipped", "dropped", "missed"];
    const STATES_THAT_WAIT = { queued: "queued", onHold: "onHold" };
    /** Milliseconds. A start is claimed within it; what took longer has waited. */
    const AT_ONCE = 1000;

    const instant = (text) => (text ? Date.parse(text) : undefined);

    /** Executions by their ids: the run of each, once it has begun, and the wait before it. */
    function executionsById(executions) {
        return new Map(executions.map((execution) => [execution.executionId, { execution, run: runOf(execution) }]));
    }

    function runOf(execution) {
        const start = instant(execution.startedAt);
        if (start === undefined) return undefined;
        const end = instant(execution.endedAt);
        const run = { id: execution.executionId, start, limit: instant(execution.deadline), execution };
        if (end !== undefined) Object.assign(run, { end, ending: endingOf(execution) });
        return run;
    }

    /** "cancelled" is the state of both. */
    function endingOf({ state, terminated }) {
        return terminated ? "terminated" : state;
    }

    /** The wait of a firing between its coming and the start of its run; undefined where there was none. */
    function waitOf(decision, entry) {
        const came = instant(decision.firedAt);
        const open = WAITING[decision.decision];
        if (open) return { stretches: [{ outcome: open, start: came }], merges: [], decision };
        if (!entry) return undefined;
        const { execution, run } = entry;
        const end = run ? run.start : instant(execution.endedAt);
        if (end !== undefined && end - came < AT_ONCE) return undefined;
        return { stretches: stretchesOf(came, execution), merges: [], end, becomes: run, cancelled: !run && end !== undefined, decision };
    }

    /** Before a firing became an execution it was held back, after that it waited for its turn. */
    function stretchesOf(came, execution) {
        const created = instant(execution.createdAt);
        const queued = { outcome: STATES_THAT_WAIT[execution.state] ?? "queued", start: created };
        if (created - came < AT_ONCE) return [{ ...queued, start: came }];
        const starts = instant(execution.startedAt) ?? Infinity;
        const held = { outcome: "held", start: came };
        return starts - created < AT_ONCE ? [held] : [held, queued];
    }

    function outcomeOf(decision, wait) {
        if (GONE.includes(decision.decision) || decision.decision === "merged") return decision.decision;
        return wait ? wait.stretches[0].outcome : "started";
    }

    /**
     * The story of a trigger's past.
     * @param {object[]} decisions
     * @param {object[]} executions
     */
    function tellPast(decisions, executions) {
        const known = executionsById(executions);
        const story = { marks: [], waits: [], runs: [...known.values()].map(({ run }) => run).filter(Boolean) };
        const waits = new Map();
        const inOrder = [...decisions].sort((one, other) => instant(one.firedAt) - instant(other.firedAt));
        for (const decision of inOrder) {
            const entry = known.get(decision.executionId);
            const wait = decision.decision === "merged" ? undefined : waitOf(decision, entry);
            if (wait) {
                story.waits.push(wait);
                waits.set(decision.executionId, wait);
            }
            story.marks.push(markOf(decision, wait, decision.decision === "merged" ? waits.get(decision.executionId) : entry?.run));
        }
        story.runs.sort((one, other) => one.start - other.start);
        return story;
    }

    function markOf(decision, wait, joined) {
        const at = instant(decision.firedAt);
        const isMerged = decision.decision === "merged";
        if (isMerged) joined?.merges.push(at);
        return { at, outcome: outcomeOf(decision, wait), reason: decision.reason ?? undefined, into: wait ?? joined, decision };
    }

    Object.assign((window.ScheduleTimeline ??= {}), { tellPast });
})();
