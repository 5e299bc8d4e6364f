/**
 * What a bridge and a Node-RED with so many triggers do while nothing is due, beside a Node-RED without our nodes:
 * `node idle.mjs SECONDS TRIGGERS`, on Linux. Printed are wake-ups and milliseconds of processor time a second.
 */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fillUserDir, freePort, makeUserDir, startBridge, startNodeRed } from "../../scripts/processes.mjs";
import { root } from "../../scripts/setup.mjs";

/** Node.js itself tidies its memory for most of a minute after a start, and then rests. */
const SETTLES_MS = 60_000;
const VERSION = 4;

function flows(triggers) {
    const tab = { id: "tab", type: "tab", label: "idle" };
    return [tab, ...Array.from({ length: triggers }, (_, number) => trigger(number))];
}

function trigger(number) {
    return {
        ...{ id: `t${number}`, type: "schedule-trigger", z: "tab", x: 100, y: 100, wires: [[], []] },
        ...{ every: "30", everyUnit: "days" },
    };
}

/** Of all threads of a process: how often they went to sleep, and the processor time that they took, in ms. */
function spent(pid) {
    const tasks = readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`);
    const sum = (values) => values.reduce((total, value) => total + value, 0);
    return {
        wakeUps: sum(tasks.map((task) => Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`${task}/status`, "utf8"))[1]))),
        processor: sum(tasks.map((task) => Number(readFileSync(`${task}/schedstat`, "utf8").split(" ")[0]) / 1e6)),
    };
}

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** What each process spends a second, all of them over the same time. */
async function measure(children, seconds) {
    const before = children.map((child) => spent(child.process.pid));
    await wait(seconds * 1000);
    return children.map((child, place) => {
        const after = spent(child.process.pid);
        const each = (name) => (after[name] - before[place][name]) / seconds;
        return { wakeUps: each("wakeUps"), processor: each("processor") };
    });
}

const [seconds, triggers] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(path.join(root, ".bench", "work-"));
const children = [];
const keep = async (starting) => children.push(await starting);
try {
    const [ours, bare] = ["ours", "bare"].map((name) => path.join(folder, name));
    mkdirSync(bare, { recursive: true });
    makeUserDir(ours, flows(triggers));
    fillUserDir(bare, flows(0));
    await keep(startBridge({ folder: path.join(folder, "bridge"), port: await freePort() }));
    await keep(startNodeRed({ version: VERSION, userDir: ours, port: await freePort(), bridge: children[0] }));
    await keep(startNodeRed({ version: VERSION, userDir: bare, port: await freePort() }));
    await wait(SETTLES_MS);
    const [bridge, nodes, idle] = await measure(children, seconds);
    console.log(
        JSON.stringify({
            ...{ "bridge wake-ups": bridge.wakeUps, "nodes wake-ups": nodes.wakeUps, "idle wake-ups": idle.wakeUps },
            ...{ "bridge processor": bridge.processor, "nodes processor": nodes.processor, "idle processor": idle.processor },
        }),
    );
} finally {
    for (const child of children.reverse()) await child.stop();
    rmSync(folder, { recursive: true, force: true });
}
