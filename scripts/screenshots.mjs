/**
 * `npm run screenshots`: takes the pictures of docs/images anew, from real Node-REDs that run real flows.
 * `npm run screenshots -- dialog` takes a set of them: dialog, others, sidebar or examples.
 * A picture is named for what it shows, the version of Node-RED and, where it is dark, that.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { House } from "../tests/e2e/support/house.mjs";
import { launchChromium } from "../tests/browser/support/chromium.mjs";
import { Editor } from "../tests/browser/support/editor.mjs";
import { Schedules } from "../tests/browser/support/schedules.mjs";
import { busyFlow, examplesOnOneTab, flowOfEveryNode } from "./screenshot-flows.mjs";
import { live, schedulesFlow } from "./screenshot-schedules.mjs";
import { root, sayWhatFailed, setup } from "./setup.mjs";

const FOLDER = path.join(root, "docs", "images");
const EDITORS = [{ version: 4 }, { version: 5 }, { version: 5, isDark: true }];
const SIZE = { width: 1280, height: 660 };
const SIDEBAR_SIZE = { width: 1280, height: 900 };
const README_SIZE = { width: 1480, height: 770 };

/** Allow comes last: to skip, its runs must be longer. */
const POLICIES = ["Skip", "Queue", "Buffer", "Cancel", "Terminate", "Allow"];
/** By which a picture is known to be that of a policy. */
const LEGEND_OF = { Skip: "skipped", Queue: "queued", Allow: "skipped", Buffer: "dropped", Cancel: "cancelled", Terminate: "terminated" };
/** Milliseconds in which enough has happened to be looked at. */
const PAST_MS = 30_000;

const file = (name) => path.join(FOLDER, `${name}.png`);

/** Opens a house with flows, lets `act` take pictures in its editor, and closes it. */
async function inEditor({ version, isDark }, flows, size, act) {
    const browser = await launchChromium();
    const house = await House.open({ version, flows });
    try {
        const editor = await Editor.open(browser, house, { viewport: size, deviceScaleFactor: 2 });
        if (isDark) await editor.goDark();
        await act(editor, house);
    } finally {
        await browser.close();
        await house.close();
    }
}

/** Every status of a trigger that can be had without waiting, below a flow that runs. */
async function takeCanvas(editor, name) {
    await editor.filterPalette("schedule");
    for (const id of ["skipping", "skipping", "skipping", "queueing", "queueing", "allowing", "running"]) {
        await editor.press(id);
        await editor.untilStatus(id, { text: /running|queued/ });
    }
    await editor.untilStatus("skipping", { text: "running, skipped 2" });
    await editor.untilStatus("queueing", { text: "queued, running 1" });
    await editor.untilStatus("away", { text: "bridge away" });
    await editor.withoutNotifications();
    await editor.page.mouse.move(SIZE.width / 2, SIZE.height - 40);
    await editor.page.screenshot({ path: file(name) });
}

async function takeDialog(editor, name) {
    await editor.page.setViewportSize({ width: SIZE.width, height: 1220 });
    const dialog = await editor.edit("next");
    await dialog.type("name", "fetch prices");
    await dialog.choose("scheduleKind", "Cron");
    await dialog.type("cron", "*/10 8-17 * * 1-5");
    await dialog.type("timezone", "Europe/Berlin");
    await dialog.choose("overlapPolicy", "Allow");
    await letRunsBeLonger(editor, dialog);
    await dialog.more();
    await dialog.description.getByText("Every 10 minutes, 08:00 to 17:59, Monday to Friday").waitFor();
    await dialog.picture.legend.getByText("skipped").waitFor();
    await dialog.field("name").click();
    await editor.page.locator(".red-ui-tray").last().screenshot({ path: file(name) });
    await dialog.cancel();
}

async function letRunsBeLonger({ page }, dialog) {
    await dialog.type("maxConcurrent", "2");
    await dialog.picture.slider.focus();
    for (let press = 0; press < 2; press++) await page.keyboard.press("PageUp");
}

/** The picture of each policy, with runs that take a little longer than the interval. */
async function takePolicies(editor, suffix) {
    const dialog = await editor.edit("next");
    for (const policy of POLICIES) {
        await dialog.choose("overlapPolicy", policy);
        if (policy === "Allow") await letRunsBeLonger(editor, dialog);
        await dialog.picture.legend.getByText(LEGEND_OF[policy], { exact: true }).waitFor();
        await dialog.picture.says(policy === "Allow" ? "8 runs" : "ticks");
        await dialog.field("name").focus();
        await editor.page.mouse.move(0, 0);
        await dialog.picture.panel.screenshot({ path: file(`policy-${policy.toLowerCase()}${suffix}`) });
    }
    await dialog.cancel();
}

/** What really happened, and what queue would have made of it. */
async function takePast(editor, name) {
    await editor.page.waitForTimeout(PAST_MS);
    const dialog = await editor.edit("quick");
    await dialog.picture.says("ticks");
    await dialog.picture.past.and(editor.page.locator(":enabled")).click();
    await dialog.choose("overlapPolicy", "Queue");
    await dialog.picture.says("With queue you would have had");
    await dialog.picture.panel.screenshot({ path: file(name) });
    await dialog.cancel();
}

