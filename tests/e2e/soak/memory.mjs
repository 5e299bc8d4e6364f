/** How much memory a house takes over its life. */
import { execFileSync } from "node:child_process";
import { Inspector } from "../support/inspector.mjs";

/** How often it is looked at: after each tenth of the time. */
export const TENTHS = 10;
/** The tenth in which everything has been used, and the one in which the bridge, restarted until half time, has been so. */
const WARM = { nodeRed: 1, bridge: 6 };
const MB = 2 ** 20;
/** What may come on top after that: caches that are bounded, but not yet full. */
const MOST_GROWTH = { nodeRed: 10 * MB, bridge: 10 * MB };

/** Bytes of memory that a process holds. */
const residentOf = ({ pid }) => 1024 * Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }));

/** Bytes of Node-RED's heap that are in use after a collection, and of the bridge's process. */
export async function look({ nodeRed, bridge }) {
    const heap = await Inspector.look(nodeRed, (inspector) => inspector.heap());
    return { nodeRed: heap, bridge: residentOf(bridge.process) };
}

const between = (memory, part) => ({ warm: memory.at(WARM[part])[part], end: memory.at(-1)[part] });

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
    return grown.map((part) => `the memory of ${part} grew: ${memory.map((sample) => Math.round(sample[part] / MB)).join(" ")} MB`);
}
