/** The first minute of an empty Node-RED: its bridge is set up while an author looks, and waits for whoever cancels. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { until, VERSIONS } from "../e2e/support/house.mjs";
import { inManagedHouse } from "../e2e/support/managed.mjs";
import { tab, trigger } from "../e2e/support/nodes.mjs";
import { assertNoBarrier } from "./support/axe.mjs";
import { launchChromium } from "./support/chromium.mjs";
import { Editor } from "./support/editor.mjs";
import { Schedules } from "./support/schedules.mjs";
import { PASSWORD, WITH_USERS } from "./support/users.mjs";

const SET_UP_WITHIN = 240_000;
const CANCELLED = "The set-up of the bridge was cancelled. It begins anew at the next deploy.";
const INSTALLING = /Starting the bridge for the first time\. Installing, step \d of 3\.$/;

/** Its flow is switched off, so that nothing has needed the bridge yet. */
const FLOWS = [tab("flow"), { ...tab("off"), disabled: true }, trigger("switched off", "off", { every: 10, everyUnit: "minutes" })];

const login = (username) => ({ login: { username, password: PASSWORD } });

/** To set it up is nothing for a person who may only read, and who is told so. */
async function aReaderStartsNothing(browser, house) {
    const editor = await Editor.open(browser, house, login("reader"));
    await editor.goTo("off");
    const dialog = await editor.edit("switched off");
    await dialog.picture.says("The bridge of this Node-RED has not been started yet. It starts when a trigger is deployed.");
    assert.ok(await dialog.picture.setUp.isHidden());
    await dialog.cancel();
    editor.troubles.assertNone({ previews: [503] });
    await editor.close();
    assert.ok(!existsSync(path.join(house.userDir, "schedule-bridge")), "nothing is being installed");
}

async function theSidebarSaysHowToBegin({ editor, schedules }) {
    await schedules.show();
    await schedules.note.filter({ hasText: "No schedules yetDrag a schedule-trigger from the palette and deploy." }).waitFor();
    await assertNoBarrier(editor.page, ".schedules");
}

/** The dialog is what first needs the bridge. */
async function theDialogCancelsTheSetUp({ editor }, id) {
    const dialog = await editor.edit(id);
    const { setUp } = dialog.picture;
    await setUp.getByText(INSTALLING).waitFor({ timeout: SET_UP_WITHIN });
    await dialog.next.getByText(INSTALLING).waitFor();
    await setUp.getByRole("progressbar").waitFor();
    await assertNoBarrier(editor.page, "#schedule-trigger-picture");
    await setUp.getByRole("button", { name: "Cancel" }).click();
    await dialog.next.getByText(CANCELLED).waitFor();
    await dialog.picture.says(CANCELLED);
    await setUp.waitFor({ state: "hidden" });
    await dialog.done();
}

/** A deploy begins it anew. */
async function theSidebarCancelsTheSetUp({ editor, schedules }, id) {
    await editor.deploy();
    const trouble = schedules.root.locator(".schedules-trouble");
    await trouble.filter({ hasText: /Starting the bridge for the first timeInstalling, step \d of 3\./ }).waitFor();
    await trouble.getByRole("progressbar", { name: "Starting the bridge for the first time" }).waitFor();
    await assertNoBarrier(editor.page, ".schedules");
    await trouble.getByRole("button", { name: "Cancel" }).click();
    await trouble.filter({ hasText: CANCELLED }).waitFor();
    await editor.untilStatus(id, { text: "set-up cancelled" });
}

async function rename(editor, id, name) {
    const dialog = await editor.edit(id);
    await dialog.type("name", name);
    await dialog.done();
    await editor.deploy();
}

async function theDialogFollowsTheSetUp({ editor, schedules }, id) {
    await rename(editor, id, "first");
    const dialog = await editor.edit(id);
    const progress = "Starting the bridge for the first time. Installing, step 2 of 3.";
    await dialog.next.getByText(progress).waitFor({ timeout: SET_UP_WITHIN });
    await dialog.picture.setUp.getByText(progress).waitFor();
    await dialog.type("name", "fields stay usable");
    await until("the next ticks", async () => (await dialog.next.textContent()).startsWith("Next "), SET_UP_WITHIN);
    await dialog.picture.says(/^In the next 2 hours: 12 ticks, 6 runs, 6 skipped\.$/);
    assert.equal(await dialog.field("name").inputValue(), "fields stay usable");
    await dialog.cancel();
    await schedules.untilRow("first", /next /);
    editor.troubles.assertNone({ previews: [503] });
}

/** What was new while there was no connection is asked for when it is back. */
async function theSidebarReturnsWithNodeRed({ editor, schedules, house }) {
    await house.stopNodeRed();
    const file = path.join(house.userDir, "flows.json");
    writeFileSync(file, readFileSync(file, "utf8").replace('"first"', '"renamed"'));
    await house.restart();
    await schedules.untilRow("renamed", /next /);
    editor.troubles.forget();
    await schedules.open("renamed");
    await schedules.verb("Run now").click();
    await schedules.decision("Started: run");
    editor.troubles.assertNone();
}

async function live(browser, house) {
    await aReaderStartsNothing(browser, house);
    const editor = await Editor.open(browser, house, login("writer"));
    const there = { house, editor, schedules: new Schedules(editor) };
    await theSidebarSaysHowToBegin(there);
    const id = await editor.place("schedule-trigger", { x: 200, y: 160 });
    await theDialogCancelsTheSetUp(there, id);
    await theSidebarCancelsTheSetUp(there, id);
    await theDialogFollowsTheSetUp(there, id);
    await theSidebarReturnsWithNodeRed(there);
}

test("the first set-up is followed and cancelled in the dialog and in the sidebar", { concurrency: true }, async (t) => {
    const browser = await launchChromium();
    t.after(() => browser.close());
    const onVersion = (version) => inManagedHouse({ version, flows: FLOWS, settings: WITH_USERS }, (house) => live(browser, house));
    await Promise.all(VERSIONS.map((version) => t.test(`on Node-RED ${version}`, () => onVersion(version))));
});
