/** Another project is another set of triggers of the same client. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { assertNothingStarts, busy, liveOnBoth, running, untilBack, untilDetached, untilInterrupted } from "./support/deploying.mjs";
import { until } from "./support/house.mjs";

/** The triggers of both projects, of which one is in both. */
const PROJECTS = { first: ["old", "common"], second: ["new", "common"] };

const settings = { editorTheme: { tours: false, projects: { enabled: true } } };

/** Puts a project where Node-RED keeps them, as a Git repository with one commit. */
function makeProject(userDir, name) {
    const folder = path.join(userDir, "projects", name);
    mkdirSync(folder, { recursive: true });
    const manifest = { name, version: "0.0.1", "node-red": { settings: { flowFile: "flows.json", credentialsFile: "flows_cred.json" } } };
    writeFileSync(path.join(folder, "package.json"), JSON.stringify(manifest));
    writeFileSync(path.join(folder, "flows.json"), JSON.stringify(PROJECTS[name].flatMap((each) => busy(each))));
    const git = (...args) => execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.invalid", ...args], { cwd: folder });
    git("init", "--quiet");
    git("add", ".");
    git("commit", "--quiet", "--message", "the first one");
}

function makeProjects(userDir) {
    for (const name of Object.keys(PROJECTS)) makeProject(userDir, name);
    const known = { activeProject: "first", projects: { first: { credentialSecret: false }, second: { credentialSecret: false } } };
    writeFileSync(path.join(userDir, ".config.projects.json"), JSON.stringify(known));
}

const switchTo = (house, name) => house.administer("PUT", `/projects/${name}`, { active: true, clearContext: true });
const clientOf = async (house, node) => (await house.trigger(node)).configuration.clientId;

async function anotherProjectIsAnotherSetOfTriggers(house) {
    const [old, common] = [await running(house, "old"), await running(house, "common")];
    const { triggerId } = await house.trigger("common");
    const client = await clientOf(house, "old");
    await switchTo(house, "second");
    for (const run of [old, common]) await untilInterrupted(house, run);
    await untilDetached(house, "old");
    await running(house, "new");
    assert.equal(await clientOf(house, "new"), client, "the client stays the same");
    const kept = await until("the trigger of both", async () => (await house.executions("common")).length > 1 && house.trigger("common"));
    assert.deepEqual([kept.triggerId, kept.detached], [triggerId, false]);
    await assertNothingStarts(house, "old");
}

async function theFirstProjectComesBackAsItWas(house) {
    const { triggerId } = await house.trigger("old");
    const before = await house.executions("old");
    await house.ask(`/v1/triggers/${triggerId}/pause`, "POST");
    await switchTo(house, "first");
    await untilBack(house, "old");
    await untilDetached(house, "new");
    assert.equal((await house.trigger("old")).paused, true, "an operator's pause outlives a switch");
    assert.deepEqual(await house.executions("old"), before);
    await house.ask(`/v1/triggers/${triggerId}/resume`, "POST");
    await running(house, "old");
}

test("a switch of the project tells the truth", { concurrency: true }, (t) =>
    liveOnBoth(t, { flows: [], settings, fill: makeProjects }, [
        anotherProjectIsAnotherSetOfTriggers,
        theFirstProjectComesBackAsItWas,
    ]));
