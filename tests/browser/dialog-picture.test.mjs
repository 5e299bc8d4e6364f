/** The picture of what the edited trigger does: its ticks to come, and what really happened. */
import assert from "node:assert/strict";
import { until } from "../e2e/support/house.mjs";
import { finish, tab, trigger, work } from "../e2e/support/nodes.mjs";
import { assertNoBarrier } from "./support/axe.mjs";
import { onBoth } from "./support/both.mjs";

const AHEAD = trigger("ahead", "tab", { every: 10, everyUnit: "minutes", maxConcurrent: 2 });
const BUSY = trigger("busy", "tab", { y: 200, every: 2, endsOnSilence: false, wires: [["work"], []] });
const MISTAKEN = trigger("mistaken", "tab", { y: 300, scheduleKind: "cron", cron: "*/10 25 * * *" });
const ASLEEP = trigger("asleep", "tab", { y: 400, scheduleKind: "cron", cron: "${CRON}" });
const WORK = [
    { ...work("work", "tab", 3, ["finish"]), x: 400, y: 200 },
    { ...finish("finish", "tab"), x: 600, y: 200 },
];
const FLOWS = [tab("tab"), AHEAD, BUSY, MISTAKEN, ASLEEP, ...WORK];

const inDialog = (look, node = "ahead") => async (there) => {
    const dialog = await there.editor.edit(node);
    await dialog.picture.says(/ticks?,|firings?,/);
    await look(dialog, there);
    await dialog.cancel();
    // A time zone is none until it has been typed to its end.
    there.editor.troubles.assertNone({ previews: [400] });
};

/** Nobody has asked the bridge about these nodes since the editor was opened. */
async function marksABadCronExpression({ editor }) {
    assert.ok(await editor.isInvalid("mistaken"), "the flow file's expression is bad");
    assert.ok(!(await editor.isInvalid("asleep")), "an environment variable may hold a good one");
    const dialog = await editor.edit("mistaken");
    await dialog.description.getByText("Hour 25 does not exist. Hours go from 0 to 23.").waitFor();
    await dialog.picture.says("Mend the schedule to see what it does.");
    await dialog.cancel();
}

/** What the same two hours hold under each policy, with runs of 14 minutes. */
const NUMBERS = {
    Skip: "12 ticks, 6 runs, 6 skipped.",
    Queue: "12 ticks, 9 runs, 3 merged.",
    Allow: "12 ticks, 12 runs.",
    Buffer: "12 ticks, 6 runs, 5 dropped. 1 still waits.",
    Cancel: "12 ticks, 12 runs, 11 cancelled.",
    Terminate: "12 ticks, 12 runs, 11 terminated.",
};
const LEGENDS = {
    Skip: ["starts a run", "skipped"],
    Queue: ["starts a run", "queued", "merged into the queued run"],
    Allow: ["starts a run"],
    Buffer: ["starts a run", "dropped", "held in the slot"],
    Cancel: ["starts a run", "cancelled"],
    Terminate: ["starts a run", "terminated"],
};

async function showsWhatAPolicyDoes(dialog) {
    const { picture } = dialog;
    assert.ok(await picture.past.isDisabled(), "nothing has happened yet");
    for (const [policy, numbers] of Object.entries(NUMBERS)) {
        await dialog.choose("overlapPolicy", policy);
        await picture.says(`In the next 2 hours: ${numbers}`);
        assert.deepEqual(await picture.legend.allTextContents(), LEGENDS[policy], policy);
    }
}

async function followsTheSettings(dialog) {
    const { picture } = dialog;
    await dialog.type("maxRunMinutes", "5");
    await picture.says("In the next 2 hours: 12 ticks, 12 runs, 12 expired.");
    await dialog.type("maxRunMinutes", "");
    await dialog.type("every", "1");
    await dialog.choose("everyUnit", "hours");
    await picture.says("In the next 12 hours: 12 ticks");
    await dialog.more();
    await dialog.typeLockKeys(["acme/api", "acme/web"]);
    await picture.says("24 firings");
    await dialog.typeLockKeys([]);
    await dialog.type("delaySeconds", "60");
    await dialog.picture.legend.getByText("delayed").waitFor();
}

