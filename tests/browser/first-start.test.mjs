/** The dialog is what first needs the bridge: it is set up while an author edits. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { until, VERSIONS } from "../e2e/support/house.mjs";
import { ManagedHouse } from "../e2e/support/managed.mjs";
import { tab } from "../e2e/support/nodes.mjs";
import { launchChromium } from "./support/chromium.mjs";
import { Editor } from "./support/editor.mjs";

const SET_UP_WITHIN = 240_000;

async function theDialogFollowsTheSetUp(browser, house) {
    const editor = await Editor.open(browser, house);
    const dialog = await editor.edit(await editor.place("schedule-trigger", { x: 200, y: 160 }));
    const progress = "Starting the bridge for the first time. Installing, step 2 of 3.";
    await dialog.next.getByText(progress).waitFor({ timeout: SET_UP_WITHIN });
    await dialog.picture.setUp.getByText(progress).waitFor();
    assert.ok(await dialog.picture.setUp.getByRole("progressbar").isVisible());
    assert.ok(await dialog.picture.setUp.getByRole("button", { name: "Cancel" }).isVisible());
    await dialog.type("name", "fields stay usable");
    await until("the next ticks", async () => (await dialog.next.textContent()).startsWith("Next "), SET_UP_WITHIN);
    await dialog.picture.says(/^In the next 2 hours: 12 ticks, 6 runs, 6 skipped\.$/);
    assert.equal(await dialog.field("name").inputValue(), "fields stay usable");
    await dialog.done();
    editor.troubles.assertNone({ previews: [503] });
}

test("a dialog that is open during the first set-up follows it", { concurrency: true }, async (t) => {
    const browser = await launchChromium();
    t.after(() => browser.close());
    const onVersion = async (version) => {
        const house = await ManagedHouse.open({ version, flows: [tab("flow")] });
        await theDialogFollowsTheSetUp(browser, house).finally(() => house.close());
    };
    await Promise.all(VERSIONS.map((version) => t.test(`on Node-RED ${version}`, () => onVersion(version))));
});
