/** `npm start`: sets up, starts a bridge and Node-RED with the example flows, and says where to look. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { allExamples } from "./examples.mjs";
import { fittingVersion } from "./node-reds.mjs";
import { freePort, makeUserDir, startBridge, startNodeRed } from "./processes.mjs";
import { root, sayWhatFailed, setup } from "./setup.mjs";

const BRIDGE_PORT = 8765;
const EDITOR_PORT = 1880;

/** One line of the bridge's log, as a person reads it. */
function shownLine(line) {
    try {
        const { time, level, message } = JSON.parse(line);
        return `${time.slice(11, 19)} bridge ${level === "info" ? "" : `${level}: `}${message}`;
    } catch {
        return line;
    }
}

async function start() {
    setup();
    const folder = path.join(root, ".run");
    const version = fittingVersion();
    const userDir = path.join(folder, `node-red-${version}`);
    mkdirSync(userDir, { recursive: true });
    makeUserDir(userDir, allExamples());

    const children = [];
    let stopping;
    const stop = () => {
        stopping ??= (async () => {
            for (const child of children.reverse()) await child.stop();
        })();
        return stopping;
    };
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, stop);

    try {
        const bridge = await startBridge({
            folder: path.join(folder, "bridge"),
            port: await freePort(BRIDGE_PORT),
            onLine: (line) => console.log(shownLine(line)),
        });
        children.push(bridge);
        const nodeRed = await startNodeRed({
            version,
            userDir,
            port: await freePort(Number(process.env.PORT) || EDITOR_PORT),
            bridge,
            onLine: (line) => console.log(line),
        });
        children.push(nodeRed);
        console.log(`\n    The editor: ${nodeRed.url}\n    The bridge: ${bridge.url}\n    Ctrl-C stops both.\n`);
        await Promise.race(children.map((child) => child.ended));
        if (!stopping) process.exitCode = 1;
    } finally {
        await stop();
    }
}

await sayWhatFailed(start);
