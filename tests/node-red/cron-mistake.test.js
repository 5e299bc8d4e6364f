"use strict";

/** What the editor says of a cron expression without the bridge: what the bridge would say, or nothing. */
const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");
const { readFileSync } = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { default: catalogue } = /** @type {any} */ ({ default: require("../../node-red/locales/en-US/schedule-trigger.json") });
const { loadResources } = require("./support/resources");

const ROOT = path.join(__dirname, "../..");
const PYTHON = process.platform === "win32" ? [".venv", "Scripts", "python.exe"] : [".venv", "bin", "python"];
const { scheduleTrigger } = loadResources("cron-mistake.js");

/** A text of the catalogue, as the editor gives it. */
function say(/** @type {string} */ key, /** @type {any} */ values = {}) {
    const text = key.split(".").reduce((part, name) => part[name], catalogue["schedule-trigger"]);
    return text.replace(/__(\w+)__/g, (/** @type {string} */ _whole, /** @type {string} */ name) => String(values[name]));
}
const editorSays = (/** @type {string} */ expression) => scheduleTrigger.cronMistakeInWords(expression, say) ?? null;

const ASKS = `
import json, sys
from schedule_bridge.schedule import ScheduleError, describe
def said(expression):
    try:
        describe({"kind": "cron", "expression": expression})
    except ScheduleError as error:
        return str(error)
print(json.dumps([said(each) for each in json.load(sys.stdin)]))
`;

/** What the bridge says of each expression; null if it takes it. */
function bridgeSays(/** @type {string[]} */ expressions) {
    const env = { ...process.env, PYTHONPATH: path.join(ROOT, "bridge") };
    const { stdout, stderr } = spawnSync(path.join(ROOT, ...PYTHON), ["-c", ASKS], { input: JSON.stringify(expressions), encoding: "utf8", env });
    assert.equal(stderr, "");
    return JSON.parse(stdout);
}

const BAD = [
    ...["", "   ", "* * * *", "* * * * * * *", "x".repeat(300), "@reboot", "*/10 25 * * *", "60 * * * *", "0 0 0 * *"],
    ...["0 0 32 * *", "0 0 1 13 *", "0 0 * * 8", "5-1 * * * *", "5-4 * * * *", "*/0 * * * *", "1,,2 * * * *", "*-5 * * * *", "1.5 * * * *"],
    ...["0 jan * * *", "0 0 L * *", "0 0 15W * *", "0 0 * * 1#2", "0 0 * * ?", "H/15 * * * *", "0 ٣ * * *", "61 * * * * *"],
    ...["0 0 1 january *", "fri-mon * * * *", "0 0 * * fri-mon"],
];

test("the editor says what the bridge says of a bad expression", () => {
    bridgeSays(BAD).forEach((/** @type {string} */ sentence, /** @type {number} */ index) => {
        assert.ok(sentence, BAD[index]);
        assert.equal(editorSays(BAD[index]), sentence);
    });
});

test("the editor takes every expression that a real cron was asked about", () => {
    const cases = JSON.parse(readFileSync(path.join(ROOT, "tests/schedule/cron-cases.json"), "utf8"));
    const expressions = [...new Set(JSON.stringify(cases).match(/(?<="expression":")[^"]+/g) ?? [])];
    assert.ok(expressions.length > 10, `${expressions.length} expressions`);
    for (const expression of expressions) assert.equal(editorSays(expression), null, expression);
});

/** Numbers by chance that are the same at every run with a seed. */
function chance(/** @type {number} */ seed) {
    let state = seed;
    return (/** @type {number} */ below) => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return Math.floor((state / 2 ** 32) * below);
    };
}

const PIECES = ["*", "0", "1", "5", "12", "24", "31", "59", "60", "-", "/", ",", "mon", "JAN", "0", "7", "x"];

/** Expressions by chance, most of them nearly good. */
function expressions(/** @type {number} */ seed, /** @type {number} */ count) {
    const next = chance(seed);
    const field = () => Array.from({ length: 1 + next(4) * next(2) }, () => PIECES[next(PIECES.length)]).join("");
    const plain = () => (next(3) === 0 ? field() : "*");
    return Array.from({ length: count }, () => Array.from({ length: 5 + next(2) }, plain).join(" "));
}

test("the editor refuses nothing that the bridge takes", (t) => {
    const seed = Number(process.env.SEED ?? 20261130);
    const tried = expressions(seed, 3000);
    let bad = 0;
    bridgeSays(tried).forEach((/** @type {string | null} */ sentence, /** @type {number} */ index) => {
        const own = editorSays(tried[index]);
        if (own !== null) {
            bad += 1;
            assert.equal(own, sentence, tried[index]);
        } else if (sentence !== null) assert.match(sentence, /not exist, so this schedule would never run/, tried[index]);
    });
    t.diagnostic(`seed ${seed}: ${tried.length} expressions, ${bad} of them bad`);
    assert.ok(bad > 100 && bad < tried.length - 100);
});
