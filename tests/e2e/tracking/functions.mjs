/** Function nodes, errors, and the nodes that hear of what others do. */
import { AT_DEADLINE, FINISH_ONLY, LATE_MS, row } from "./row.mjs";

const LATER = `setTimeout(() => node.send(msg), ${LATE_MS});`;
const LATER_DONE = "setTimeout(() => { node.send(msg); node.done(); }, 400);";
const SLEEP = "await new Promise((resolve) => setTimeout(resolve, 400));";

const returning = [
    row("Trigger wired to nothing", { end: "completed" }, () => []),
    row("Wire to a disabled node", { end: "completed" }, (n) => [n.node("off", "debug", { d: true })]),
    row("Function: returns the message", { end: "completed", seen: 1 }, (n) => [n.work("return msg;", "sink")]),
    row("Function: returns nothing", { end: "completed" }, (n) => [n.work("return null;", "sink")]),
    row("Function: returns a new object", { end: "completed", seen: 1 }, (n) => [
        n.work("return { payload: 1 };", "pause"),
        n.delay("pause", 0.3, "sink"),
    ]),
    row("Function: fan-out to three", { end: "completed", seen: 3 }, (n) => [
        n.work("return msg;", ["pause", "pause2", "sink"]),
        n.delay("pause", 0.2, "sink"),
        n.delay("pause2", 0.4, "sink"),
    ]),
    row("Function: async, awaits", { end: "completed", seen: 1 }, (n) => [n.work(`${SLEEP} return msg;`, "sink")]),
    row("Function: sends late, node.done()", { end: "completed", seen: 1 }, (n) => [n.work(LATER_DONE, "sink")]),
    row("Function: sends late, no node.done()", { end: "completed", late: "work" }, (n) => [n.work(LATER, "sink")]),
    row(
        "Function: sends late, no node.done(), finish only",
        { end: "completed", seen: 1 },
        (n) => [n.work(LATER, "sink"), n.sink("seen", "finish"), n.finish()],
        FINISH_ONLY,
    ),
    row(
        "Function: never says done",
        { end: "expired", seen: 1, because: "deadline" },
        (n) => [n.work("node.send(msg); if (!msg) node.done();", "sink")],
        AT_DEADLINE,
    ),
    row(
        "Function: returns the message, finish only, no finish node",
        { end: "expired", seen: 1, because: "deadline" },
        (n) => [n.work("return msg;", "sink")],
        { ...FINISH_ONLY, ...AT_DEADLINE },
    ),
];

const failing = [
    row("Function: throws", { end: "failed", because: "boom" }, (n) => [n.work('throw new Error("boom");', "sink")]),
    row("Function: node.error(e, msg)", { end: "failed", because: "boom" }, (n) => [n.work('node.error("boom", msg);', "sink")]),
    row("Function: node.error(e, msg), goes on", { end: "failed", because: "boom", seen: 1 }, (n) => [
        n.work(`node.error("boom", msg); ${LATER_DONE}`, "sink"),
    ]),
    row("Function: async, throws", { end: "failed", because: "boom" }, (n) => [
        n.work(`${SLEEP} throw new Error("boom");`, "sink"),
    ]),
    row("JSON: cannot be read", { end: "failed", because: "JSON" }, (n) => [
        n.set("set", [["payload", "{", "str"]], "parse"),
        n.node("parse", "json", { property: "payload", action: "" }, "sink"),
    ]),
    row("Catch: handles an error, the flow goes on", { end: "completed", seen: 1 }, (n) => [
        n.work('throw new Error("boom");', []),
        n.caught("pause"),
        n.delay("pause", 0.3, "sink"),
    ]),
    row("Catch: handles node.error(e, msg)", { end: "completed", seen: 1 }, (n) => [
        n.work('node.error("boom", msg);', []),
        n.caught("sink"),
    ]),
    row("Catch: wired to a finish node", { end: "failed", because: "boom" }, (n) => [
        n.work('throw new Error("boom");', []),
        n.caught("finish"),
        n.finish(),
    ]),
    row("Catch: one branch fails, the other goes on", { end: "completed", seen: 2 }, (n) => [
        n.fn("fork", "return msg;", ["work", "pause"]),
        n.work('throw new Error("boom");', []),
        n.caught("sink"),
        n.delay("pause", 0.5, "sink"),
    ]),
];

const hearing = [
    row("Complete: starts more work", { end: "completed", seen: 1 }, (n) => [
        n.work("return null;", []),
        n.node("complete", "complete", { scope: [n.id("work")], uncaught: false }, "pause"),
        n.delay("pause", 0.3, "sink"),
    ]),
    row("Status: starts more work", { end: "completed", seen: 1 }, (n) => [
        n.work('node.status({ text: "busy" }); return null;', []),
        n.node("status", "status", { scope: [n.id("work")] }, "pause"),
        n.delay("pause", 0.3, "sink"),
    ]),
    row("Status: shown after the end", { end: "completed" }, (n) => [
        n.work(`setTimeout(() => node.status({ text: "idle" }), ${LATE_MS});`, []),
        n.node("status", "status", { scope: [n.id("work")] }, []),
    ]),
    row("A trigger behind a trigger", { end: "completed" }, (n) => [
        n.node("next", "schedule-trigger", { scheduleKind: "none" }, "pause", []),
        n.delay("pause", 0.5, "sink"),
    ]),
];

export const functions = [...returning, ...failing, ...hearing];
