/** Everything that may happen to flows under load: deploys of every type, restarts, operators, a bridge that ends. */
import { still } from "./flows.mjs";
import { pick } from "./chance.mjs";

const isTab = ({ type, id }) => type === "tab" && id !== "shared";
const isTrigger = ({ type }) => type === "schedule-trigger";

/** The flows as they are deployed now, and what may be done to them. */
export class Upheavals {
    #house;
    #all;
    #random;
    /** Ids of tabs that are left out. */
    #missing = new Set();
    #disabled = new Set();
    /** What was changed of a node, by its id. */
    #changes = new Map();
    #number = 0;

    constructor(house, flows, random) {
        this.#house = house;
        this.#all = flows;
        this.#random = random;
    }

    /** The flow file of now. */
    get #flows() {
        const there = this.#all.filter(({ id, z }) => !this.#missing.has(id) && !this.#missing.has(z));
        return there.map((node) => ({ ...node, ...this.#changes.get(node.id), ...this.#switch(node) }));
    }

    #switch({ id, type }) {
        if (!this.#disabled.has(id)) return {};
        return type === "tab" ? { disabled: true } : { d: true };
    }

    #deploy(type) {
        return this.#house.deploy(this.#flows, type);
    }

    #any(kind) {
        return pick(this.#random, this.#all.filter(kind)).id;
    }

    #change(id, change) {
        this.#changes.set(id, { ...this.#changes.get(id), ...change });
    }

    /** Turns what is in a set back, else puts something into it. */
    #toggle(set, kind) {
        if (set.size > 0) set.clear();
        else set.add(this.#any(kind));
    }

    deployNodes() {
        this.#change(this.#any(({ type }) => type === "delay"), { name: `changed ${++this.#number}` });
        return this.#deploy("nodes");
    }

    deployFlows() {
        this.#change(this.#any(({ name }) => name === "begin"), { name: `begin ${++this.#number}` });
        return this.#deploy("flows");
    }

    deployAll() {
        return this.#deploy("full");
    }

    reload() {
        return this.#deploy("reload");
    }

    renameTrigger() {
        this.#change(this.#any(isTrigger), { name: `renamed ${++this.#number}` });
        return this.#deploy("nodes");
    }

    switchTab() {
        this.#toggle(this.#disabled, isTab);
        return this.#deploy("flows");
    }

    switchNode() {
        this.#toggle(this.#disabled, ({ name }) => ["work", "end"].includes(name));
        return this.#deploy("nodes");
    }

    switchTrigger() {
        this.#toggle(this.#disabled, isTrigger);
        return this.#deploy("nodes");
    }

    /** Takes a trigger out with its tab, or puts it back. */
    removeOrAdd() {
        this.#toggle(this.#missing, isTab);
        return this.#deploy("flows");
    }

    async restartFlows() {
        for (const state of ["stop", "start"]) await this.#house.administer("POST", "/flows/state", { state });
    }

    async endSome() {
        const { executions } = await this.#house.ask("/v1/executions?limit=100");
        const active = executions.filter(({ endedAt }) => !endedAt).slice(0, 4);
        const verb = pick(this.#random, ["cancel", "terminate"]);
        // One that has just ended by itself is no fault.
        const end = ({ executionId }) => this.#house.ask(`/v1/executions/${executionId}/${verb}`, "POST").catch(() => {});
        await Promise.all(active.map(end));
    }

    async endBridge() {
        await this.#house.bridge.kill("SIGTERM");
        await this.#house.startBridge();
    }

    async killBridge() {
        await this.#house.bridge.kill("SIGKILL");
        await this.#house.startBridge();
    }

    /** Lets the triggers fire by themselves. */
    begin() {
        return this.#deploy("full");
    }

    /** Puts everything back, and lets nothing fire by itself any more. */
    end() {
        this.#missing.clear();
        this.#disabled.clear();
        return this.#house.deploy(still(this.#flows), "full");
    }
}

/** What is done to the flows; the bridge is left alone. */
export const TO_FLOWS = [
    "deployNodes",
    "deployFlows",
    "deployAll",
    "reload",
    "renameTrigger",
    "switchTab",
    "switchNode",
    "switchTrigger",
    "removeOrAdd",
    "restartFlows",
    "endSome",
];

/** What is done to the bridge. */
export const TO_BRIDGE = ["endBridge", "killBridge"];
