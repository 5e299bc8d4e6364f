"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { triggerConfig } = require("../../node-red/lib/trigger-config");
const { withDefaults } = require("../../node-red/lib/trigger-defaults");

const surroundings = {
    instance: "nr",
    clientId: "nr.managed.default",
    workspaceId: "default",
    timezone: "Europe/Berlin",
    evaluate: (/** @type {string} */ value, /** @type {string} */ type) =>
        type === "env" ? { REPO: "owner/repo" }[value] : JSON.parse(value),
};

/** @param {object} properties */
function read(properties) {
    const result = triggerConfig(withDefaults({ id: "n", z: "tab", ...properties }), surroundings);
    return { ...result, config: /** @type {any} */ (result.config) };
}

/** @param {object} properties */
const complaintsOf = (properties) => read(properties).complaints.map(({ key, values }) => values.property ?? key);

test("properties that are missing take their defaults", () => {
    const { config, complaints } = read({ every: undefined, cron: null });
    assert.deepEqual(complaints, []);
    assert.deepEqual(config.schedule, { kind: "interval", every: 600 });
    assert.equal(config.overlapPolicy, "skip");
});

for (const { every, everyUnit, seconds } of [
    { every: "4", everyUnit: "seconds", seconds: 4 },
    { every: 0.5, everyUnit: "hours", seconds: 1800 },
    { every: " 2 ", everyUnit: "days", seconds: 172800 },
]) {
    test(`every ${every} ${everyUnit} is ${seconds} s`, () => {
        assert.equal(read({ every, everyUnit }).config.schedule.every, seconds);
    });
}

test("a cron schedule without a zone gets that of the Node-RED", () => {
    const { config } = read({ scheduleKind: "cron", cron: " 0 8 * * * " });
    assert.deepEqual(config.schedule, { kind: "cron", expression: "0 8 * * *", timezone: "Europe/Berlin" });
    assert.equal(read({ scheduleKind: "cron", timezone: "Asia/Tokyo" }).config.schedule.timezone, "Asia/Tokyo");
});

test("without a schedule the other schedule properties do not matter", () => {
    const { config, complaints } = read({ scheduleKind: "none", every: "nonsense" });
    assert.deepEqual([config.schedule, complaints], [{ kind: "none" }, []]);
});

test("numbers may be text", () => {
    const { config, complaints } = read({ maxConcurrent: "2", maxRunMinutes: "45", priority: "1", delaySeconds: "0.5" });
    assert.deepEqual(complaints, []);
    assert.deepEqual(
        [config.maxConcurrent, config.maxRunMinutes, config.priority, config.delaySeconds],
        [2, 45, 1, 0.5],
    );
});

for (const properties of [
    { every: "" },
    { every: "0" },
    { every: "Infinity" },
    { everyUnit: "weeks" },
    { scheduleKind: "lunar" },
    { maxConcurrent: 0 },
    { maxConcurrent: "1.5" },
    { maxConcurrent: true },
    { maxRunMinutes: -1 },
    { priority: 101 },
    { delaySeconds: "soon" },
    { catchUp: "some" },
    { payload: "{", payloadType: "json" },
]) {
    const [[property]] = Object.entries(properties);
    test(`${JSON.stringify(properties)} is complained of`, () => {
        assert.deepEqual(complaintsOf(properties), [property]);
    });
}

test("all mistakes are said at once", () => {
    assert.deepEqual(complaintsOf({ every: "x", maxConcurrent: 0, priority: 0 }), ["every", "maxConcurrent", "priority"]);
});

test("an unknown policy is kept and warned of, a known or missing one is not (R11)", () => {
    for (const overlapPolicy of ["SKIP", "", 7, {}]) {
        const { config, complaints, warnings } = read({ overlapPolicy });
        assert.equal(config.overlapPolicy, overlapPolicy);
        assert.deepEqual([complaints.length, warnings[0].key], [0, "unknownPolicy"]);
    }
    for (const overlapPolicy of ["skip", "queue", "allow", "buffer", "cancel", "terminate", null]) {
        assert.deepEqual(read({ overlapPolicy }).warnings, []);
    }
});

test("a lock key that is read from messages is none of the ticks'", () => {
    assert.equal(read({ lockKey: "k" }).config.lockKey, "k");
    assert.equal(read({ lockKey: "REPO", lockKeyType: "env" }).config.lockKey, "owner/repo");
    assert.equal(read({ lockKey: "NONE", lockKeyType: "env" }).config.lockKey, null);
    assert.equal(read({ lockKey: "repo", lockKeyType: "msg" }).config.lockKey, null);
});
