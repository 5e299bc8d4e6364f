/** One small flow a row: what runs in it, and how its run must end. */
import { debug, tab, trigger } from "../support/nodes.mjs";

const PLACE = { x: 100, y: 100 };
/** Milliseconds after which a run that seems to be over is taken for that, however busy the machine. */
export const LATE_MS = 2000;
/** A deadline of ten seconds: five times the interval. */
const SOON = { scheduleKind: "interval", every: 2 };

/** The nodes of a row, each in a few words. What they are wired to goes by the name in the row. */
export class Nodes {
    constructor(slug) {
        this.slug = slug;
    }

    id(name) {
        return `${this.slug}-${name}`;
    }

    /** A node; `outputs` are the names that each of its outputs is wired to. */
    node(name, type, properties, ...outputs) {
        const wires = outputs.map((names) => [names].flat().map((each) => this.id(each)));
        return { ...PLACE, id: this.id(name), z: this.slug, type, name, wires, ...properties };
    }

    work(func, ...outputs) {
        return this.fn("work", func, ...outputs);
    }

    fn(name, func, ...outputs) {
        return this.node(name, "function", { func, outputs: outputs.length }, ...outputs);
    }

    set(name, rules, next) {
        const full = rules.map(([p, to, tot]) => ({ t: "set", p, pt: "msg", to, tot }));
        return this.node(name, "change", { rules: full }, next);
    }

    delay(name, seconds, next) {
        return this.node(name, "delay", { pauseType: "delay", timeout: String(seconds), timeoutUnits: "seconds" }, next);
    }

    /** Lets one message through in each fifth of a second. */
    rate(name, next) {
        const rate = { rate: "5", nbRateUnits: "1", rateUnits: "second", drop: false, outputs: 1 };
        return this.node(name, "delay", { pauseType: "rate", ...rate }, next);
    }

    split(name, next) {
        return this.node(name, "split", { splt: "\\n", spltType: "str", arraySplt: 1, arraySpltType: "len" }, next);
    }

    join(name, next, properties = {}) {
        return this.node(name, "join", { mode: "auto", ...properties }, next);
    }

    caught(next) {
        return this.node("catch", "catch", { scope: null, uncaught: false }, next);
    }

    finish() {
        return this.node("finish", "schedule-finish", { outcome: "auto" }, []);
    }

    /** Where a row's messages end up. They say when they came. */
    sink(...next) {
        return this.fn("sink", "msg.at = Date.now(); return msg;", next);
    }
}

/**
 * @param {string} name
 * @param {object} expected
 * @param {"completed" | "failed" | "expired"} expected.end
 * @param {number} [expected.seen] messages that come to the node "sink" before the end
 * @param {string} [expected.because] what the end's reason says
 * @param {string} [expected.asks] the path of a request that fires it; else it is fired without a message
 * @param {string} [expected.late] the node that goes on after the end and is named for it
 * @param {(nodes: Nodes) => object[]} make the first node is the one that the trigger is wired to
 * @param {object} [settings] of the trigger
 */
export function row(name, expected, make, settings = {}) {
    return { name, expected: { seen: 0, ...expected }, make, settings, slug: name.toLowerCase().replace(/\W+/g, "-") };
}

/** Settings of a row that only a finish node ends. */
export const FINISH_ONLY = { endsOnSilence: false };
/** Settings of a row that ends at its deadline. */
export const AT_DEADLINE = SOON;

/** The flow of a row, a tab of its own. */
export function flowOf({ slug, make, settings }) {
    const nodes = new Nodes(slug);
    const made = make(nodes);
    const start = { scheduleKind: "none", wires: [made[0] ? [made[0].id] : [], []], ...settings };
    const hasSink = made.some(({ id }) => id === nodes.id("sink"));
    const sink = hasSink ? [] : [nodes.sink("seen")];
    return [tab(slug), trigger(nodes.id("trigger"), slug, start), ...made, ...sink, debug(nodes.id("seen"), slug)];
}
