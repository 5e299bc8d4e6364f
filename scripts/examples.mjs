/** The example flows, as Node-RED loads them. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./setup.mjs";

const folder = path.join(root, "examples", "flows");

/** The names of the examples. */
export function exampleNames() {
    return readdirSync(folder)
        .filter((file) => file.endsWith(".json"))
        .map((file) => path.basename(file, ".json"))
        .sort();
}

/** One example: an array of nodes. */
export function example(name) {
    return JSON.parse(readFileSync(path.join(folder, `${name}.json`), "utf8"));
}

/** All examples, a tab each. */
export function allExamples() {
    return exampleNames().flatMap(example);
}
