/** What a Node-RED keeps in memory for its schedule nodes. */
import path from "node:path";
import { root } from "../../../scripts/setup.mjs";
import { Inspector } from "../support/inspector.mjs";

const of = (file, name) => `require(${JSON.stringify(path.join(root, "node-red", "lib", `${file}.js`))}).${name}`;
const util = `process.mainModule.require("@node-red/util")`;

/** Classes whose instances are counted, and what these keep in private fields. */
const KEPT = {
    triggers: [of("trigger", "Trigger"), { shownRuns: ["#activity", "#active"] }],
    clients: [
        of("bridge-client", "BridgeClient"),
        {
            claimedRuns: ["#runs", "#runs"],
            unanswered: ["#outbox", "#waiting"],
            ownFirings: ["#firings", "#firings"],
            callers: ["#changes", "#waiting"],
        },
    ],
    trackers: [of("tracking/run-tracker", "RunTracker"), { trackedRuns: ["#active"] }],
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
    for (const [kept, path] of Object.entries(fields)) {
        const sizes = await Promise.all(instances.map((instance) => inspector.size(instance, path)));
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
