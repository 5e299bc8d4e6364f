/** A life in figures. */
import { grouped, ticksOf } from "./faults.mjs";
import { bridgeMemory, megabytes, nodeRedMemory } from "./memory.mjs";

/** What was held once warmed up, and at the end. */
const growth = ({ warm, end }) => `${megabytes(warm)}, then ${megabytes(end)}`;

const tally = (values, keyOf) => Object.fromEntries([...grouped(values, keyOf)].map(([key, of]) => [key, of.length]).sort());
const inWords = (counts) => Object.entries(counts).map(([name, count]) => `${name} ${count}`).join(", ");

/** Figure to value, for people. */
export function figuresOf(lived) {
    const { triggers, executions, decisions, journal, faults, upheavals } = lived;
    const firings = new Set(decisions.map(({ firingId }) => firingId)).size;
    const missed = triggers.reduce((sum, trigger) => sum + ticksOf(trigger, lived).missed, 0);
    return {
        triggers: triggers.length,
        upheavals: inWords(upheavals),
        firings,
        "ticks missed": missed,
        decisions: inWords(tally(decisions, ({ decision }) => decision)),
        runs: inWords(tally(executions, ({ state }) => state)),
        "messages out of output 1": journal.filter(({ what }) => what === "begin").length,
        "heap of Node-RED after a minute and at the end, MB": growth(nodeRedMemory(lived)),
        "RSS of the bridge in its last life likewise, MB": growth(bridgeMemory(lived)),
        "message objects of runs still held after a deploy": lived.after.messages,
        faults: faults.length,
    };
}
