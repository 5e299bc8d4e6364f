/** One palette install is enough: Node-RED sets up, starts, keeps and ends a bridge of its own. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { until, VERSIONS } from "./support/house.mjs";
import { inManagedHouse, pack } from "./support/managed.mjs";
import { debug, finish, tab, trigger } from "./support/nodes.mjs";

const FLOWS = [
    tab("flow"),
    trigger("tick", "flow", { every: 2, maxRunMinutes: 5, wires: [["finish", "out"], []] }),
    finish("finish", "flow"),
    debug("out", "flow"),
];
const SET_UP_WITHIN = 240_000;
const SIDE_BY_SIDE = { concurrency: VERSIONS.length };
const folder = mkdtempSync(path.join(tmpdir(), "schedule-trigger-"));
let tarball;

before(async () => {
    tarball = await pack(folder);
});

after(() => rmSync(folder, { recursive: true, force: true }));

async function post(house, route, body) {
    const headers = { "Content-Type": "application/json" };
    const answer = await fetch(house.nodeRed.url + route, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: answer.status, body: await answer.json() };
}

/** Waits for a run that comes out from now on. */
async function oneMoreRun(house, within) {
    const sofar = house.shown("out").length;
    await until("a run to come out", () => house.shown("out").length > sofar, within);
}

const isGone = (pid) => {
    try {
        return !process.kill(pid, 0);
    } catch {
        return true;
    }
};

async function livesFromNothing(house) {
    await oneMoreRun(house, SET_UP_WITHIN);
    const texts = house.editor.statuses.map(({ status }) => status.text);
    assert.ok(texts.includes("installing 2/3"), `the progress is shown: ${texts.join(", ")}`);
    assert.ok(house.nodeRed.lines.some((line) => line.includes("[schedule-bridge] The bridge listens at")));

    const { pid } = house.bridge;
    for (const every of [3, 2]) {
        await house.deploy(FLOWS.map((node) => (node.id === "tick" ? { ...node, every } : node)));
        await oneMoreRun(house);
    }
    assert.equal(house.bridge.pid, pid, "a deploy keeps the bridge");

    const preview = await post(house, "/schedule-trigger/preview", { scheduleKind: "cron", cron: "0 5 * * *" });
    assert.deepEqual([preview.status, preview.body.ticks?.length], [200, 51]);

    process.kill(pid, "SIGKILL");
    await until("another bridge", () => house.bridge && house.bridge.pid !== pid);
    await oneMoreRun(house);

    const last = house.bridge.pid;
    await house.nodeRed.kill("SIGKILL");
    await until("the bridge to be gone", () => isGone(last));

    await house.restart();
    await oneMoreRun(house);
    assert.ok(!house.editor.statuses.some(({ status }) => status.text?.startsWith("installing")), "it is set up");
}

async function saysThatThereIsNoPython(house) {
    await until("the status", () => house.status("tick")?.text === "no Python");
    assert.deepEqual(house.status("tick"), { fill: "red", shape: "dot", text: "no Python" });
    const helps = /needs Python 3\.11 or later, and none was found\. Install Python/;
    assert.equal(house.nodeRed.lines.filter((line) => helps.test(line)).length, 1);
    const preview = await post(house, "/schedule-trigger/preview", { scheduleKind: "interval", every: 10 });
    const button = await post(house, "/schedule-trigger/tick/run", {});
    for (const { status, body } of [preview, button]) {
        assert.equal(status, 503);
        assert.match(body.message, helps);
    }
}

test("with only the package installed a run comes out, and the bridge ends with Node-RED", SIDE_BY_SIDE, async (t) => {
    const onVersion = (version) => () => inManagedHouse({ version, flows: FLOWS, tarball }, livesFromNothing);
    await Promise.all(VERSIONS.map((version) => t.test(`on Node-RED ${version}`, onVersion(version))));
});

test("without Python the node, the log, the dialog and the button say what to do", SIDE_BY_SIDE, async (t) => {
    const empty = path.join(folder, "empty");
    mkdirSync(empty);
    const wanted = { flows: FLOWS, env: { PATH: empty } };
    const onVersion = (version) => () => inManagedHouse({ version, ...wanted }, saysThatThereIsNoPython);
    await Promise.all(VERSIONS.map((version) => t.test(`on Node-RED ${version}`, onVersion(version))));
});
