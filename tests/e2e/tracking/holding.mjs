/** Nodes that keep messages: Delay, Trigger, Split and Join, Batch, Sort. */
import { AT_DEADLINE, FINISH_ONLY, LATE_MS, row } from "./row.mjs";

const THREE = "msg.payload = [3, 1, 2]; return msg;";
const HELD = { end: "expired", because: "deadline" };

const delaying = [
    row("Delay: fixed", { end: "completed", seen: 1 }, (n) => [n.delay("pause", 0.5, "sink")]),
    row("Delay: rate limited", { end: "completed", seen: 3 }, (n) => [
        n.work(THREE, "split"),
        n.split("split", "rate"),
        n.rate("rate", "sink"),
    ]),
    row("Delay: rate limited, drops", { end: "completed", seen: 1 }, (n) => [
        n.work(THREE, "split"),
        n.split("split", "rate"),
        { ...n.rate("rate", "sink"), drop: true },
    ]),
    row("Delay: reset", { end: "completed" }, (n) => [
        n.fn("fork", "return msg;", ["pause", "wait"]),
        n.delay("wait", 0.3, "reset"),
        n.set("reset", [["reset", "true", "bool"]], "pause"),
        n.delay("pause", 60, "sink"),
    ]),
    row("Delay: flushed", { end: "completed", seen: 2 }, (n) => [
        n.fn("fork", "return msg;", ["pause", "wait"]),
        n.delay("wait", 0.3, "flush"),
        n.set("flush", [["flush", "true", "bool"]], "pause"),
        n.delay("pause", 60, "sink"),
    ]),
    row(
        "Delay: rate limited, reset",
        { ...HELD, seen: 1 },
        (n) => [
            n.work(`${THREE.replace("return", "return [msg, { reset: true }];")}`, "split", "wait"),
            n.split("split", "rate"),
            n.rate("rate", "sink"),
            n.node("wait", "junction", {}, "rate"),
        ],
        AT_DEADLINE,
    ),
];

const NUMBERS = { op1: "1", op1type: "num", op2: "2", op2type: "num" };
const triggering = (n) => n.node("second", "trigger", { ...NUMBERS, duration: String(LATE_MS), units: "ms" }, "sink");

const repeating = [
    row("Trigger: its second message", { end: "completed", seen: 1, late: "second" }, (n) => [triggering(n)]),
    row(
        "Trigger: its second message, finish only",
        { end: "completed", seen: 2 },
        (n) => [
            triggering(n),
            n.fn("sink", "msg.at = Date.now(); return [msg, msg.payload === 1 ? null : msg];", "seen", "finish"),
            n.finish(),
        ],
        FINISH_ONLY,
    ),
];

const gathering = [
    row("Split, Join: complete", { end: "completed", seen: 1 }, (n) => [
        n.work(THREE, "split"),
        n.split("split", "rate"),
        n.rate("rate", "join"),
        n.join("join", "sink"),
    ]),
    row("Split, Sort, Join", { end: "completed", seen: 1 }, (n) => [
        n.work(THREE, "split"),
        n.split("split", "sort"),
        n.node("sort", "sort", { order: "ascending", as_num: false, target: "", targetType: "seq", msgKey: "payload", msgKeyType: "elem" }, "join"),
        n.join("join", "sink"),
    ]),
    row("Join: its time-out", { end: "completed", seen: 1 }, (n) => [
        n.work(THREE, "split"),
        n.split("split", "join"),
        n.join("join", "sink", { mode: "custom", build: "array", count: "5", timeout: "0.4", useparts: false }),
    ]),
    row(
        "Join: incomplete",
        HELD,
        (n) => [
            n.work(THREE, "split"),
            n.split("split", "join"),
            n.join("join", "sink", { mode: "custom", build: "array", count: "500", timeout: "", useparts: false }),
        ],
        AT_DEADLINE,
    ),
    row("Batch: complete", { end: "completed", seen: 4 }, (n) => [
        n.work("return [[{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]];", "batch"),
        n.node("batch", "batch", { mode: "count", count: 2, overlap: 0 }, "sink"),
    ]),
    row(
        "Batch: incomplete",
        HELD,
        (n) => [n.work("return msg;", "batch"), n.node("batch", "batch", { mode: "count", count: 500, overlap: 0 }, "sink")],
        AT_DEADLINE,
    ),
];

export const holding = [...delaying, ...repeating, ...gathering];
