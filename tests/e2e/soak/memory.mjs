/** How much memory a house takes over its life. */
import { execFileSync } from "node:child_process";
import { Inspector } from "../support/inspector.mjs";

/** When everything has been used, and when the bridge, restarted until half time, has been so: parts of the time. */
const WARM = { nodeRed: 0.1, bridge: 0.6 };
const MB = 2 ** 20;
/** What may come on top after that: caches that are bounded, but not yet full. */
const MOST_GROWTH = { nodeRed: 6 * MB, bridge: 6 * MB };

/** Bytes of memory that a process holds. */
const residentOf = ({ pid }) => 1024 * Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }));

/** As people read it. */
export const megabytes = (bytes) => (bytes / MB).toFixed(1);

/** Bytes of Node-RED's heap that are in use after a collection, and of the bridge's process. */
export async function look({ nodeRed, bridge }) {
    const heap = await Inspector.look(nodeRed, (inspector) => inspector.heap());
    return { nodeRed: heap, bridge: residentOf(bridge.process) };
}

function between(memory, part) {
    const warm = memory.find(({ time }) => time >= WARM[part]) ?? memory.at(-1);
    return { warm: warm[part], end: memory.at(-1)[part] };
}

/** Bytes of heap that Node-RED used when warm and at the end. */
export const nodeRedMemory = ({ memory }) => between(memory, "nodeRed");
/** Bytes of memory that the bridge held when warm and at the end. */
export const bridgeMemory = ({ memory }) => between(memory, "bridge");

/** What grew by more than its bound in a life that was long enough to tell: sentences. */
export function growths({ memory, isLong }) {
    const grown = Object.keys(WARM).filter((part) => {
        const { warm, end } = between(memory, part);
        return isLong && end - warm > MOST_GROWTH[part];
    });
    return grown.map((part) => `the memory of ${part} grew: ${memory.map((sample) => megabytes(sample[part])).join(" ")} MB`);
}
