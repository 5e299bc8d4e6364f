/** The example of workers over HTTP does what its README says, by its own words and by the record. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { freePort, startBridge, until } from "../../scripts/processes.mjs";
import { root } from "../../scripts/setup.mjs";

/** Runs the example against a bridge until its lines show what is awaited; gives lines and executions. */
async function workUntil(bridge, policy, isEnough) {
    const script = path.join(root, "examples", "workers", "workers.mjs");
    const env = { ...process.env, SCHEDULE_BRIDGE_URL: bridge.url, SCHEDULE_BRIDGE_TOKEN: bridge.token };
    const workers = spawn(process.execPath, [script, policy], { env });
    const ended = once(workers, "exit");
    let said = "";
    for (const stream of [workers.stdout, workers.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
    try {
        await until(`what ${policy} does`, () => isEnough(said)).catch((error) => assert.fail(`${error.message}\n${said}`));
        const headers = { Authorization: `Bearer ${bridge.token}` };
        const answer = await fetch(`${bridge.url}/v1/executions?triggerId=example-workers`, { headers });
        return { lines: said.split("\n"), executions: (await answer.json()).executions.reverse() };
    } finally {
        workers.kill("SIGTERM");
        await ended;
    }
}

test("terminate cancels the jobs first, cancel leaves them to their workers", async (t) => {
    const folder = mkdtempSync(path.join(tmpdir(), "schedule-workers-"));
    const bridge = await startBridge({ folder, port: await freePort() });
    t.after(async () => {
        await bridge.stop();
        rmSync(folder, { recursive: true, force: true });
    });
    await t.test("terminate", async () => {
        const { lines, executions } = await workUntil(bridge, "terminate", (said) => said.includes("not to be had"));
        const [first] = executions;
        assert.equal(first.state, "cancelled");
        const run = first.executionId.slice(0, 4);
        const refused = lines.findIndex((line) => line.includes(`of run ${run} is not to be had`));
        const later = lines.slice(refused).filter((line) => line.includes(`run ${run}`) && /does|has done/.test(line));
        assert.deepEqual(later, [], "no job of a terminated run is had after one was refused");
    });
    await t.test("cancel", async () => {
        const both = (said) => said.includes("though its run is cancelled") && /has done job \d of run/.test(said);
        const { lines } = await workUntil(bridge, "cancel", both);
        assert.ok(!lines.some((line) => line.includes("not to be had")), "every job is left to its worker");
    });
});
