"use strict";

const assert = require("node:assert/strict");
const { once } = require("node:events");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { describe, test } = require("node:test");
const { ensureInstalled } = require("../../node-red/lib/bridge-process/installation");
const { pipTrouble } = require("../../node-red/lib/bridge-process/pip-trouble");
const { placesIn } = require("../../node-red/lib/bridge-process/places");
const { findPython } = require("../../node-red/lib/bridge-process/python");
const { run } = require("../../node-red/lib/bridge-process/run");
const { troubleOf } = require("../../node-red/lib/bridge-process/trouble");
const prepared = require("./support/prepared");
const { pythonThat, writePrograms } = require("./support/programs");

/** @typedef {import("node:test").TestContext} TestContext */

const { ROOT } = prepared;
const PYTHON = path.join(prepared.VENV, "bin", "python");
const { platform } = process;

/**
 * @param {TestContext} context
 * @returns {string} a folder that is gone after the test
 */
function emptyFolder(context) {
    const { folder, remove } = prepared.emptyFolder();
    context.after(remove);
    return folder;
}

/**
 * @param {TestContext} context
 * @param {Record<string, string>} programs shell scripts by name
 * @returns {string} a folder for the PATH that has nothing else
 */
function pathWith(context, programs) {
    const folder = emptyFolder(context);
    writePrograms(folder, programs);
    return folder;
}

/**
 * @param {string} key
 * @param {Record<string, string>} values some of those that the sentence names
 */
const trouble = (key, values = {}) => {
    /** @param {any} error */
    return (error) => {
        assert.equal(error.key, key, error.values?.message);
        for (const [name, value] of Object.entries(values)) assert.equal(error.values[name], value);
        return true;
    };
};

/**
 * @param {TestContext} context
 * @param {Record<string, string>} programs
 */
const find = (context, programs) => findPython({ env: { PATH: pathWith(context, programs) }, platform });

test("no Python on the PATH is said as that", async (context) => {
    await assert.rejects(find(context, {}), trouble("noPython"));
});

test("a Python that is too old is said with its version, Python 2 too", async (context) => {
    await assert.rejects(find(context, { python3: "echo 3.9" }), trouble("oldPython", { version: "3.9" }));
    await assert.rejects(find(context, { python: "echo 2.7" }), trouble("oldPython", { version: "2.7" }));
});

test("a Python without its venv module is said as that, also beside one that is too old", async (context) => {
    const programs = { python3: "echo 3.9", "python3.12": "echo 3.12; exit 1" };
    await assert.rejects(find(context, programs), trouble("noVenv", { version: "3.12" }));
});

test("a newer Python beside the system's old one is found", async (context) => {
    const { command } = await find(context, { python3: "echo 3.9", "python3.12": `exec ${PYTHON} "$@"` });
    assert.deepEqual(command, ["python3.12"]);
});

test("a program that is called python and is none is passed over", async (context) => {
    await assert.rejects(find(context, { python: "echo Get Python from the store; exit 9" }), trouble("noPython"));
});

test("SCHEDULE_BRIDGE_PYTHON names the one to take, and no other", async () => {
    const { command } = await findPython({ env: { SCHEDULE_BRIDGE_PYTHON: PYTHON }, platform });
    assert.deepEqual(command, [PYTHON]);
    const wrong = findPython({ env: { ...process.env, SCHEDULE_BRIDGE_PYTHON: "/bin/false" }, platform });
    await assert.rejects(wrong, trouble("badPython", { program: "/bin/false" }));
});

test("a Python that fails to make the environment for want of ensurepip is told from other failures", async (context) => {
    const folder = emptyFolder(context);
    /** @param {string} words */
    const attempt = (words) => {
        const PATH = pathWith(context, { python3: pythonThat(`echo "${words}" >&2; exit 1`) });
        return ensureInstalled(placesIn(folder), { env: { PATH }, platform, packageRoot: ROOT }, () => {});
    };
    await assert.rejects(attempt("... because ensurepip is not available."), trouble("noVenv", { version: "3.12" }));
    await assert.rejects(attempt("Error: something else"), trouble("installFailed", { message: "Error: something else" }));
});

/**
 * Acts as a user to whom files can be closed, which nothing is to root.
 * @param {() => Promise<unknown>} act
 */
async function asNobody(act) {
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
        await act();
    } finally {
        if (isRoot) process.seteuid?.(0);
    }
}

test("a user directory that cannot be written to is named", async (context) => {
    const occupied = path.join(emptyFolder(context), "file");
    fs.writeFileSync(occupied, "");
    const surroundings = { env: process.env, platform, packageRoot: ROOT };
    await assert.rejects(ensureInstalled(placesIn(occupied), surroundings, () => {}), trouble("installFailed"));
    const closed = placesIn(emptyFolder(context));
    fs.chmodSync(path.dirname(closed.home), 0o555);
    const attempt = asNobody(() => ensureInstalled(closed, surroundings, () => {}));
    await assert.rejects(attempt, trouble("readOnly", { directory: closed.home }));
    for (const [code, key] of [["EROFS", "readOnly"], ["EACCES", "readOnly"], ["ENOSPC", "diskFull"]]) {
        const error = Object.assign(new Error(code), { code });
        trouble(key, { directory: "/data" })(troubleOf(error, "/data"));
    }
});

/**
 * What pip says when it downloads a package under these settings.
 * @param {TestContext} context
 * @param {NodeJS.ProcessEnv} settings
 */
async function pipSays(context, settings) {
    const plain = { PATH: process.env.PATH, PIP_CONFIG_FILE: "/dev/null", PIP_RETRIES: "1", PIP_NO_CACHE_DIR: "1" };
    const download = ["-m", "pip", "download", "--only-binary=:all:", "--dest", emptyFolder(context), "orjson==3.13.0"];
    const { ok, output } = await run([PYTHON, ...download], { ...plain, ...settings });
    assert.equal(ok, false);
    return pipTrouble(output, "/data");
}

describe("what pip says is understood", { concurrency: 2 }, () => {
    test("no connection", async (context) => {
        trouble("noNetwork")(await pipSays(context, { PIP_INDEX_URL: "http://127.0.0.1:9/simple" }));
    });

    test("a name that is not resolved", async (context) => {
        trouble("noNetwork")(await pipSays(context, { PIP_INDEX_URL: "https://index.invalid/simple" }));
    });

    test("a proxy that refuses", async (context) => {
        const proxy = http.createServer().on("connect", (_request, socket) => {
            socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
        });
        proxy.listen(0, "127.0.0.1");
        await once(proxy, "listening");
        context.after(() => proxy.close());
        const { port } = /** @type {import("node:net").AddressInfo} */ (proxy.address());
        const settings = { HTTPS_PROXY: `http://127.0.0.1:${port}`, PIP_INDEX_URL: "https://index.invalid/simple" };
        trouble("proxy")(await pipSays(context, settings));
    });

    test("no wheel for this platform", async (context) => {
        const settings = { PIP_NO_INDEX: "1", PIP_FIND_LINKS: emptyFolder(context) };
        trouble("noWheel", { package: "orjson==3.13.0" })(await pipSays(context, settings));
    });

    test("a certificate that is not trusted, a full disk, anything else", () => {
        const refused = "(Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate";
        trouble("certificate")(pipTrouble(refused, "/data"));
        trouble("diskFull")(pipTrouble("ERROR: Could not install: [Errno 28] No space left on device", "/data"));
        trouble("installFailed", { message: "odd" })(pipTrouble("Collecting orjson\nERROR: odd\nhint: x\n", "/data"));
    });
});
