/**
 * What the tracking of runs costs a message at each node of a flow, on real Node-RED 4 or 5:
 * `node hops.mjs VERSION [bytes]`.
 *
 * One flow of ten nodes; the same messages go through it without our hooks, with them but without a run, and as messages
 * of a run. The three take turns in many short rounds, so that a message without a run comes to nodes that have had those
 * of runs, as in a flow that something else feeds as well. Printed is the processor time of a quick round, which others on
 * the machine did not disturb, in microseconds a hop, and how far the median one is from it. With `bytes` it is what a hop
 * leaves for the garbage collector, which has to be kept from running meanwhile:
 * `--expose-gc --min-semi-space-size=64 --max-semi-space-size=64`.
 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { nodeFor } from "../../scripts/node-reds.mjs";
import { root } from "../../scripts/setup.mjs";

const require = createRequire(import.meta.url);
const NODES = 10;
const [version, meter = "microseconds"] = process.argv.slice(2);
const MESSAGES = 200;
const ROUNDS = meter === "bytes" ? 25 : 400;
/** Rounds that the compiler gets before any is counted. */
const FIRST_ROUNDS = ROUNDS / 2;

/** Begins to measure; what it gives says how much was spent since. */
const METERS = {
    microseconds: () => {
        const started = process.cpuUsage();
        return () => {
            const { user, system } = process.cpuUsage(started);
            return user + system;
        };
    },
    bytes: () => {
        globalThis.gc();
        const before = process.memoryUsage().heapUsed;
        return () => process.memoryUsage().heapUsed - before;
    },
};

const id = (number) => `n${number}`;
const FLOW = [
    { id: "tab", type: "tab" },
    ...Array.from({ length: NODES }, (_, number) => ({ id: id(number), type: "junction", z: "tab", wires: [[id(number + 1)]] })),
    { id: id(NODES), type: "junction", z: "tab", wires: [[]] },
];
const RUN = { executionId: "run", triggerId: "trigger" };

/** Sends messages through the flow; resolved when the last one has come out, with what a hop has cost. */
function round(RED, message) {
    const [first, last] = [id(0), id(NODES)].map((each) => RED.nodes.getNode(each));
    let missing = MESSAGES;
    return new Promise((resolve) => {
        const spent = METERS[meter]();
        last.removeAllListeners("input");
        last.on("input", (_message, _send, done) => {
            done();
            missing -= 1;
            if (missing > 0) return;
            resolve(spent() / MESSAGES / (NODES + 1));
        });
        for (let number = 0; number < MESSAGES; number += 1) first.receive({ payload: number, ...message });
    });
}

/** A round of messages of a run. */
async function roundOfRun(RED, tracking) {
    let sent;
    const trigger = { endsOnSilence: false, node: { id: "trigger", type: "schedule-trigger" } };
    tracking.begin(RUN, trigger, () => (sent = round(RED, { run: RUN })));
    const cost = await sent;
    tracking.end(RUN.executionId);
    return cost;
}

/** A round with our hooks in place. */
async function hooked(tracking, act) {
    tracking.watch(true);
    const cost = await act();
    tracking.watch(false);
    return cost;
}

/** So many rounds in each way, taking turns. */
async function takeTurns(ways) {
    const costs = ways.map(() => []);
    for (let number = 0; number < FIRST_ROUNDS + ROUNDS; number += 1) {
        for (const [place, act] of ways.entries()) costs[place].push(await act());
    }
    return costs.map((each) => each.slice(FIRST_ROUNDS).toSorted((a, b) => a - b));
}

/** What a quick round and the median one have cost in each way; with hooks beyond what it costs without. */
async function threeWays(RED, tracking) {
    const [bare, without, within] = await takeTurns([
        () => round(RED, {}),
        () => hooked(tracking, () => round(RED, {})),
        () => hooked(tracking, () => roundOfRun(RED, tracking)),
    ]);
    const [quick, median] = [0.1, 0.5].map((share) => (costs) => costs[Math.floor(share * costs.length)]);
    return {
        ...{ bare: quick(bare), "bare, median": median(bare) },
        ...{ "without a run": quick(without) - quick(bare), "without a run, median": median(without) - median(bare) },
        ...{ "of a run": quick(within) - quick(bare), "of a run, median": median(within) - median(bare) },
    };
}

async function measure() {
    const { NodeRed } = require(path.join(root, "tests/node-red/support/node-red.js"));
    const { Tracking } = require(path.join(root, "node-red/lib/tracking/tracking.js"));
    const node = await new NodeRed().start(`node-red-${version}`);
    node.RED.hooks.remove("onReceive.test");
    await node.deploy(FLOW);
    const nobody = { onSilence() {}, onLate() {}, onFault: (error) => console.error(error) };
    const tracking = new Tracking({ hooks: node.RED.hooks, log: node.RED.log }, nobody);
    const measured = await threeWays(node.RED, tracking);
    await node.stop();
    return measured;
}

const fitting = nodeFor(Number(version));
if (process.execPath !== fitting) {
    process.exit(spawnSync(fitting, [...process.execArgv, ...process.argv.slice(1)], { stdio: "inherit" }).status ?? 1);
}
console.log(JSON.stringify(await measure()));
process.exit();
