/**
 * `npm test`: sets up and runs every check. `node scripts/test.mjs STAGE ...` runs some of them.
 * Each stage is a list of commands; the first that fails ends the run.
 */
import { readdirSync } from "node:fs";
import path from "node:path";
import { root, run, runTogether, sayWhatFailed, setup, venvProgram } from "./setup.mjs";

const node = process.execPath;
const local = (...parts) => path.join(root, "node_modules", ...parts);

/** The test files of a folder; a folder given to Node.js by name is not searched by every version. */
function testFiles(folder) {
    return readdirSync(path.join(root, folder))
        .filter((file) => file.endsWith(".test.js") || file.endsWith(".test.mjs"))
        .map((file) => `${folder}/${file}`);
}

/** What takes longer hangs: then its name is worth more than waiting. */
const HANGS_AFTER_MS = 300_000;

function nodeTests(folder, { concurrency = 1 } = {}) {
    return [node, ["--test", `--test-concurrency=${concurrency}`, `--test-timeout=${HANGS_AFTER_MS}`, ...testFiles(folder)]];
}

/** Where the processor is the limit. */
const BUSY = ["core", "fuzz", "mutation", "rules", "scenarios", "schedule", "simulate", "store"];

/** These, like all that are not named, mostly wait for processes and time-outs. */
const WAITING = ["bridges", "live"];

/** The tests of Python in three parts of about the same length, to be run beside each other. */
function pythonTests() {
    const folders = readdirSync(path.join(root, "tests"), { withFileTypes: true }).filter((each) => each.isDirectory());
    const hasTests = ({ name }) => readdirSync(path.join(root, "tests", name)).some((file) => /^test_.*\.py$/.test(file));
    const named = folders.filter(hasTests).map(({ name }) => name);
    const parts = [BUSY, WAITING, named.filter((name) => ![...BUSY, ...WAITING].includes(name))];
    return parts.map((part) => [venvProgram("pytest"), ["-p", "no:cacheprovider", ...part.map((name) => `tests/${name}`)]]);
}

const STAGES = {
    lint: () => [
        [venvProgram("ruff"), ["check"]],
        [venvProgram("ruff"), ["format", "--check", "--quiet"]],
        [venvProgram("mypy"), []],
        [venvProgram("lint-imports"), ["--no-logo"]],
        [venvProgram("hadolint"), ["deploy/bridge.Dockerfile", "deploy/node-red.Dockerfile"]],
        [venvProgram("check-jsonschema"), ["--builtin-schema", "vendor.compose-spec", "deploy/compose.yaml"]],
        [node, [local("eslint", "bin", "eslint.js"), "."]],
        [node, [local("typescript", "bin", "tsc"), "-p", "tsconfig.json"]],
    ],
    python: pythonTests,
    bench: () => [[venvProgram("python"), ["-m", "bench", "--short"]]],
    crash: () => [
        [venvProgram("python"), ["tests/crash/run.py", "--kills", "80", "--seconds", "45"]],
        [venvProgram("python"), ["tests/crash/run_upheavals.py", "--minutes", "0.5"]],
    ],
    javascript: () => [nodeTests("tests/node-red", { concurrency: 2 })],
    network: () => [nodeTests("tests/network", { concurrency: 2 })],
    e2e: () => [nodeTests("tests/e2e", { concurrency: 3 })],
    // Most of the time an editor waits, for ticks or for what slides into its place.
    browser: () => [nodeTests("tests/browser", { concurrency: 2 })],
};

/** Stages whose commands are run beside each other. */
const TOGETHER = ["python", "crash"];

async function runStage(name) {
    const started = Date.now();
    console.log(`\n== ${name}`);
    if (TOGETHER.includes(name)) await runTogether(STAGES[name]());
    else for (const [program, args] of STAGES[name]()) run(program, args);
    console.log(`== ${name}: passed in ${((Date.now() - started) / 1000).toFixed(0)} s`);
}

await sayWhatFailed(async () => {
    const wanted = process.argv.slice(2);
    const unknown = wanted.filter((name) => !(name in STAGES));
    if (unknown.length) throw new Error(`No such stage: ${unknown.join(", ")}. There are: ${Object.keys(STAGES).join(", ")}.`);
    setup({ dev: true });
    for (const name of wanted.length ? wanted : Object.keys(STAGES)) await runStage(name);
});
