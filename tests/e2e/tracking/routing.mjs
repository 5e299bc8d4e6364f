/** Nodes that choose, change and lead messages elsewhere: Switch, Change, links, subflows. */
import { row } from "./row.mjs";

const rules = (...values) => values.map((v) => ({ t: "eq", v, vt: "str" }));
const DELETES_RUN = [{ t: "delete", p: "run", pt: "msg" }];

const choosing = [
    row("Switch: a rule matches", { end: "completed", seen: 1 }, (n) => [
        n.set("set", [["payload", "b", "str"]], "switch"),
        n.node("switch", "switch", { property: "payload", propertyType: "msg", rules: rules("a", "b"), outputs: 2 }, [], "pause"),
        n.delay("pause", 0.3, "sink"),
    ]),
    row("Switch: no rule matches", { end: "completed" }, (n) => [
        n.node("switch", "switch", { property: "payload", propertyType: "msg", rules: rules("a"), outputs: 1 }, "sink"),
    ]),
    row("Switch: JSONata, many messages", { end: "completed", seen: 100 }, (n) => [
        n.work("return [Array.from({ length: 100 }, (_, payload) => ({ payload }))];", "switch"),
        n.node("switch", "switch", { property: "payload * 2", propertyType: "jsonata", rules: [{ t: "else" }] }, "sink"),
    ]),
    row("Filter: passes one of two", { end: "completed", seen: 1 }, (n) => [
        n.work("return [[{ payload: 1 }, { payload: 1 }]];", "filter"),
        n.node("filter", "rbe", { func: "rbe", property: "payload", topi: "topic", septopics: true }, "pause"),
        n.delay("pause", 0.3, "sink"),
    ]),
    row("Change: sets", { end: "completed", seen: 1 }, (n) => [n.set("set", [["payload", "1", "num"]], "sink")]),
    row("Change: deletes msg.run", { end: "completed", seen: 1 }, (n) => [
        n.node("delete", "change", { rules: DELETES_RUN }, "pause"),
        n.delay("pause", 0.3, "sink"),
    ]),
    row("Template", { end: "completed", seen: 1 }, (n) => [
        n.node("template", "template", { field: "payload", template: "{{payload}}", syntax: "mustache" }, "sink"),
    ]),
];

const calling = (n, timeout, properties = {}) =>
    n.node("call", "link call", { links: [n.id("in")], linkType: "static", timeout: String(timeout), ...properties }, "sink");
const returns = (n) => n.node("out", "link out", { mode: "return", links: [] });

const linking = [
    row("Link out, Link in", { end: "completed", seen: 1 }, (n) => [
        n.node("out", "link out", { mode: "link", links: [n.id("in")] }),
        n.node("in", "link in", { links: [n.id("out")] }, "pause"),
        n.delay("pause", 0.3, "sink"),
    ]),
    row("Link call: returns", { end: "completed", seen: 1 }, (n) => [
        calling(n, 5),
        n.node("in", "link in", { links: [] }, "pause"),
        n.delay("pause", 0.4, "out"),
        returns(n),
    ]),
    row("Link call: times out, returns later", { end: "failed", because: "timeout", seen: 1 }, (n) => [
        calling(n, 0.3),
        n.node("in", "link in", { links: [] }, "pause"),
        n.delay("pause", 0.8, "out"),
        returns(n),
    ]),
    row("Link call: dead end", { end: "failed", because: "timeout" }, (n) => [
        calling(n, 0.3),
        n.node("in", "link in", { links: [] }, "nowhere"),
        n.work("return null;"),
    ]),
    row("Link call: dead end, with a Catch", { end: "completed", seen: 1 }, (n) => [
        calling(n, 0.3),
        n.node("in", "link in", { links: [] }, "work"),
        n.work("return null;"),
        n.caught("sink"),
    ]),
    row("Link call: no such target", { end: "failed", because: "not found" }, (n) => [
        calling(n, 5, { linkType: "dynamic", links: [] }),
    ]),
];

/** The definition of a subflow: its nodes, with ports in and out. */
function subflow(n, name, nodes, first, last) {
    const within = nodes.map((node) => ({ ...node, z: n.id(name) }));
    const port = (id) => [{ x: 0, y: 0, wires: [{ id: n.id(id), port: 0 }] }];
    const definition = { id: n.id(name), type: "subflow", name, in: port(first), out: last ? port(last) : [] };
    return [definition, ...within];
}
const instance = (n, id, of, ...next) => n.node(id, `subflow:${n.id(of)}`, {}, ...next);

const nesting = [
    row("Subflow", { end: "completed", seen: 1 }, (n) => [
        instance(n, "work", "sub", "sink"),
        ...subflow(n, "sub", [n.delay("pause", 0.3, [])], "pause", "pause"),
    ]),
    row("Subflow in a subflow", { end: "completed", seen: 1 }, (n) => [
        instance(n, "work", "outer", "sink"),
        ...subflow(n, "inner", [n.delay("pause", 0.3, [])], "pause", "pause"),
        ...subflow(n, "outer", [instance(n, "within", "inner", "after"), n.delay("after", 0.2, [])], "within", "after"),
    ]),
    row("Subflow: its own Catch", { end: "completed", seen: 1 }, (n) => [
        instance(n, "work", "sub", "sink"),
        ...subflow(n, "sub", [n.fn("bad", 'throw new Error("boom");', []), n.caught("pause"), n.delay("pause", 0.3, [])], "bad", "pause"),
    ]),
    row("Subflow: fails, the Catch is outside", { end: "completed", seen: 1 }, (n) => [
        instance(n, "work", "sub", []),
        ...subflow(n, "sub", [n.fn("bad", 'throw new Error("boom");', [])], "bad", "bad"),
        n.caught("sink"),
    ]),
    row("Subflow: fails, no Catch", { end: "failed", because: "boom" }, (n) => [
        instance(n, "work", "sub", "sink"),
        ...subflow(n, "sub", [n.fn("bad", 'throw new Error("boom");', [])], "bad", "bad"),
    ]),
];

export const routing = [...choosing, ...linking, ...nesting];
