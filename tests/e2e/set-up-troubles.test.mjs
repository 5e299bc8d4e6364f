/** What keeps a Node-RED's own bridge from being set up is said where its user looks, and so is how to go on. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import { until, VERSIONS } from "./support/house.mjs";
import { inManagedHouse } from "./support/managed.mjs";
import { tab, trigger } from "./support/nodes.mjs";

const { pythonThat, writePrograms } = createRequire(import.meta.url)("../node-red/support/programs.js");

const FLOWS = [tab("flow"), trigger("tick", "flow", { every: 2 })];

/** Settings of this machine's that would lead elsewhere. */
const DIRECTLY = Object.fromEntries(
    ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "PIP_EXTRA_INDEX_URL"].map((name) => [name, undefined]),
);

/** Gives a house programs of its own; gives the folder. */
function programs(house, name, scripts) {
    const folder = path.join(house.folder, name);
    mkdirSync(folder);
    writePrograms(folder, scripts);
    return folder;
}

const ask = (house, route, body = {}) =>
    fetch(house.nodeRed.url + route, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(body),
    });

/** Status, log and dialog say it; the log once. */
async function assertSaid(house, status, sentence) {
    await until(`the status “${status}”`, () => house.status("tick")?.text === status);
    await until("the log", () => house.nodeRed.lines.some((line) => sentence.test(line)));
    assert.equal(house.nodeRed.lines.filter((line) => sentence.test(line)).length, 1);
    const preview = await ask(house, "/schedule-trigger/preview", { scheduleKind: "interval", every: 10 });
    const { message, progress } = await preview.json();
    assert.equal(preview.status, 503);
    assert.match(message, sentence);
    assert.equal(progress, undefined);
}

async function restartWith(house, env) {
    await house.stopNodeRed();
    await house.startNodeRed(house.version, { ...house.env, ...env });
}

async function aPythonThatIsTooOld(house) {
    await restartWith(house, { PATH: programs(house, "old", { python3: "echo 3.9" }) });
    await assertSaid(house, "Python too old", /needs Python 3\.11 or later; the one found is 3\.9\. Install a newer one/);
}

async function aPythonWithoutVenv(house) {
    await restartWith(house, { PATH: programs(house, "bare", { python3: "echo 3.12; exit 1" }) });
    await assertSaid(house, "no python3-venv", /Python 3\.12 is here, but .* sudo apt install python3-venv/);
}

async function noNetwork(house) {
    const nowhere = { PIP_CONFIG_FILE: "/dev/null", PIP_INDEX_URL: "http://127.0.0.1:9/simple", PIP_NO_CACHE_DIR: "1" };
    await restartWith(house, { ...DIRECTLY, ...nowhere });
    await assertSaid(house, "no network", /packages cannot be downloaded\. .* behind a proxy set HTTPS_PROXY/);
}

async function aCancelledSetUp(house) {
    const folder = programs(house, "slow", { python: pythonThat("exec sleep 600") });
    await restartWith(house, { SCHEDULE_BRIDGE_PYTHON: path.join(folder, "python") });
    await until("the progress", () => house.status("tick")?.text === "installing 1/3");
    const preview = await ask(house, "/schedule-trigger/preview", { scheduleKind: "interval", every: 10 });
    assert.deepEqual((await preview.json()).progress, { step: 1, steps: 3 });

    assert.equal((await ask(house, "/schedule-trigger/set-up/cancel")).status, 200);
    await assertSaid(house, "set-up cancelled", /set-up of the bridge was cancelled\. It begins anew at the next deploy/);
    const again = await ask(house, "/schedule-trigger/set-up/cancel");
    assert.deepEqual([again.status, (await again.json()).message], [409, "There is no set-up that can be cancelled."]);

    await house.deploy(FLOWS);
    await until("the progress after a deploy", () => house.status("tick")?.text === "installing 1/3");
}

test("what keeps the bridge from being set up is said", async (t) => {
    const onVersion = (version) =>
        t.test(`on Node-RED ${version}`, () =>
            inManagedHouse({ version, flows: FLOWS, env: { SCHEDULE_BRIDGE_PYTHON: "/bin/false" } }, async (house) => {
                await assertSaid(house, "no such Python", /SCHEDULE_BRIDGE_PYTHON names \/bin\/false, which is no Python/);
                house.env.SCHEDULE_BRIDGE_PYTHON = undefined;
                for (const trouble of [aPythonThatIsTooOld, aPythonWithoutVenv, noNetwork, aCancelledSetUp]) await trouble(house);
            }),
        );
    await Promise.all(VERSIONS.map(onVersion));
});
