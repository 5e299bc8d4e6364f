/** Many jobs that are due together, and how late each of them ran. */

const LONGEST_MS = 120_000;
const LEAD_MS = 12_000;

/** The beginning of a second that leaves time to make all jobs, in milliseconds of the epoch. */
export function comingSecond() {
    return Math.ceil((Date.now() + LEAD_MS) / 1000) * 1000;
}

/** A daily cron pattern with seconds for an instant, in UTC. */
export function dailyAt(instant) {
    const at = new Date(instant);
    return `${at.getUTCSeconds()} ${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
}

/**
 * Has so many jobs made by `make(due, run)` and prints the median and the 99th percentile of their lag in milliseconds.
 * They are due at one instant, or spread over so many milliseconds.
 */
export function measure(make) {
    const [jobs, spread] = process.argv.slice(2).map(Number);
    const first = comingSecond();
    const late = [];
    for (let number = 0; number < jobs; number += 1) {
        const due = first + (spread * 1000 * number) / jobs;
        make(due, () => {
            late.push(Date.now() - due);
            if (late.length === jobs) print(late);
        });
    }
    if (Date.now() > first) throw new Error("The machine is too busy: the jobs were due before all were made.");
    setTimeout(() => fail(late.length, jobs), LONGEST_MS).unref();
}

function print(late) {
    const ordered = late.toSorted((a, b) => a - b);
    const at = (part) => ordered[Math.floor(ordered.length * part)];
    console.log(JSON.stringify({ median: at(0.5), p99: at(0.99) }));
    process.exit(0);
}

function fail(ran, jobs) {
    console.error(`Only ${ran} of ${jobs} have run.`);
    process.exit(1);
}
