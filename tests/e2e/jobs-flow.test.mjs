/**
 * The example flow of jobs and workers does what its comment node says, on both Node-REDs: what a terminated run has left
 * is refused to the worker, what the last run has is done.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { example } from "../../scripts/examples.mjs";
import { inHouse, until, VERSIONS } from "./support/house.mjs";
import { assertEndsTold, assertShownOnce, whenEnded } from "./support/record.mjs";

const TRIGGER = "jobs-trigger";
const WORKER = { "jobs-takes": "taken", "jobs-job-done": "done", "jobs-thrown": "thrown", "jobs-refused": "refused" };

/** What became of a run's jobs at the worker, in order: `{what, jobId, statusCode}`. */
function atTheWorker(house, executionId) {
    return house.editor.debug
        .filter(({ node, message }) => node in WORKER && message.job.executionId === executionId)
        .map(({ node, message }) => ({ what: WORKER[node], jobId: message.job.jobId, statusCode: message.statusCode }));
}

const these = (jobs, wanted) => jobs.filter(({ what }) => what === wanted).map(({ jobId }) => jobId);

/** The first run is terminated: its jobs are done, thrown away and refused, in this order, each job once. */
async function assertTerminated(house, { executionId, state }) {
    assert.equal(state, "cancelled");
    const jobs = () => atTheWorker(house, executionId).filter(({ what }) => what !== "taken");
    await until("the worker to be through with the first run", () => jobs().length === 4);
    const ends = jobs();
    assert.deepEqual([...new Set(ends.map(({ jobId }) => jobId))].sort(), ["1", "2", "3", "4"]);
    assert.equal(ends[0].what, "done");
    assert.deepEqual([ends[3].what, ends[3].statusCode], ["refused", 409]);
    assert.ok(ends.every(({ what, statusCode }) => statusCode === (what === "done" ? 200 : 409)));
    const all = atTheWorker(house, executionId).map(({ what }) => what);
    const afterwards = all.slice(all.findIndex((what) => what === "thrown" || what === "refused"));
    assert.ok(!afterwards.includes("taken") && !afterwards.includes("done"), "nothing is had after a refusal");
}

/** The run that no tick follows gets its jobs done, and ends at its finish node. */
async function assertFinished(house) {
    await house.press("jobs-pause");
    await until("the pause", async () => (await house.trigger(TRIGGER)).paused);
    await until("the end of the last run", async () => (await house.executions(TRIGGER)).at(-1).state === "completed");
    const executions = await house.executions(TRIGGER);
    assert.ok(executions.slice(0, -1).every(({ state }) => state === "cancelled"), "the newest run wins");
    const { executionId } = executions.at(-1);
    const done = () => these(atTheWorker(house, executionId), "done").sort();
    await until("its jobs to be shown as done", () => done().length >= 4);
    assert.deepEqual(done(), ["1", "2", "3", "4"]);
    const [finished] = await until("the finish node", () => house.shown("jobs-done").length && house.shown("jobs-done"));
    assert.equal(finished.run.executionId, executionId);
}

async function assertJobs(house) {
    await whenEnded(house, TRIGGER, 1);
    const [first] = await house.executions(TRIGGER);
    await assertTerminated(house, first);
    await assertFinished(house);
    await assertShownOnce(house, TRIGGER, "jobs-starts", "jobs-else");
    await assertEndsTold(house, TRIGGER, "jobs-else", "cancelled");
    for (const node of ["jobs-broken", "jobs-worker-broken"]) assert.deepEqual(house.shown(node), [], "nothing has failed");
    assert.ok(!JSON.stringify(house.editor.debug).includes(house.bridge.token), "the token is never shown");
}

test("the example of jobs and workers does what it says", { concurrency: true }, async (t) => {
    const onVersion = (version) =>
        t.test(`on Node-RED ${version}`, () => inHouse({ version, flows: example("jobs and workers") }, assertJobs));
    await Promise.all(VERSIONS.map(onVersion));
});
