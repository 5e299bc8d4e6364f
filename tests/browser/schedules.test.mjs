/** The sidebar "Schedules": every trigger at a glance, and one of them opened. */
import assert from "node:assert/strict";
import { finish, tab, trigger, work } from "../e2e/support/nodes.mjs";
import { until } from "../e2e/support/house.mjs";
import { assertNoBarrier } from "./support/axe.mjs";
import { onBoth } from "./support/both.mjs";
import { Schedules } from "./support/schedules.mjs";

const LONG = 600;
/** More decisions than one page of them holds. */
const MANY = 60;

let rows = 0;
const inRow = (id, z, settings) => trigger(id, z, { x: 200, y: 80 * ++rows, ...settings });
const byHand = (id, z, settings) => inRow(id, z, { scheduleKind: "none", wires: [["work"], []], ...settings });

const FLOW = [
    tab("first"),
    { ...tab("second"), label: "second flow" },
    inRow("resting", "first", { every: 2, everyUnit: "hours" }),
    byHand("skipping", "first"),
    byHand("queueing", "first", { overlapPolicy: "queue" }),
    byHand("quick", "first", { wires: [["finish"], []] }),
    byHand("many", "first", { lockKeys: Array.from({ length: 13 }, (_, index) => `key ${index + 1}`), wires: [["finish"], []] }),
    inRow("mistaken", "first", { scheduleKind: "cron", cron: "*/10 25 * * *" }),
    { ...work("work", "first", LONG, ["finish"]), x: 420 },
    { ...finish("finish", "first"), x: 620 },
    byHand("keyed", "second", { bridge: "limited", overlapPolicy: "queue", lockKeys: ["acme/shop", "acme/docs"], wires: [["work 2"], []] }),
    { ...work("work 2", "second", LONG, []), x: 420 },
    { id: "limited", type: "schedule-bridge", name: "a house", mode: "managed", workspaceId: "house", maxConcurrentExecutions: 1 },
];

const here = ({ editor }) => new Schedules(editor);

async function listsEveryTrigger(there) {
    const schedules = here(there);
    await schedules.show();
    await schedules.untilRow("resting", /next /);
    assert.deepEqual(await schedules.names(), ["many", "mistaken", "queueing", "quick", "resting", "skipping", "keyed"]);
    await schedules.untilRow("mistaken", "bad cron expression");
    assert.match(await schedules.workspace("default").textContent(), /nothing runs, no limit/);
    assert.match(await schedules.workspace("house").textContent(), /0 of 1 in use/);
}

async function showsWhatChangesAtOnce(there) {
    const schedules = here(there);
    const { editor } = there;
    await editor.press("quick");
    await schedules.untilRow("quick", "completed");
    await schedules.row("quick").getByRole("img", { name: /^Last run: / }).waitFor();
    for (let times = 0; times < 2; times += 1) {
        await editor.press("skipping");
        await editor.untilStatus("skipping", { text: /running/ });
    }
    await schedules.untilRow("skipping", "running, skipped 1");
    await schedules.untilRow("skipping", "skipped");
    assert.match(await schedules.workspace("default").textContent(), /1 running, no limit/);
}

async function filtersAndFinds(there) {
    const schedules = here(there);
    await schedules.search.fill("ski");
    assert.deepEqual(await schedules.names(), ["skipping"]);
    await schedules.search.fill("invoice");
    assert.match(await schedules.note.textContent(), /No trigger matches “invoice”7 triggers are hidden. Clear the filter/);
    await schedules.note.getByRole("button", { name: "Clear the filter" }).click();
    await schedules.flow.selectOption({ label: "second flow" });
    assert.deepEqual(await schedules.names(), ["keyed"]);
    await schedules.flow.selectOption({ label: "all flows" });
    assert.equal((await schedules.names()).length, 7);
}

async function goesToTheNode(there) {
    const schedules = here(there);
    const { page } = there.editor;
    await schedules.row("keyed").locator(".schedules-main").click();
    await page.locator("#red-ui-workspace-tabs li.active", { hasText: "second flow" }).waitFor();
    await schedules.row("skipping").locator(".schedules-main").click();
    await page.locator("#red-ui-workspace-tabs li.active", { hasText: "first" }).waitFor();
}

