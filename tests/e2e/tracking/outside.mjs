/** Nodes that deal with the world: HTTP, TCP, processes, files. */
import { FINISH_ONLY, row } from "./row.mjs";

const SLOWLY = "${SLOW_TCP_PORT}";

const tcp = (n, port) =>
    n.node("tcp", "tcp request", { server: "127.0.0.1", port, out: "time", splitc: "0", ret: "string", newline: "" }, "sink");
const request = (n, url) => n.node("request", "http request", { method: "GET", ret: "txt", url }, "sink");
const exec = (n, useSpawn) =>
    n.node("exec", "exec", { command: "node -e \"setTimeout(() => console.log('hi'), 300)\"", addpay: "", useSpawn }, "sink", [], []);

const asking = [
    row("HTTP request: answered", { end: "completed", seen: 1 }, (n) => [request(n, "${HTTP_URL}")]),
    row("HTTP request: refused", { end: "failed", because: "ECONNREFUSED", seen: 1 }, (n) => [request(n, "http://127.0.0.1:1/")]),
    // Even a quick answer may come after the settle time on a busy machine: the node's done() does not wait for it.
    row(
        "TCP request: answered, finish only",
        { end: "completed", seen: 1 },
        (n) => [tcp(n, "${TCP_PORT}"), n.sink("seen", "finish"), n.finish()],
        FINISH_ONLY,
    ),
    row("TCP request: answered slowly", { end: "completed", late: "tcp" }, (n) => [tcp(n, SLOWLY)]),
    row(
        "TCP request: answered slowly, finish only",
        { end: "completed", seen: 1 },
        (n) => [tcp(n, SLOWLY), n.sink("seen", "finish"), n.finish()],
        FINISH_ONLY,
    ),
];

const doing = [
    row("Exec: waits for the output", { end: "completed", seen: 1 }, (n) => [exec(n, "false")]),
    row("Exec: spawns", { end: "completed", seen: 1 }, (n) => [exec(n, "true")]),
    row("File, File in by lines", { end: "completed", seen: 3 }, (n) => [
        n.set("set", [["payload", "a\nb\n", "str"]], "file"),
        n.node("file", "file", { filename: "${LINES_FILE}", filenameType: "str", overwriteFile: "true" }, "in"),
        n.node("in", "file in", { filename: "${LINES_FILE}", filenameType: "str", format: "lines" }, "pause"),
        n.delay("pause", 0.3, "sink"),
    ]),
    row("File in: no such file", { end: "failed", because: "ENOENT", seen: 1 }, (n) => [
        n.node("in", "file in", { filename: "${NO_FILE}", filenameType: "str", format: "utf8" }, "sink"),
    ]),
];

const ANSWERED = "/rows/answered";

const answering = [
    row(
        "HTTP in, HTTP response",
        { end: "completed", asks: ANSWERED },
        (n) => [
            n.delay("pause", 0.3, "response"),
            n.node("response", "http response", {}),
            n.node("in", "http in", { url: ANSWERED, method: "post" }, "trigger"),
        ],
    ),
];

export const outside = [...asking, ...doing, ...answering];
