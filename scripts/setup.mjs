/**
 * Sets a clone up: a virtual environment in `.venv`, the pinned Python packages, the pinned npm packages.
 * Each step is done again only when the lock file that it follows has changed.
 *
 * `node scripts/setup.mjs` sets up what `npm start` needs; `--dev` adds what the tests need.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once as event } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === "win32";
const venv = path.join(root, ".venv");

/** The path of a program of the virtual environment. */
export function venvProgram(name) {
    return windows ? path.join(venv, "Scripts", `${name}.exe`) : path.join(venv, "bin", name);
}

/** Runs a program in the clone, its output shown, and stops with a sentence when it fails. */
export function run(program, args, { env = {}, shell = false } = {}) {
    const result = spawnSync(program, args, {
        cwd: root,
        stdio: "inherit",
        shell,
        env: { ...process.env, ...env },
    });
    if (result.error || result.status !== 0) {
        const why = result.error ? result.error.message : `exit code ${result.status}`;
        throw new Error(`${path.basename(program)} ${args.join(" ")} failed: ${why}`);
    }
}

/** Runs programs beside each other; each one's output comes in one piece, when it has ended. */
export async function runTogether(commands) {
    const ends = commands.map(async ([program, args]) => {
        const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
        const [output, [code]] = await Promise.all([text(child.stdout), event(child, "close")]);
        process.stdout.write(output);
        return code === 0 ? undefined : `${path.basename(program)} ${args.join(" ")} failed: exit code ${code}`;
    });
    const failures = (await Promise.all(ends)).filter(Boolean);
    if (failures.length) throw new Error(failures.join("\n"));
}

/** The first Python on the PATH that is 3.11 or later, or undefined. */
function findPython() {
    const names = windows
        ? [["py", "-3"], ["python"]]
        : [["python3"], ["python3.13"], ["python3.12"], ["python3.11"], ["python"]];
    const check = "import sys, venv; sys.exit(sys.version_info < (3, 11))";
    return names.find(([name, ...args]) => spawnSync(name, [...args, "-c", check]).status === 0);
}

function fingerprint(files) {
    const hash = createHash("sha256");
    for (const file of files) hash.update(readFileSync(path.join(root, file)));
    return hash.digest("hex");
}

/** Runs `step` unless `stamp` says that it was done for just these files. */
function once(stamp, files, what, step) {
    const wanted = fingerprint(files);
    if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
    console.log(`Setting up: ${what} ...`);
    step();
    mkdirSync(path.dirname(stamp), { recursive: true });
    writeFileSync(stamp, wanted);
}

function makeVenv() {
    if (existsSync(venvProgram("python"))) return;
    const python = findPython();
    if (!python) {
        throw new Error("Python 3.11 or later was not found. Install it from your system's packages and try again.");
    }
    console.log("Setting up: virtual environment in .venv ...");
    rmSync(venv, { recursive: true, force: true });
    const [name, ...args] = python;
    run(name, [...args, "-m", "venv", venv]);
}

function installPython(dev) {
    const lock = dev ? "requirements-dev.lock" : "requirements.lock";
    once(path.join(venv, `stamp-${lock}`), [lock, "pyproject.toml"], `Python packages (${lock})`, () => {
        const python = venvProgram("python");
        run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", lock]);
        run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "-e", "."]);
    });
}

function installNpm() {
    const stamp = path.join(root, "node_modules", ".schedule-trigger-stamp");
    once(stamp, ["package-lock.json", "package.json"], "npm packages", () =>
        run("npm", ["ci", "--no-progress", "--no-audit", "--no-fund", "--loglevel=error"], { shell: windows }),
    );
}

/** An environment of its own for what the bench needs beside ours; two versions of one scheduler cannot share it. */
function installPeer(name) {
    const lock = `bench/peers/requirements-${name}.txt`;
    const folder = path.join(root, ".bench", name);
    once(path.join(folder, "stamp"), [lock], `the bench's ${name}`, () => {
        run(venvProgram("python"), ["-m", "venv", "--clear", folder]);
        const python = windows ? path.join(folder, "Scripts", "python.exe") : path.join(folder, "bin", "python");
        run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", lock]);
    });
}

/** The schedulers that the bench measures beside ours, and what draws its flame graph. */
export function setupPeers() {
    for (const name of ["apscheduler-3", "apscheduler-4", "py-spy"]) installPeer(name);
    const files = ["bench/package.json", "bench/package-lock.json"];
    once(path.join(root, "bench", "node_modules", ".stamp"), files, "the bench's npm packages", () =>
        run("npm", ["ci", "--prefix", "bench", "--no-progress", "--loglevel=error"], { shell: windows }),
    );
}

/** Everything that a clone needs; fast when nothing has changed. */
export function setup({ dev = false } = {}) {
    const [major] = process.versions.node.split(".").map(Number);
    if (major < 20) throw new Error(`Node.js 20 or later is needed, this is ${process.version}.`);
    makeVenv();
    installPython(dev);
    installNpm();
}

/** Runs `main`; a failure is one sentence on standard error and exit code 1. */
export async function sayWhatFailed(main) {
    try {
        await main();
    } catch (error) {
        console.error(`\n${error.message}`);
        process.exitCode = 1;
    }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
    await sayWhatFailed(() => setup({ dev: process.argv.includes("--dev") }));
}
