/**
 * Runs whose work is done by HTTP clients. A foreman claims each run of a trigger and adds six jobs to it; two workers
 * claim one job after the other and take two seconds for each. The schedule ticks every five seconds, before the work
 * is done, so that the overlap policy decides: with `terminate` the old run's jobs are cancelled before the run is, and
 * a worker that comes for one is refused; with `cancel` they are left to the workers, who are told so.
 *
 *     node examples/workers/workers.mjs terminate
 *     node examples/workers/workers.mjs cancel
 */
import { setTimeout as pause } from "node:timers/promises";
import { ask } from "./bridge.mjs";

const TRIGGER = "example-workers";
const JOBS = 6;
const WORKERS = 2;
const WORK_MS = 2000;
const LOOK_MS = 200;

/** Jobs in the order in which they were added: `{executionId, jobId}`. */
const jobs = [];
let isOpen = true;

const short = (executionId) => executionId.slice(0, 4);
const pathOf = ({ executionId, jobId }) => `/v1/executions/${executionId}/jobs/${jobId}`;

async function declare(overlapPolicy) {
    const schedule = { kind: "interval", every: 5 };
    await ask("PUT", `/v1/triggers/${TRIGGER}`, { triggerId: TRIGGER, name: "workers", schedule, overlapPolicy });
}

/** Starts a run: claims it, and puts its jobs up. */
async function start(executionId) {
    if (!(await ask("POST", `/v1/executions/${executionId}/started`, {}))) return;
    console.log(`run ${short(executionId)} starts with ${JOBS} jobs`);
    for (let number = 1; number <= JOBS; number += 1) {
        const job = await ask("POST", `/v1/executions/${executionId}/jobs`, { jobId: String(number) });
        if (job) jobs.push({ executionId, jobId: job.jobId });
    }
}

/** Looks for starts, as a client without a stream does. */
async function foreman() {
    while (isOpen) {
        const { executions } = await ask("GET", `/v1/executions?triggerId=${TRIGGER}&state=pending`);
        for (const { executionId } of executions.reverse()) await start(executionId);
        await pause(LOOK_MS);
    }
}

/** Does one job, if it is still to be had. */
async function work(worker, job) {
    const name = `job ${job.jobId} of run ${short(job.executionId)}`;
    const claimed = await ask("POST", `${pathOf(job)}/claim`, {});
    if (!claimed) {
        console.log(`worker ${worker}: ${name} is not to be had any more`);
        return;
    }
    const note = claimed.executionState === "cancelled" ? ", though its run is cancelled" : "";
    console.log(`worker ${worker}: does ${name}${note}`);
    await pause(WORK_MS);
    const finished = await ask("POST", `${pathOf(job)}/finished`, {});
    console.log(`worker ${worker}: ${finished ? "has done" : "throws away"} ${name}`);
    if (finished) await endIfDone(job);
}

/** The run is over with its last job. */
async function endIfDone({ executionId, jobId }) {
    if (jobId !== String(JOBS)) return;
    const { ignored } = await ask("POST", `/v1/executions/${executionId}/finished`, { outcome: "completed" });
    if (!ignored) console.log(`run ${short(executionId)} is over`);
}

async function keepWorking(worker) {
    while (isOpen) {
        const job = jobs.shift();
        if (job) await work(worker, job);
        else await pause(LOOK_MS);
    }
}

/** Takes the trigger away, so that nothing ticks without a foreman. */
function close() {
    isOpen = false;
}

const overlapPolicy = process.argv[2] ?? "terminate";
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, close);
await declare(overlapPolicy);
console.log(`workers with ${overlapPolicy}; Ctrl-C ends them`);
await Promise.all([foreman(), ...Array.from({ length: WORKERS }, (_, index) => keepWorking(index + 1))]);
await ask("DELETE", `/v1/triggers/${TRIGGER}`);
