/** What came of a row, and whether that is right. */
import { until } from "../support/house.mjs";

const TERMINAL = new Set(["completed", "failed", "cancelled", "expired", "interrupted"]);

/** Fires the trigger of a row. */
export async function fire(house, { slug, expected }) {
    const path = expected.asks ?? `/schedule-trigger/${slug}-trigger/run`;
    const answer = await fetch(house.nodeRed.url + path, { method: "POST" });
    if (!answer.ok) throw new Error(`${slug}: ${answer.status} ${await answer.text()}`);
}

/** Whether a warning names the node that went on after the end of a row's run. */
function isNamed(house, { slug, expected }) {
    const warns = (line) => line.includes(`[warn] [schedule-trigger:${slug}-trigger] Run `) && line.includes("taken for completed");
    const lines = house.nodeRed.lines.filter(warns);
    return expected.late ? lines.some((line) => line.includes(`“${expected.late}”`)) : lines.length > 0;
}

/** Waits for the end of a row's first run, and for what is said about it. */
export async function endOf(house, row) {
    const ended = async () => (await house.executions(`${row.slug}-trigger`)).find(({ state }) => TERMINAL.has(state));
    const execution = await until(`the end of "${row.name}"`, ended);
    if (row.expected.late) await until(`the late activity of "${row.name}"`, () => isNamed(house, row));
    return execution;
}

/** What is wrong with the end of a row: sentences, none where it is right. */
export function complaints(house, row, execution) {
    const { end, seen, because, late } = row.expected;
    const { executionId, state, reason, endedAt } = execution;
    const times = house.shown(`${row.slug}-seen`).filter(({ run }) => run?.executionId === executionId).map(({ at }) => at);
    const inTime = times.filter((at) => at <= Date.parse(endedAt)).length;
    const wrong = [
        [state !== end, `ended as ${state} (${reason}), not as ${end}`],
        [because && !reason?.includes(because), `the reason is ${reason}, not ${because}`],
        [inTime !== seen, `${inTime} messages came before the end, not ${seen}`],
        [!late && times.length > inTime, `${times.length - inTime} messages came after the end`],
        [isNamed(house, row) !== Boolean(late), late ? `${late} is not named` : "late activity is said of it"],
    ];
    return wrong.filter(([is]) => is).map(([, sentence]) => sentence);
}

/** The table of the rows, and the figure. */
export function report(rows, complaintsOf) {
    const lines = rows.map((row) => {
        const wrong = complaintsOf(row);
        return wrong.length ? `wrong: ${row.name}: ${wrong.join("; ")}` : `right: ${row.name}`;
    });
    const right = rows.filter((row) => complaintsOf(row).length === 0).length;
    return { right, text: `${lines.join("\n")}\n${right} of ${rows.length} rows right` };
}