async function isUsedWithoutAMouse(there) {
    const schedules = here(there);
    const { page } = there.editor;
    await schedules.row("queueing").locator(".schedules-main").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Enter"]) await page.keyboard.press(key);
    await schedules.details.getByRole("heading", { name: "skipping" }).waitFor();
    await schedules.decisions.first().waitFor();
    await page.keyboard.press("Escape");
    await schedules.search.waitFor();
    assert.equal(await page.evaluate("document.activeElement.innerText.split('\\n')[0]"), "skipping");
    await page.keyboard.press("ArrowRight");
    await schedules.details.waitFor();
    await page.keyboard.press("Escape");
}

async function opensATrigger(there) {
    const schedules = here(there);
    await schedules.open("skipping");
    assert.match(await schedules.lines("Active").textContent(), /^[0-9a-f]{4} running for .*until .* at most/);
    await schedules.decision(/Skipped: run [0-9a-f]{4} of this workflow/);
    await schedules.decision("Started: run");
    assert.match(await schedules.details.locator(".schedules-skips").textContent(), /Skipped once, at .*, behind run [0-9a-f]{4}\./);
    await assertNoBarrier(there.editor.page, ".schedules");
}

async function tellsTheTimeline(there) {
    const schedules = here(there);
    const { page } = there.editor;
    const picture = schedules.details.locator(".st-picture");
    await picture.focus();
    await page.keyboard.press("End");
    await schedules.sentence.filter({ hasText: "Skipped: run" }).waitFor();
    await page.keyboard.press("Home");
    await schedules.sentence.filter({ hasText: "Started: run" }).waitFor();
    // The picture moves on with the time: what is pointed at stays so.
    const ring = picture.locator(".st-ring");
    const before = await ring.getAttribute("x");
    await until("a picture that has moved on", async () => (await ring.getAttribute("x")) !== before, 10_000);
    await page.keyboard.press("ArrowRight");
    await schedules.sentence.filter({ hasText: "Skipped: run" }).waitFor();
    await page.keyboard.press("+");
    await schedules.details.locator(".st-table tbody tr").first().waitFor({ state: "attached" });
    await page.keyboard.press("Escape");
    assert.equal(await schedules.sentence.textContent(), "");
    await page.keyboard.press("Escape");
    await schedules.search.waitFor();
}

async function isUsedWithTheMouse(there) {
    const schedules = here(there);
    const { mouse, keyboard } = there.editor.page;
    const picture = schedules.details.locator(".st-picture");
    const inView = (text) => schedules.details.locator(".st-table td:last-child", { hasText: text });
    await schedules.open("skipping");
    const { x, y, width, height } = await picture.boundingBox();
    await picture.locator("path.st-none").first().hover();
    await schedules.sentence.filter({ hasText: "Skipped: run" }).waitFor();
    await keyboard.down("Control");
    for (let times = 0; times < 3; times += 1) await mouse.wheel(0, -100);
    await keyboard.up("Control");
    await inView("Skipped: run").waitFor({ state: "attached" });
    await mouse.move(x + width * 0.95, y + height / 2);
    await schedules.sentence.filter({ hasText: "Skipped: run" }).waitFor({ state: "hidden" });
    await mouse.down();
    await mouse.move(x + width * 0.2, y + height / 2, { steps: 5 });
    await mouse.up();
    await inView("Skipped: run").waitFor({ state: "detached" });
    for (let times = 0; times < 6; times += 1) await schedules.verb("Zoom out").click();
    await inView("Started: run").waitFor({ state: "attached" });
    await inView("Skipped: run").waitFor({ state: "attached" });
    await schedules.back();
}

async function runsPausesAndResumes(there) {
    const schedules = here(there);
    await schedules.open("quick");
    await schedules.verb("Run now").click();
    await there.editor.notification("Started: run");
    await until("two starts", async () => (await schedules.decisions.filter({ hasText: "Started" }).count()) === 2, 10_000);
    await schedules.verb("Pause").click();
    await schedules.verb("Resume").waitFor();
    await schedules.verb("Run now").click();
    await schedules.decision("Skipped: the trigger is paused.");
    await schedules.verb("Resume").click();
    await schedules.verb("Pause").waitFor();
    await schedules.back();
}