/** The part of the page that scrolls what is longer than it. */
function scrolledBy(locator) {
    return locator.evaluateHandle((element) => {
        const { getComputedStyle } = element.ownerDocument.defaultView;
        const scrolls = (part) => ["auto", "scroll"].includes(getComputedStyle(part).overflowY);
        let part = element.parentElement;
        while (!(scrolls(part) && part.scrollHeight > part.clientHeight)) part = part.parentElement;
        return part;
    });
}

/** The dialogs of the other nodes, and the help of the trigger. */
async function takeOthers(editor, name) {
    if (name.startsWith("5")) await editor.togglePane("debug");
    const tray = editor.page.locator(".red-ui-tray").last();
    const trigger = await editor.edit("next");
    await trigger.help("Starts a run of the flow on a schedule");
    await (await scrolledBy(editor.page.locator(".red-ui-help:visible").first())).screenshot({ path: file(`help-${name}`) });
    await trigger.more();
    const bridge = await trigger.addBridge();
    await bridge.type("name", "the press");
    await tray.screenshot({ path: file(`dialog-bridge-${name}`) });
    await editor.page.locator("#node-config-dialog-cancel").click();
    await trigger.cancel();
    for (const id of ["finish", "guard"]) {
        const dialog = await editor.edit(id);
        await tray.screenshot({ path: file(`dialog-${id}-${name}`) });
        await dialog.cancel();
    }
}

/** The list of schedules, and one of them opened. */
async function takeSidebar(editor, house, name) {
    const schedules = new Schedules(editor);
    await live(house);
    await schedules.show();
    if (name.startsWith("5")) await editor.togglePane("debug");
    await schedules.untilRow("classify images", "running, skipped 2");
    await schedules.untilRow("sync issues per repository", "on hold, place 1");
    await schedules.untilRow("mail digest", "paused since");
    await editor.page.mouse.move(SIDEBAR_SIZE.width / 2, SIDEBAR_SIZE.height / 2);
    await schedules.root.screenshot({ path: file(`schedules-${name}`) });
    await schedules.open("classify images");
    await schedules.details.locator(".st-picture").focus();
    await editor.page.keyboard.press("ArrowLeft");
    await schedules.root.screenshot({ path: file(`schedule-${name}`) });
    await schedules.back();
    await schedules.open("sync issues per repository");
    await editor.page.mouse.move(SIDEBAR_SIZE.width / 2, SIDEBAR_SIZE.height / 2);
    await schedules.root.screenshot({ path: file(`schedule-keys-${name}`) });
}

/** The README's picture: the three examples, a moment after the first skip, with what they say. */
async function takeExamples(editor) {
    await editor.filterPalette("schedule");
    await editor.showDebug();
    for (const pane of ["info", "explorer"]) await editor.togglePane(pane);
    await editor.untilStatus("skip-trigger", { text: "running, skipped 2" });
    await editor.untilStatus("queue-trigger", { text: "queued, running 1" });
    await editor.untilStatus("allow-two-trigger", { text: "running 2/2" });
    await editor.expandDebugMessages(/Skipped|Queued|Merged/);
    await editor.page.mouse.move(README_SIZE.width / 2, README_SIZE.height - 40);
    await editor.page.screenshot({ path: file("running") });
}

const nameOf = ({ version, isDark }) => `${version}${isDark ? "-dark" : ""}`;

/** The pictures in sets, each by a name that can be given to take it alone. */
const SETS = {
    dialog: async () => {
        for (const wanted of EDITORS) {
            const name = nameOf(wanted);
            await inEditor(wanted, busyFlow(), SIZE, async (editor) => {
                await takeCanvas(editor, `canvas-${name}`);
                await takeDialog(editor, `dialog-${name}`);
                if (wanted.version === 5) await takePolicies(editor, wanted.isDark ? "-dark" : "");
                await takePast(editor, `what-happened-${name}`);
            });
        }
    },
    others: async () => {
        for (const wanted of EDITORS) {
            await inEditor(wanted, flowOfEveryNode(), SIDEBAR_SIZE, (editor) => takeOthers(editor, nameOf(wanted)));
        }
    },
    sidebar: async () => {
        for (const wanted of EDITORS) {
            await inEditor(wanted, schedulesFlow(), SIDEBAR_SIZE, (editor, house) => takeSidebar(editor, house, nameOf(wanted)));
        }
    },
    examples: () => inEditor({ version: 5 }, examplesOnOneTab(), README_SIZE, takeExamples),
};

async function takeAll() {
    const wanted = process.argv.slice(2);
    setup({ dev: true });
    mkdirSync(FOLDER, { recursive: true });
    for (const name of wanted.length ? wanted : Object.keys(SETS)) await SETS[name]();
}

await sayWhatFailed(takeAll);