async function zoomsOutToFiftyTicks({ picture }) {
    for (const expected of ["24 ticks", "48 ticks", "50 ticks"]) {
        await picture.zoom("Zoom out");
        await picture.says(expected);
    }
    assert.equal((await picture.table()).length, 50);
    for (let step = 0; step < 6; step++) await picture.zoom("Zoom in");
    await picture.says("3 ticks");
}

async function isWalkedByKeys({ picture }, { editor }) {
    const { keyboard } = editor.page;
    await picture.svg.focus();
    await keyboard.press("ArrowRight");
    await picture.says(/^\d\d:\d\d(:\d\d)? A run starts\. It ends at \d\d:\d\d(:\d\d)?\.$/);
    await picture.ring.waitFor();
    await keyboard.press("ArrowRight");
    await picture.says(/Skipped: the run of \d\d:\d\d(:\d\d)? is still active\.$/);
    await keyboard.press("End");
    assert.equal((await picture.table()).at(-1), await picture.sentence.textContent(), "the view has followed to the last one");
    await keyboard.press("Home");
    await picture.says(/A run starts/);
    await keyboard.press("-");
    await keyboard.press("Escape");
    await picture.says("24 ticks");
    assert.equal(await picture.ring.count(), 0);
}

async function tellsWhatIsPointedAt({ picture }, { editor }) {
    const box = await picture.svg.boundingBox();
    await picture.svg.locator("path.st-none").first().hover();
    await picture.says(/Skipped: the run of/);
    await editor.page.mouse.move(box.x + 5, box.y + box.height - 4);
    await picture.says("In the next 2 hours");
    await editor.page.mouse.move(box.x + box.width * 0.8, box.y + 60);
    await editor.page.mouse.down();
    await editor.page.mouse.move(box.x + box.width * 0.3, box.y + 60, { steps: 5 });
    await editor.page.mouse.up();
    await picture.says(/^In view: \d+ ticks/);
}

async function takesATypicalRunTime({ picture }, { editor }) {
    assert.equal(await picture.runTime.textContent(), "14 min");
    await picture.slider.focus();
    await editor.page.keyboard.press("ArrowRight");
    assert.equal(await picture.runTime.textContent(), "15 min");
    await editor.page.keyboard.press("PageDown");
    await editor.page.keyboard.press("PageDown");
    assert.equal(await picture.slider.getAttribute("aria-valuetext"), "9 min 36 s");
    await picture.says("12 ticks, 12 runs.");
    await editor.page.keyboard.press("Home");
    assert.equal(await picture.runTime.textContent(), "1 s");
    await editor.page.keyboard.press("End");
    assert.equal(await picture.runTime.textContent(), "1 h 40 min");
}

async function isDimmedUntilTheScheduleIsMended(dialog) {
    await dialog.type("every", "0");
    await dialog.picture.says("Mend the schedule to see what it does.");
    assert.match(await dialog.picture.panel.getAttribute("class"), /dimmed/);
    await dialog.type("every", "10");
    await dialog.picture.says("In the next 2 hours");
    await dialog.choose("overlapPolicy", "Allow");
    await dialog.type("maxConcurrent", "none");
    await dialog.picture.says("Mend the settings to see what they do.");
    await dialog.choose("scheduleKind", "No schedule");
    await dialog.picture.panel.waitFor({ state: "hidden" });
}

async function marksAClockChange(dialog) {
    await dialog.choose("scheduleKind", "Cron");
    await dialog.type("timezone", "Europe/Berlin");
    await dialog.type("cron", "30 12 28-31 3,10 *");
    await dialog.next.getByText(/\(clocks change\)/).waitFor();
}

/** What is ours in the dialog; what Node-RED puts around it is its own. */
const OURS = [".schedule-trigger-row", ".schedule-trigger-hint", ".schedule-trigger-panel", ".schedule-trigger-more"];
const hasNoBarrier = (editor) => assertNoBarrier(editor.page, OURS.map((part) => `#dialog-form > ${part}`).join(", "));

async function isOpenToAll(dialog, { editor }) {
    await dialog.more();
    await hasNoBarrier(editor);
    await dialog.choose("scheduleKind", "Cron");
    await dialog.type("cron", "*/10 25 * * *");
    await dialog.picture.says("Mend the schedule");
    await hasNoBarrier(editor);
}

