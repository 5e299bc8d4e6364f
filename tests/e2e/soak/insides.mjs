/** What a Node-RED keeps in memory for its schedule nodes. */
import path from "node:path";
import { root } from "../../../scripts/setup.mjs";
import { Inspector } from "../support/inspector.mjs";

const of = (file, name) => `require(${JSON.stringify(path.join(root, "node-red", "lib", `${file}.js`))}).${name}`;
const util = `process.mainModule.require("@node-red/util")`;

const at = (...fields) => ({ fields });
const WITH_MESSAGE = "function () { return [...this.values()].filter(({ message }) => message !== undefined).length; }";

/** Classes whose instances are counted, and what these keep: in a private field of a private field, and how that is measured. */
const KEPT = {
    triggers: [of("trigger", "Trigger"), { shownRuns: at("#activity", "#active") }],
    clients: [
        of("bridge-client", "BridgeClient"),
        {
            claimedRuns: at("#runs", "#runs"),
            unanswered: at("#outbox", "#waiting"),
            waitingMessages: { ...at("#firings", "#firings"), measure: WITH_MESSAGE },
            callers: at("#changes", "#waiting"),
        },
    ],
    trackers: [of("tracking/run-tracker", "RunTracker"), { trackedRuns: at("#active") }],
    messages: [of("tracking/trail", "Trail"), {}],
};

/** What a Node.js process has. */
const SEEN = {
    listeners: `${util}.events.eventNames().reduce((sum, name) => sum + ${util}.events.listenerCount(name), 0)`,
    processListeners: "process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)",
    hooks: `Number(${util}.hooks.has("preDeliver.scheduleTrigger"))`,
    timers: `process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length`,
};

/** Counts the instances of a class, and adds up what they keep. */
async function countKept(inspector, name, [constructor, fields]) {
    const instances = await inspector.instances(constructor);
    const found = { [name]: instances.length };
    for (const [kept, where] of Object.entries(fields)) {
        const sizes = await Promise.all(instances.map((instance) => inspector.size(instance, where)));
        found[kept] = sizes.reduce((sum, size) => sum + size, 0);
    }
    return found;
}

/** All of it: name to number. */
export function insides(nodeRed) {
    return Inspector.look(nodeRed, async (inspector) => {
        const found = {};
        for (const [name, kept] of Object.entries(KEPT)) Object.assign(found, await countKept(inspector, name, kept));
        for (const [name, expression] of Object.entries(SEEN)) found[name] = await inspector.value(expression);
        return found;
    });
}
