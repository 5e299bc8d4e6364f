"use strict";

const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");
const { pipTrouble } = require("./pip-trouble");
const { findPython, probe } = require("./python");
const { run } = require("./run");
const { Trouble, troubleOf } = require("./trouble");

/** What a set-up does one after the other: the last is the first start of what was installed. */
const STEP = Object.freeze({ VENV: 1, PACKAGES: 2, START: 3 });

/**
 * Only wheels: a build would want compilers, take minutes and fail with pages that say nothing to a flow author.
 * The code of the bridge itself is not installed but run from the package, so it is never older than the nodes.
 */
const ONLY_WHEELS = "--only-binary=:all:";

/** pip says that there is no connection only when it tries again. */
const RETRIES = ["--retries", "2"];

/** pip.conf may say otherwise, for other purposes. */
const QUIETLY = ["--no-user", "--no-input", "--disable-pip-version-check"];

const PIP = Object.freeze(["-m", "pip", "install", ONLY_WHEELS, ...RETRIES, ...QUIETLY]);

/**
 * @typedef {import("./places").Places} Places
 * @typedef {{env: NodeJS.ProcessEnv, platform: NodeJS.Platform, packageRoot: string}} Surroundings
 * @typedef {{package: string, lock: string, python: string}} Stamp versions of the package and of Python, and a
 *   digest of the lock file
 */

/**
 * Sees to it that everything is installed that the bridge needs. Fast where it is.
 * @param {Places} places
 * @param {Surroundings} surroundings
 * @param {(step: number) => void} onStep a STEP begins
 * @param {AbortSignal} [signal] cancels it; what was done by then is done anew the next time
 * @throws {Trouble}
 */
async function ensureInstalled(places, surroundings, onStep, signal) {
    try {
        const wanted = wantedStamp(surroundings.packageRoot);
        const had = await soundStamp(places, surroundings.env);
        if (had?.package === wanted.package && had.lock === wanted.lock) return;
        makePrivate(places.home);
        fs.rmSync(places.stamp, { force: true });
        const python = had?.python ?? (await makeVenv(places, surroundings, onStep, signal));
        onStep(STEP.PACKAGES);
        await installPackages(places, surroundings, signal);
        fs.writeFileSync(places.stamp, JSON.stringify({ ...wanted, python }), { mode: 0o600 });
        onStep(STEP.START);
    } catch (error) {
        throw signal?.aborted ? new Trouble("setUpCancelled") : troubleOf(error, places.home);
    }
}

/**
 * @param {string} packageRoot
 * @returns {Omit<Stamp, "python">}
 */
function wantedStamp(packageRoot) {
    const { version } = JSON.parse(fs.readFileSync(path.join(packageRoot, "package.json"), "utf8"));
    const lock = fs.readFileSync(lockFile(packageRoot));
    return { package: version, lock: createHash("sha256").update(lock).digest("hex") };
}

/** @param {string} packageRoot */
function lockFile(packageRoot) {
    return path.join(packageRoot, "requirements.lock");
}

/**
 * What is installed, where that still runs: the system's Python may have gone, or have become another one.
 * @param {Places} places
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Stamp | undefined>}
 */
async function soundStamp({ stamp, python }, env) {
    if (!fs.existsSync(stamp)) return undefined;
    const had = readStamp(stamp);
    const found = await probe([python], env);
    return found && found.version === had.python ? had : undefined;
}

/** @param {string} file */
function readStamp(file) {
    try {
        return JSON.parse(fs.readFileSync(file, "utf8"));
    } catch {
        return {};
    }
}

/** @param {string} home */
function makePrivate(home) {
    fs.mkdirSync(home, { recursive: true, mode: 0o700 });
    fs.chmodSync(home, 0o700);
}

/**
 * @param {Places} places
 * @param {Surroundings} surroundings
 * @param {(step: number) => void} onStep
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} the version of its Python
 */
async function makeVenv({ home, venv }, surroundings, onStep, signal) {
    const { command, version } = await findPython(surroundings);
    onStep(STEP.VENV);
    // An install that was broken off may still be ending in there.
    fs.rmSync(venv, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    const { ok, output } = await run([...command, "-m", "venv", venv], surroundings.env, signal);
    if (!ok) throw venvTrouble(output, { home, version });
    return version;
}

/**
 * @param {string} output
 * @param {{home: string, version: string}} where
 */
function venvTrouble(output, { home, version }) {
    return /ensurepip/.test(output) ? new Trouble("noVenv", { version }) : pipTrouble(output, home);
}

/**
 * @param {Places} places
 * @param {Surroundings} surroundings
 * @param {AbortSignal} [signal]
 */
async function installPackages({ home, python }, { env, packageRoot }, signal) {
    const { ok, output } = await run([python, ...PIP, "-r", lockFile(packageRoot)], env, signal);
    if (!ok) throw pipTrouble(output, home);
}

module.exports = { STEP, ensureInstalled };