async function cancelsAndTerminates(there) {
    const schedules = here(there);
    await schedules.open("skipping");
    const [active] = await schedules.lines("Active").all();
    await schedules.verb("Terminate", active).click();
    const question = schedules.details.getByRole("alertdialog");
    assert.match(await question.textContent(), /^Terminate run [0-9a-f]{4}\? Its undelivered messages are discarded\./);
    await assertNoBarrier(there.editor.page, ".schedules");
    await schedules.verb("Keep it", question).click();
    await schedules.verb("Terminate", active).click();
    await schedules.verb("Terminate", question).click();
    await schedules.decision(/Terminated: run [0-9a-f]{4} after/);
    await schedules.verb("Run now").click();
    await schedules.untilLines("Active", 1);
    await schedules.verb("Cancel", schedules.lines("Active").first()).click();
    await schedules.decision(/Cancelled: run [0-9a-f]{4} after/);
    await schedules.back();
}

async function saysWhatWaitsForWhat(there) {
    const schedules = here(there);
    await there.house.ask(`/v1/triggers/${(await there.house.trigger("queueing")).triggerId}/fire`, "POST");
    await there.house.ask(`/v1/triggers/${(await there.house.trigger("queueing")).triggerId}/fire`, "POST");
    await schedules.open("queueing");
    await schedules.untilLines("Waiting", 1);
    assert.match(await schedules.lines("Waiting").textContent(), /^[0-9a-f]{4} queued for .*Behind run [0-9a-f]{4}/);
    await schedules.back();
    await there.house.ask(`/v1/triggers/${(await there.house.trigger("keyed")).triggerId}/fire`, "POST");
    await schedules.open("keyed");
    await schedules.untilLines("Waiting", 1);
    const waits = schedules.lines("Waiting");
    assert.match(await waits.textContent(), /on hold for .*, place 1Workspace house runs 1 of 1\. Key acme\/docs/);
    await schedules.details.locator(".st-picture").getByText("acme/shop").waitFor();
    await schedules.details.locator(".st-picture").getByText("acme/docs").waitFor();
    await assertNoBarrier(there.editor.page, ".schedules");
    await schedules.back();
}

async function changesTheLimit(there) {
    const schedules = here(there);
    const line = schedules.workspace("house");
    await line.filter({ hasText: /1 of 1 in use.*1 running · 1 on hold/ }).waitFor();
    await line.getByRole("button", { name: "Change the limit" }).click();
    await assertNoBarrier(there.editor.page, ".schedules");
    await line.getByRole("spinbutton").fill("2");
    await line.getByRole("button", { name: "Save" }).click();
    await line.filter({ hasText: "2 of 2 in use" }).waitFor();
    await schedules.untilRow("keyed", "running 2");
}

async function turnsThePages(there) {
    const schedules = here(there);
    const { triggerId } = await there.house.trigger("quick");
    await there.house.ask(`/v1/triggers/${triggerId}/pause`, "POST");
    for (let times = 0; times < MANY; times += 1) await there.house.ask(`/v1/triggers/${triggerId}/fire`, "POST");
    await schedules.open("quick");
    const before = await schedules.decisions.count();
    await schedules.verb("Older decisions…").click();
    await until("older decisions", async () => (await schedules.decisions.count()) > before, 10_000);
    await schedules.verb("Older decisions…").waitFor({ state: "hidden" });
    await schedules.details.getByRole("combobox", { name: "what is listed" }).selectOption({ label: "started" });
    assert.equal(await schedules.decisions.count(), 2);
    await schedules.back();
}

/** A strip would be too thin to be told from the next. */
async function saysHowManyKeysItDoesNotDraw(there) {
    const schedules = here(there);
    await there.editor.press("many");
    await schedules.open("many");
    await schedules.details.getByText("Shown are the strips of 12 of 13 keys.").waitFor();
    await schedules.details.locator(".st-picture").getByText("key 12", { exact: true }).waitFor();
    assert.equal(await schedules.details.locator(".st-picture").getByText("key 13").count(), 0);
    await schedules.back();
}

