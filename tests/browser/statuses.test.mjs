/** What a trigger's node shows on the canvas, and what its button does. */
import assert from "node:assert/strict";
import { finish, tab, trigger, work } from "../e2e/support/nodes.mjs";
import { onBoth } from "./support/both.mjs";

const LONG = 600;
const AWAY = { fill: "red", shape: "ring", text: "bridge away" };
const AT_REST = { fill: "blue", shape: "ring", text: /^next (\w+ )?\d\d:\d\d/ };

let rows = 0;
const inRow = (id, settings) => trigger(id, "tab", { x: 200, y: 80 * ++rows, ...settings });
const startedByHand = (id, settings) => inRow(id, { scheduleKind: "none", wires: [["work"], []], ...settings });

const FLOW = [
    tab("tab"),
    inRow("resting", { every: 2, everyUnit: "hours" }),
    startedByHand("skipping", { overlapPolicy: "skip" }),
    startedByHand("queueing", { overlapPolicy: "queue" }),
    startedByHand("allowing", { overlapPolicy: "allow", maxConcurrent: 2 }),
    inRow("mistaken", { scheduleKind: "cron", cron: "*/10 25 * * *" }),
    inRow("odd", { every: 2, everyUnit: "hours", overlapPolicy: "whenever" }),
    { ...work("work", "tab", LONG, ["finish"]), x: 420 },
    { ...finish("finish", "tab"), x: 620 },
];

async function showsWhenItRunsNext({ editor }) {
    await editor.untilStatus("resting", AT_REST);
}

async function saysWhatIsWrong({ editor }) {
    await editor.untilStatus("mistaken", { fill: "red", shape: "dot", text: "bad cron expression" });
    await editor.untilStatus("odd", { fill: "yellow", shape: "dot", text: "unknown policy" });
}

async function countsSkips({ editor }) {
    await editor.press("skipping");
    await editor.untilStatus("skipping", { fill: "blue", shape: "dot", text: "running 1" });
    await editor.press("skipping");
    await editor.notification("Skipped: run");
    await editor.untilStatus("skipping", { fill: "blue", shape: "dot", text: "running, skipped 1" });
}

async function showsWhatWaits({ editor }) {
    await editor.press("queueing");
    await editor.untilStatus("queueing", { fill: "blue", shape: "dot", text: "running 1" });
    await editor.press("queueing");
    await editor.notification("Queued: run");
    await editor.untilStatus("queueing", { fill: "yellow", shape: "ring", text: "queued, running 1" });
}

async function showsHowManyOfHowMany({ editor }) {
    await editor.press("allowing");
    await editor.untilStatus("allowing", { fill: "blue", shape: "dot", text: "running 1/2" });
    await editor.press("allowing");
    await editor.untilStatus("allowing", { fill: "blue", shape: "dot", text: "running 2/2" });
}

async function fitsTheCanvas({ editor }) {
    const texts = await editor.page.locator(".red-ui-flow-node-status-label:visible").allTextContents();
    for (const text of texts) assert.ok(text.length <= 20, text);
    editor.troubles.assertNone();
}

async function tellsThatTheBridgeIsAway({ house, editor }) {
    await house.bridge.kill("SIGKILL");
    for (const id of ["resting", "skipping", "queueing", "allowing"]) await editor.untilStatus(id, AWAY);
    await editor.press("resting");
    await editor.notification("Not run:");
    await house.startBridge();
    await editor.untilStatus("resting", AT_REST);
    await editor.untilStatus("queueing", { fill: "yellow", shape: "ring", text: "queued, running 1" });
    await editor.untilStatus("allowing", { fill: "blue", shape: "dot", text: "running 2/2" });
}

onBoth("a trigger on the canvas", FLOW, {
    "shows when it runs next": showsWhenItRunsNext,
    "says what is wrong with it": saysWhatIsWrong,
    "counts what its button could not start": countsSkips,
    "shows what waits": showsWhatWaits,
    "shows how many of how many run": showsHowManyOfHowMany,
    "fits its words below the node": fitsTheCanvas,
    "tells that the bridge is away, and recovers": tellsThatTheBridgeIsAway,
});
