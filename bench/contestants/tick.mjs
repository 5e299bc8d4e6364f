/**
 * How late the first node of a flow gets its message, from a core Inject node and from a schedule-trigger of the same
 * interval, in one Node-RED and by one clock: `node tick.mjs SECONDS ECHO_PORT`.
 *
 * Inject's interval is due so long after its last turn began, half a second beside the schedule's tick, which is due at
 * a whole second: its text is cut to milliseconds. Printed are medians in microseconds, and that of a round trip over a
 * WebSocket that only echoes, asked as rarely: what is done once a second finds a machine that has gone to rest.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import WebSocket from "ws";
import { freePort, startBridge } from "../../scripts/processes.mjs";
import { root } from "../../scripts/setup.mjs";

const require = createRequire(import.meta.url);
const { NodeRed } = require("../../tests/node-red/support/node-red.js");

const INTERVAL_SECONDS = 1;
const INJECT_AT_MS = 500;
const ROUND_TRIP_AT_MS = 250;
const FRAME = Buffer.alloc(300);
const FLOW = [
    { id: "tab", type: "tab" },
    { id: "inject", type: "inject", z: "tab", repeat: String(INTERVAL_SECONDS), props: [{ p: "payload" }], wires: [["injected"]] },
    { id: "injected", type: "junction", z: "tab", wires: [[]] },
    { id: "trigger", type: "schedule-trigger", z: "tab", scheduleKind: "cron", cron: "* * * * * *", wires: [["ticked"], []] },
    { id: "ticked", type: "junction", z: "tab", wires: [[]] },
];

/** Milliseconds of the epoch, finer than Date.now(): the clock that does not jump, set by the one that does. */
function makeClock() {
    const began = Date.now();
    let wall = began;
    while (wall === began) wall = Date.now(); // the moment when it turns is known exactly
    const offset = wall - performance.now();
    return () => offset + performance.now();
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const inMicroseconds = (milliseconds) => milliseconds * 1000;

/** Has Node.js say when each turn of an interval of this length was due; Inject keeps its timer to itself. */
function watchIntervals(now) {
    const turns = { due: undefined };
    const real = globalThis.setInterval;
    globalThis.setInterval = (act, delay, ...rest) => {
        if (delay !== INTERVAL_SECONDS * 1000) return real(act, delay, ...rest);
        let due = now() + delay;
        return real(
            (...args) => {
                turns.due = due;
                due = now() + delay;
                act(...args);
            },
            delay,
            ...rest,
        );
    };
    return turns;
}

/** Waits until the wall clock is so many milliseconds into another second or the rest of this one. */
function comingToBe(millisecond) {
    const left = (millisecond - (Date.now() % 1000) + 1000) % 1000 || 1000;
    return new Promise((resolve) => setTimeout(resolve, left));
}

/** The lags of both nodes and of a WebSocket's round trips, in milliseconds, until so much time has passed. */
async function lags(node, seconds, echoPort) {
    const now = makeClock();
    const turns = watchIntervals(now);
    const late = { injected: [], ticked: [] };
    node.RED.hooks.add("onReceive.bench", ({ msg, destination }) => {
        if (destination.id === "injected") late.injected.push(now() - turns.due);
        if (destination.id === "ticked") late.ticked.push(now() - Date.parse(msg.run.scheduledAt));
    });
    await comingToBe(INJECT_AT_MS);
    await node.deploy(FLOW);
    late.roundTrips = await roundTrips(echoPort, seconds);
    node.RED.hooks.remove("onReceive.bench");
    return late;
}

/** How long round trips took, one a second, in milliseconds. */
async function roundTrips(port, number) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`);
    await new Promise((resolve) => socket.once("open", resolve));
    const took = [];
    for (let done = 0; done < number; done += 1) {
        await comingToBe(ROUND_TRIP_AT_MS);
        const began = performance.now();
        socket.send(FRAME);
        await new Promise((resolve) => socket.once("message", resolve));
        took.push(performance.now() - began);
    }
    socket.close();
    return took;
}

const [seconds, echoPort] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(path.join(root, ".bench", "work-"));
const bridge = await startBridge({ folder, port: await freePort() });
try {
    Object.assign(process.env, { SCHEDULE_BRIDGE_URL: bridge.url, SCHEDULE_BRIDGE_TOKEN_FILE: bridge.tokenFile });
    const node = await new NodeRed().start("node-red-4");
    node.RED.hooks.remove("onReceive.test");
    const late = await lags(node, seconds, echoPort);
    await node.deploy([]);
    await node.stop();
    const told = [late.injected, late.ticked, late.roundTrips].map((each) => inMicroseconds(median(each)));
    const [inject, trigger, roundTrip] = told;
    console.log(JSON.stringify({ inject, trigger, roundTrip }));
} finally {
    await bridge.stop();
    rmSync(folder, { recursive: true, force: true });
}
process.exit();
