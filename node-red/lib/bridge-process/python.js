"use strict";

const { run } = require("./run");
const { Trouble } = require("./trouble");

/** The oldest Python that runs the bridge. */
const OLDEST = Object.freeze([3, 11]);

/** Says the version, in words that every Python understands, then fails where it cannot make virtual environments. */
const PROBE = "import sys; sys.stdout.write('%d.%d\\n' % sys.version_info[:2]); sys.stdout.flush(); import ensurepip, venv";

/**
 * @typedef {{env: NodeJS.ProcessEnv, platform: NodeJS.Platform}} Surroundings
 * @typedef {{command: string[], version: string, isNewEnough: boolean, hasVenv: boolean}} Python
 */

/**
 * The commands that may be a Python, best first. Which versions there are is tried, not looked up: a name more costs
 * nothing, a name less is a Python that is not found.
 * @param {Surroundings} surroundings
 * @returns {string[][]}
 */
function candidates({ env, platform }) {
    if (env.SCHEDULE_BRIDGE_PYTHON) return [[env.SCHEDULE_BRIDGE_PYTHON]];
    if (platform === "win32") return [["py", "-3"], ["python"]];
    const named = [14, 13, 12, 11].map((minor) => [`python3.${minor}`]);
    return [["python3"], ...named, ["python"]];
}

/**
 * @param {string[]} command
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Python | undefined>} undefined for what is no Python
 */
async function probe(command, env) {
    const { ok, output } = await run([...command, "-c", PROBE], env);
    const [, version] = /^(\d+\.\d+)\s/.exec(output) ?? [];
    if (!version) return undefined;
    const [major, minor] = version.split(".").map(Number);
    const isNewEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
    return { command, version, isNewEnough, hasVenv: ok };
}

/**
 * The first Python that can be used.
 * @param {Surroundings} surroundings
 * @returns {Promise<Python>}
 * @throws {Trouble} that says how near the best one came
 */
async function findPython(surroundings) {
    /** @type {Python[]} */
    const found = [];
    for (const command of candidates(surroundings)) {
        const python = await probe(command, surroundings.env);
        if (python?.isNewEnough && python.hasVenv) return python;
        if (python) found.push(python);
    }
    throw noneFits(found, surroundings.env.SCHEDULE_BRIDGE_PYTHON);
}

/**
 * @param {Python[]} found none of which can be used
 * @param {string} [named] by SCHEDULE_BRIDGE_PYTHON
 */
function noneFits(found, named) {
    const withoutVenv = found.find(({ isNewEnough }) => isNewEnough);
    if (withoutVenv) return new Trouble("noVenv", { version: withoutVenv.version });
    if (named) return new Trouble("badPython", { program: named });
    return found.length > 0 ? new Trouble("oldPython", { version: found[0].version }) : new Trouble("noPython");
}

module.exports = { findPython, probe };
