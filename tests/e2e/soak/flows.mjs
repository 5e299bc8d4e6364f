/** Many triggers, each with a flow of its own, of several shapes and over all six policies. */
import { tab, trigger } from "../support/nodes.mjs";
import { Nodes } from "../tracking/row.mjs";

const POLICIES = ["skip", "queue", "allow", "buffer", "cancel", "terminate"];
/** One tick a second gives a deadline of five seconds (R20); without a schedule it would be a day. */
const EVERY_SECOND = { scheduleKind: "interval", every: 1, everyUnit: "seconds" };
const RARELY = 0.1;
const OFTEN = 0.3;

const sleep = (most) => `await new Promise((wake) => setTimeout(wake, ${most} * global.get("soak").random()));`;
const fails = (odds) => `if (global.get("soak").random() < ${odds}) throw new Error("bad luck");`;

const pause = (n, name, most, next) =>
    n.node(name, "delay", { pauseType: "random", randomFirst: "0.1", randomLast: String(most), randomUnits: "seconds" }, next);
const caught = (n, next) => n.node("catch", "catch", { scope: null, uncaught: false }, next);
const finish = (n) => n.node("finish", "schedule-finish", { outcome: "auto" }, []);
const linkOut = (n, to) => ({ ...n.node("out", "link out", { mode: "link" }), links: [to] });

/** Each makes the nodes between "begin" and "end"; the first is the one that "begin" is wired to. */
const SHAPES = [
    { make: (n) => [pause(n, "work", 2, "end")] },
    { make: (n) => [n.work(`${sleep(2000)} ${fails(RARELY)} return msg;`, "end")] },
    { make: (n) => [n.work(`${fails(OFTEN)} return msg;`, "pause"), pause(n, "pause", 1.5, "end")] },
    { make: (n) => [n.work(`${fails(OFTEN)} return msg;`, "pause"), pause(n, "pause", 1.5, "end"), caught(n, "finish"), finish(n)] },
    { make: (n) => [n.work(`${sleep(1000)} ${fails(OFTEN)} return msg;`, "end"), caught(n, "again"), pause(n, "again", 1, "end")] },
    { make: (n) => [n.node("work", "subflow:shared-subflow", {}, "end")] },
    { make: (n) => [{ ...n.node("work", "link call", { linkType: "static", timeout: "2" }, "end"), links: ["shared-in"] }] },
    {
        make: (n) => [
            n.work("msg.payload = [3, 1, 2]; return msg;", "split"),
            n.split("split", "rate"),
            n.rate("rate", "join"),
            n.join("join", "end"),
        ],
    },
    {
        make: (n) => [n.work(`setTimeout(() => node.send(msg), 2000 * global.get("soak").random());`, "end"), finish(n)],
        settings: { endsOnSilence: false },
        finishes: true,
    },
    { make: (n) => [pause(n, "work", 1.5, "end")], settings: { lockKeys: ["red", "blue"] } },
    { make: (n) => [pause(n, "work", 0.8, "end")], settings: { lockKey: "shared" } },
    { make: (n) => [linkOut(n, "shared-queue-in")], settings: { overlapPolicy: "allow", maxConcurrent: 5 } },
    { make: (n) => [n.node("work", "http request", { method: "GET", ret: "txt", url: "${HTTP_URL}" }, "end")] },
    {
        make: (n) => [
            n.work("msg.count = (msg.count ?? 0) + 1; return msg.count > 3 ? [null, msg] : msg;", "guard", "end"),
            n.node("guard", "schedule-guard", {}, "pause", []),
            pause(n, "pause", 0.7, "work"),
        ],
    },
    { make: (n) => [pause(n, "work", 1.5, "end")], settings: { scheduleKind: "none" }, isFed: true },
    { make: (n) => [pause(n, "work", 1.5, "end")], settings: { delaySeconds: 2 } },
    { make: (n) => [n.work("return msg;", ["one", "two"]), pause(n, "one", 1, []), pause(n, "two", 1, "end")] },
];

/** What several flows share: a subflow that may fail, a service for link calls that may not answer, a slow queue. */
function sharedParts() {
    const n = new Nodes("shared");
    const within = [n.fn("inner", `${sleep(1500)} ${fails(RARELY)} return msg;`, [])];
    const port = [{ x: 0, y: 0, wires: [{ id: n.id("inner"), port: 0 }] }];
    return [
        tab("shared"),
        { id: n.id("subflow"), type: "subflow", name: "shared", in: port, out: port },
        ...within.map((node) => ({ ...node, z: n.id("subflow") })),
        n.node("in", "link in", { links: [] }, "service"),
        n.fn("service", `${sleep(1500)} if (global.get("soak").random() < ${RARELY}) return null; return msg;`, "return"),
        n.node("return", "link out", { mode: "return", links: [] }),
        n.node("queue-in", "link in", { links: [] }, "queue"),
        n.node("queue", "delay", { pauseType: "rate", rate: "8", nbRateUnits: "1", rateUnits: "second", outputs: 1 }, "end"),
        n.fn("end", 'global.get("soak").note("end", msg.run); return null;', []),
    ];
}

const feeder = (n) =>
    n.node("feeder", "inject", { repeat: "1", once: false, props: [{ p: "payload" }], payload: "", payloadType: "date" }, "trigger");

/** The trigger of that number, and its flow on a tab of its own. */
function flowOf(number) {
    const shape = SHAPES[number % SHAPES.length];
    const slug = `soak${number}`;
    const n = new Nodes(slug);
    const made = shape.make(n);
    const policy = { overlapPolicy: POLICIES[number % POLICIES.length], maxConcurrent: 3 };
    const wires = [[n.id("begin")], [n.id("other")]];
    return [
        tab(slug),
        trigger(n.id("trigger"), slug, { ...EVERY_SECOND, ...policy, ...shape.settings, wires }),
        n.fn("begin", 'global.get("soak").note("begin", msg.run); return msg;', made.map(({ name }) => name).slice(0, 1)),
        ...made,
        n.fn("end", 'global.get("soak").note("end", msg.run); return msg;', shape.finishes ? "finish" : []),
        n.fn("other", 'global.get("soak").note("other", msg.payload); return null;', []),
        ...(shape.isFed ? [feeder(n)] : []),
    ];
}

/** So many triggers and their flows. */
export function flowsOf(count) {
    return [...sharedParts(), ...Array.from({ length: count }, (_, number) => flowOf(number)).flat()];
}

const STILL = { "schedule-trigger": { scheduleKind: "none" }, inject: { repeat: "" } };

/** The same flows, in which nothing fires by itself. */
export const still = (flows) => flows.map((node) => ({ ...node, ...STILL[node.type] }));