async function showsWhatHappened(dialog, { editor, house }) {
    const { picture } = dialog;
    await until("a past in which queue would have merged", async () => (await house.decisions("busy")).length >= 9);
    await until("the past is offered", async () => picture.past.isEnabled());
    await picture.note.getByText(/^Set to (the median of this trigger’s last \d+ runs|what this trigger’s last run took)\.$/).waitFor();
    assert.match(await picture.runTime.textContent(), /^\d+(\.\d)? s$/);
    await picture.past.click();
    await picture.says("Choose another policy or run limit");
    await picture.svg.getByText("As it ran, with skip").waitFor();
    await hasNoBarrier(editor);
    await dialog.choose("overlapPolicy", "Queue");
    await picture.says(/^With queue you would have had \d+ runs instead of \d+, \d+ merged, none skipped\./);
    await picture.svg.getByText("The same ticks and run times, with queue").waitFor();
    await picture.panel.getByText(/^Replayed for this trigger alone: /).waitFor();
    await picture.extent.getByText(/^The last \d+ firings, \d\d:\d\d:\d\d to now\. Shown: /).waitFor();
    await picture.svg.focus();
    await editor.page.keyboard.press("ArrowRight");
    await picture.says(/^\d\d:\d\d:\d\d (Started|Skipped)/);
    await hasNoBarrier(editor);
    await picture.next.click();
    await picture.says(/^In the next 24 seconds: 12 ticks/);
    await picture.panel.getByText(/^Replayed for/).waitFor({ state: "hidden" });
}

/** Answers to a replay are kept back until the person has lost patience. */
async function aLongReplayIsCancelled({ picture }, { editor }) {
    await until("the past is offered", async () => picture.past.isEnabled());
    let answerNow = () => {};
    await editor.page.route("**/replay", async (route) => {
        await new Promise((resolve) => (answerNow = resolve));
        await route.continue().catch(() => undefined);
    });
    await picture.past.click();
    await picture.panel.getByText("Replaying the last firings").waitFor();
    await picture.panel.getByRole("progressbar").waitFor();
    await picture.panel.getByRole("button", { name: "Cancel" }).click();
    await picture.says(/^In the next/);
    answerNow();
    await editor.page.unroute("**/replay");
    assert.ok(await picture.runTime.isVisible());
}

/** How long after the last key the picture has changed; the least of some, as others use the machine. */
async function isRedrawnWithoutALag(dialog, { editor }) {
    await editor.page.evaluate(() => {
        const { document, MutationObserver } = globalThis;
        const times = (globalThis.drawnAfter = []);
        let typed = 0;
        document.querySelector("#node-input-every").addEventListener("keyup", () => (typed = performance.now()));
        const seen = new MutationObserver(() => times.push(performance.now() - typed));
        seen.observe(document.querySelector(".schedule-trigger-sentence"), { childList: true });
    });
    for (const every of ["20", "30", "40", "50", "60"]) {
        await dialog.type("every", every);
        await dialog.picture.says(`In the next ${Number(every) / 5} hours`);
    }
    const [fastest] = (await editor.page.evaluate(() => globalThis.drawnAfter)).sort((one, other) => one - other);
    console.log(`redrawn ${Math.round(fastest)} ms after the last key, of which 80 are waited for another`);
    assert.ok(fastest < 400, `${fastest} ms`);
}

onBoth("the picture of what a trigger does", FLOWS, {
    "marks a node whose cron expression is bad as soon as the editor is open": marksABadCronExpression,
    "shows what each policy does": inDialog(showsWhatAPolicyDoes),
    "follows the settings": inDialog(followsTheSettings),
    "is zoomed out to fifty ticks": inDialog(zoomsOutToFiftyTicks),
    "is walked by keys": inDialog(isWalkedByKeys),
    "tells what is pointed at": inDialog(tellsWhatIsPointedAt),
    "takes a typical run time": inDialog(takesATypicalRunTime),
    "is dimmed until the schedule is mended": inDialog(isDimmedUntilTheScheduleIsMended),
    "marks a clock change among the next ticks": inDialog(marksAClockChange),
    "has no serious barrier": inDialog(isOpenToAll),
    "is redrawn without a lag": inDialog(isRedrawnWithoutALag),
    "shows what happened, and what another policy had made of it": inDialog(showsWhatHappened, "busy"),
    "lets a long replay be cancelled": inDialog(aLongReplayIsCancelled, "busy"),
});
