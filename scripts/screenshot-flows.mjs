/** The flows that the pictures show. */
import { example } from "./examples.mjs";

const TAB = { id: "tab", type: "tab", label: "Schedules" };
const HEADLINE = "output 1: a run starts here. output 2: everything else, with its reason";
const EXAMPLE_HEIGHT = 220;
/** The nodes of an example that end a run that fails. */
const FAILURE = /-(catch|failed|broken)$/;

/** All that a delay of an hour needs to be properly configured. */
const HOUR = {
    ...{ pauseType: "delay", timeout: "1", timeoutUnits: "hours", outputs: 1, drop: false, allowrate: false },
    ...{ rate: "1", nbRateUnits: "1", rateUnits: "second", randomFirst: "1", randomLast: "5", randomUnits: "seconds" },
};

const node = (id, type, x, y, settings) => ({ id, type, z: TAB.id, x, y, wires: [], ...settings });

const trigger = (id, x, y, settings) =>
    node(id, "schedule-trigger", x, y, {
        name: "every 10 min",
        scheduleKind: "interval",
        every: 10,
        everyUnit: "minutes",
        // Its runs lead nowhere, and would be over at once.
        endsOnSilence: false,
        wires: [[], []],
        ...settings,
    });

/** A flow that runs, and below it a trigger for each status. */
export function busyFlow() {
    return [
        TAB,
        node("headline", "comment", 310, 40, { name: HEADLINE }),
        trigger("running", 150, 120, { name: "classify images", wires: [["classify"], ["else"]] }),
        node("classify", "delay", 370, 100, { name: "classify", ...HOUR, wires: [["finish"]] }),
        node("finish", "schedule-finish", 590, 100),
        node("else", "debug", 370, 160, { name: "why not", active: true }),
        trigger("next", 150, 240, { endsOnSilence: true }),
        trigger("skipping", 370, 240),
        trigger("queueing", 590, 240, { overlapPolicy: "queue" }),
        trigger("allowing", 150, 330, { overlapPolicy: "allow", maxConcurrent: 2 }),
        trigger("away", 370, 330, { bridge: "far-bridge" }),
        trigger("mistaken", 590, 330, { scheduleKind: "cron", cron: "*/10 25 * * *" }),
        trigger("odd", 150, 420, { overlapPolicy: "whenever" }),
        trigger("resting", 370, 420, { name: "at night", scheduleKind: "cron", cron: "30 2 * * *" }),
        trigger("quick", 150, 510, { name: "ping", every: 2, everyUnit: "seconds", endsOnSilence: true, wires: [["five"], []] }),
        node("five", "delay", 370, 490, { ...HOUR, name: "work", timeout: "5", timeoutUnits: "seconds", wires: [[]] }),
        { id: "far-bridge", type: "schedule-bridge", name: "far away", mode: "url", url: "http://127.0.0.1:9", workspaceId: "default" },
    ];
}

/** The same, with a node of each kind. */
export function flowOfEveryNode() {
    return [...busyFlow(), node("guard", "schedule-guard", 590, 160)];
}

/** The examples below each other, without what ends a run that fails. */
export function examplesOnOneTab() {
    const names = ["skip", "queue", "allow two"];
    const shown = ({ id, type }) => type !== "tab" && type !== "group" && !FAILURE.test(id);
    const place = (index) => ({ g: _group, ...each }) => ({ ...each, z: TAB.id, y: each.y - 60 + index * EXAMPLE_HEIGHT });
    return [TAB, ...names.flatMap((name, index) => example(name).filter(shown).map(place(index)))];
}
