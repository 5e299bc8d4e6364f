/**
 * `npm test`: sets up and runs every check. `node scripts/test.mjs STAGE ...` runs some of them.
 * Each stage is a list of commands; the first that fails ends the run.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { root, run, sayWhatFailed, setup, venvProgram } from "./setup.mjs";

const node = process.execPath;
const local = (...parts) => path.join(root, "node_modules", ...parts);

/** The test files of a folder; a folder given to Node.js by name is not searched by every version. */
function testFiles(folder) {
    return readdirSync(path.join(root, folder))
        .filter((file) => file.endsWith(".test.js") || file.endsWith(".test.mjs"))
        .map((file) => `${folder}/${file}`);
}

function nodeTests(folder, { concurrency = 1 } = {}) {
    return [node, ["--test", `--test-concurrency=${concurrency}`, ...testFiles(folder)]];
}

const STAGES = {
    lint: () => [
        [venvProgram("ruff"), ["check"]],
        [venvProgram("ruff"), ["format", "--check", "--quiet"]],
        [venvProgram("mypy"), []],
        [venvProgram("lint-imports"), ["--no-logo"]],
        [node, [local("eslint", "bin", "eslint.js"), "."]],
        [node, [local("typescript", "bin", "tsc"), "-p", "tsconfig.json"]],
    ],
    python: () => [[venvProgram("pytest"), []]],
    bench: () => [[venvProgram("python"), ["-m", "bench", "--short"]]],
    crash: () => [[venvProgram("python"), ["tests/crash/run.py", "--kills", "80", "--seconds", "45"]]],
    javascript: () => [nodeTests("tests/node-red", { concurrency: 2 })],
    network: () => [nodeTests("tests/network", { concurrency: 2 })],
    e2e: () => [nodeTests("tests/e2e", { concurrency: 3 })],
    browser: () => [nodeTests("tests/browser")],
};

function runStage(name) {
    const started = Date.now();
    console.log(`\n== ${name}`);
    for (const [program, args] of STAGES[name]()) run(program, args);
    console.log(`== ${name}: passed in ${((Date.now() - started) / 1000).toFixed(0)} s`);
}

await sayWhatFailed(() => {
    const wanted = process.argv.slice(2);
    const unknown = wanted.filter((name) => !(name in STAGES));
    if (unknown.length) throw new Error(`No such stage: ${unknown.join(", ")}. There are: ${Object.keys(STAGES).join(", ")}.`);
    setup({ dev: true });
    for (const name of wanted.length ? wanted : Object.keys(STAGES)) runStage(name);
});
