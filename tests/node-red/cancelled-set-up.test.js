"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { setTimeout: pause } = require("node:timers/promises");
const { test } = require("node:test");
const { Owner, VENV, emptyFolder } = require("./support/prepared");
const { pythonThat, writePrograms } = require("./support/programs");
const { until } = require("./support/until");

/** @typedef {import("node:test").TestContext} TestContext */

/** How long the owner of these bridges waits at the most before it tries again. Milliseconds. */
const TRIES_AGAIN = 1000;

/**
 * A bridge whose first set-up takes for ever, until `beQuick`.
 * @param {TestContext} context
 */
function slowToSetUp(context) {
    const { folder, remove } = emptyFolder();
    const at = (/** @type {string} */ name) => path.join(folder, name);
    const slow = `echo $$ > "${at("pid")}"; exec sleep 600`;
    writePrograms(folder, { python: pythonThat(`[ -e "${at("quick")}" ] && exec ln -s "${VENV}" "$3"\n${slow}`) });
    const { bridge, close } = new Owner(at("."), { SCHEDULE_BRIDGE_PYTHON: at("python") });
    context.after(() => close().then(remove));
    const pid = () => fs.existsSync(at("pid")) && Number(fs.readFileSync(at("pid"), "utf8"));
    return { bridge, pid: () => until(pid), beQuick: () => fs.writeFileSync(at("quick"), "") };
}

/** @param {number} pid */
function isGone(pid) {
    try {
        return !process.kill(pid, 0);
    } catch {
        return true;
    }
}

test("a set-up that is cancelled ends, says so once, and stays so until it is asked for", { timeout: 60_000 }, async (context) => {
    const { bridge, pid, beQuick } = slowToSetUp(context);
    /** @type {string[]} */
    const troubles = [];
    bridge.on("trouble", ({ key }) => troubles.push(key));
    assert.equal(bridge.cancelSetUp(), false, "nothing has begun");
    bridge.start();
    const installer = await pid();
    assert.deepEqual(bridge.progress, { step: 1, steps: 3 });

    assert.equal(bridge.cancelSetUp(), true);
    await until(() => bridge.inTheWay?.key === "setUpCancelled");
    assert.ok(isGone(installer), "it is told when the installer is gone");
    assert.deepEqual([bridge.progress, bridge.cancelSetUp()], [undefined, false]);

    bridge.startUnlessCancelled();
    await pause(2 * TRIES_AGAIN);
    assert.equal(bridge.inTheWay?.key, "setUpCancelled");
    assert.deepEqual(troubles, ["setUpCancelled"]);

    beQuick();
    bridge.start();
    await until(() => bridge.url);
    assert.deepEqual([bridge.inTheWay, bridge.progress, bridge.cancelSetUp()], [undefined, undefined, false]);
});

test("a deploy that comes while a cancelled set-up is ending begins it anew", { timeout: 60_000 }, async (context) => {
    const { bridge, pid, beQuick } = slowToSetUp(context);
    bridge.start();
    await pid();
    beQuick();
    bridge.cancelSetUp();
    bridge.start();
    await until(() => bridge.url);
});