async function leavesOutWhatHasNoRoom(there) {
    const schedules = here(there);
    const row = schedules.row("quick");
    await schedules.resize(250);
    await row.locator(".schedules-sparkline").waitFor({ state: "hidden" });
    await row.locator(".schedules-last").waitFor();
    await schedules.resize(210);
    await row.locator(".schedules-last").waitFor({ state: "hidden" });
    await schedules.root.evaluate((element) => element.style.removeProperty("width"));
    await row.locator(".schedules-sparkline").waitFor();
    await assertNoBarrier(there.editor.page, ".schedules");
    there.editor.troubles.assertNone();
}

async function tellsThatTheBridgeIsAway(there) {
    const schedules = here(there);
    await there.house.bridge.kill("SIGKILL");
    const trouble = schedules.root.locator(".schedules-trouble").first();
    await trouble.filter({ hasText: /is away since \d\d:\d\d\. No run starts\./ }).waitFor();
    await schedules.untilRow("skipping", "bridge away");
    await assertNoBarrier(there.editor.page, ".schedules");
    await schedules.row("quick").getByRole("img", { name: /^Last 2 runs/ }).waitFor();
    await there.house.startBridge();
    await trouble.waitFor({ state: "hidden", timeout: 30_000 });
    await schedules.untilRow("resting", /next /);
}

const CROWD = Array.from({ length: 1000 }, (_, index) =>
    trigger(`crowd ${index}`, "crowd", { name: `shop ${index}`, scheduleKind: "none", x: 200 + 200 * (index % 20), y: 60 * Math.floor(index / 20) }),
);

/** Milliseconds from a key in the filter to the list that fits it; the least of some, as others use the machine. */
async function filterTime({ page }) {
    const times = await page.evaluate(() => {
        const { document, InputEvent } = globalThis;
        const search = document.querySelector(".schedules-search");
        return ["shop", "shop 7", "", "shop 77", "shop"].map((text) => {
            const begun = performance.now();
            search.value = text;
            search.dispatchEvent(new InputEvent("input", { bubbles: true }));
            search.getBoundingClientRect();
            return performance.now() - begun;
        });
    });
    return Math.max(...times);
}

async function staysUsableWithAThousand(there) {
    const schedules = here(there);
    const { editor, house } = there;
    await house.deploy([...FLOW, tab("crowd"), ...CROWD]);
    await editor.load();
    await schedules.show();
    await schedules.untilRow("shop 999", "");
    const all = async () => (await schedules.names()).length === 1007;
    await until("every trigger in the list", all, 30_000);
    const times = [];
    for (let round = 0; round < 3; round += 1) times.push(await filterTime(editor));
    console.log(`# a thousand triggers are filtered in ${Math.round(Math.min(...times))} ms`);
    assert.ok(Math.min(...times) < 500, `${times} ms`);
    await schedules.search.fill("shop 777");
    assert.deepEqual(await schedules.names(), ["shop 777"]);
    await schedules.open("shop 777");
    await schedules.verb("Run now").click();
    await schedules.decision("Started: run");
    await schedules.back();
    editor.troubles.assertNone();
}

onBoth("the sidebar of schedules", FLOW, {
    "lists every trigger below its workspace": listsEveryTrigger,
    "shows what changes without being asked": showsWhatChangesAtOnce,
    "filters and finds": filtersAndFinds,
    "goes to the node that is clicked": goesToTheNode,
    "is used without a mouse": isUsedWithoutAMouse,
    "opens a trigger: its runs, decisions and skips": opensATrigger,
    "tells its timeline by keys": tellsTheTimeline,
    "is used with the mouse: hover, drag and zoom": isUsedWithTheMouse,
    "runs, pauses and resumes": runsPausesAndResumes,
    "terminates after one question, and cancels": cancelsAndTerminates,
    "says what waits for what": saysWhatWaitsForWhat,
    "changes the limit of a workspace": changesTheLimit,
    "turns the pages of the decisions": turnsThePages,
    "says how many keys it does not draw": saysHowManyKeysItDoesNotDraw,
    "leaves out what has no room": leavesOutWhatHasNoRoom,
    "tells that the bridge is away, and recovers": tellsThatTheBridgeIsAway,
    "stays usable with a thousand triggers": staysUsableWithAThousand,
});
