/**
 * What the tracking of runs costs a message at each node of a flow, on real Node-RED 4 or 5:
 * `node hops.mjs VERSION [bytes]`.
 *
 * One flow of ten nodes; the same messages go through it without our hooks, with them but without a run, and as messages
 * of a run. Printed is the processor time of a quick one of many rounds, which others on the machine did not disturb, in
 * microseconds a hop. With `bytes` it is what a hop leaves for the garbage collector, which has to be kept from running
 * meanwhile: `--expose-gc --min-semi-space-size=64 --max-semi-space-size=64`.
 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { nodeFor } from "../../scripts/node-reds.mjs";
import { root } from "../../scripts/setup.mjs";

const require = createRequire(import.meta.url);
const NODES = 10;
const [version, meter = "microseconds"] = process.argv.slice(2);
const MESSAGES = meter === "bytes" ? 200 : 2_000;
const ROUNDS = 25;

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

/** Many rounds in one way, the first ones for the compiler: what an undisturbed one costs. */
async function rounds(act) {
    const costs = [];
    for (let number = 0; number < 2 * ROUNDS; number += 1) costs.push(await act());
    return costs.slice(ROUNDS).toSorted((a, b) => a - b)[Math.floor(ROUNDS / 10)];
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

/** The three ways, side by side. */
async function threeWays(RED, tracking) {
    const bare = await rounds(() => round(RED, {}));
    tracking.watch(true);
    const without = await rounds(() => round(RED, {}));
    const within = await rounds(() => roundOfRun(RED, tracking));
    tracking.watch(false);
    return { bare, "without a run": without - bare, "of a run": within - bare };
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
