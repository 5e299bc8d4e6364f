/** How times, runs and counts are said. Words come from the catalogue, by `say(key, values)`. */

const UNITS = [
    ["days", 86_400],
    ["hours", 3_600],
    ["minutes", 60],
    ["seconds", 1],
];

const POLICIES = ["skip", "queue", "allow", "buffer", "cancel", "terminate"];

/**
 * A span in its two largest units, such as "23 min 4 s".
 * @param {number} milliseconds
 * @param {(key: string, values?: object) => string} say
 */
export function duration(milliseconds, say) {
    let rest = Math.max(0, Math.floor(milliseconds / 1000));
    const first = UNITS.findIndex(([, size]) => rest >= size);
    if (first < 0) return say("unit.moment");
    const parts = [];
    for (const [unit, size] of UNITS.slice(first, first + 2)) {
        const count = Math.floor(rest / size);
        rest -= count * size;
        if (count > 0) parts.push(say(`unit.${unit}`, { count }));
    }
    return parts.join(" ");
}

/** A run's id as people see it: enough to tell it from its neighbours. */
export function short(executionId) {
    return executionId.slice(0, 4);
}

/**
 * A schedule in few words.
 * @param {{kind: string, every: unknown, unit: string, cron: string}} schedule
 * @param {(key: string, values?: object) => string} say
 */
export function scheduleWords({ kind, every, unit, cron }, say) {
    if (kind === "cron") return cron;
    return kind === "none" ? say("schedule.none") : say("schedule.every", { interval: say(`unit.${unit}`, { count: every }) });
}

/** A trigger's overlap policy; one that is none is skip (R11), and its status says so. */
export function policyWords({ overlapPolicy, maxConcurrent }, say) {
    return say(`policy.${POLICIES.includes(overlapPolicy) ? overlapPolicy : "skip"}`, { count: maxConcurrent });
}

/**
 * What of a workspace is used and what waits, without zero counts.
 * @param {{running: number, starting: number, onHold: number, queued: number, maxConcurrentExecutions: number}} workspace
 * @param {(key: string, values?: object) => string} say
 * @returns {{use: string, counts: string}} `use` is "" without a limit
 */
export function workspaceWords(workspace, say) {
    const { maxConcurrentExecutions: limit, running, starting } = workspace;
    const counted = ["running", "starting", "onHold", "queued"].filter((name) => workspace[name] > 0);
    const counts = counted.map((name) => say(`workspace.${name}`, { count: workspace[name] })).join(" · ");
    if (limit === 0) return { use: "", counts: `${counts || say("workspace.nothingRuns")}, ${say("workspace.noLimit")}` };
    const idle = running + starting === 0 ? "nothingRuns" : "nothingWaits";
    const waits = workspace.onHold + workspace.queued > 0;
    const use = say("workspace.use", { used: running + starting, limit });
    return { use, counts: waits ? counts : [counts, say(`workspace.${idle}`)].filter(Boolean).join(" · ") };
}

/**
 * The tooltip of a sparkline, such as "Last 10 runs: 6 to 22 min".
 * @param {{startedAt: string, endedAt: string}[]} runs
 * @param {(key: string, values?: object) => string} say
 */
export function runTimes(runs, say) {
    const times = runs.map(runTime).sort((one, other) => one - other);
    const [shortest, longest] = [times[0], times[times.length - 1]].map((time) => duration(time, say));
    if (runs.length === 1) return say("lastRun", { time: longest });
    return shortest === longest ? say("lastRunsAlike", { count: runs.length, time: longest }) : say("lastRuns", { count: runs.length, shortest, longest });
}

/** Milliseconds that a run took. */
export function runTime({ startedAt, endedAt }) {
    return Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
}
