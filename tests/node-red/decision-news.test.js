"use strict";

const assert = require("node:assert/strict");
const { beforeEach, test } = require("node:test");
const { DecisionNews } = require("../../node-red/lib/decision-news");

const MESSAGE = { payload: 1 };

/** @type {[string, any][]} what was told: the verdict, and the message */
let told = [];
let news = new DecisionNews(() => {});

/**
 * @param {string} firingId
 * @param {string} decision
 */
const about = (firingId, decision) => ({ firingId, decision, triggerId: "t", decidedAt: `when ${decision}` });

beforeEach(() => {
    told = [];
    news = new DecisionNews(({ firingId, decision }, message) => told.push([`${firingId} ${decision}`, message]));
});

test("a decision that the stream tells before its fire is answered is told with the message, once", () => {
    news.ask("t");
    news.heard(about("f", "skipped"), undefined);
    assert.deepEqual(told, []);
    news.answered("t", [about("f", "skipped")], MESSAGE);
    assert.deepEqual(told, [["f skipped", MESSAGE]]);
});

test("one that comes after the answer is told by the answer, and not again", () => {
    news.ask("t");
    news.answered("t", [about("f", "skipped")], MESSAGE);
    news.heard(about("f", "skipped"), undefined);
    assert.deepEqual(told, [["f skipped", MESSAGE]]);
});

test("what comes of a firing later is told with the message that waits for it", () => {
    news.ask("t");
    news.answered("t", [about("f", "buffered")], MESSAGE);
    news.heard(about("f", "skipped"), MESSAGE);
    assert.deepEqual(told, [["f buffered", MESSAGE], ["f skipped", MESSAGE]]);
});

test("other decisions on the trigger keep their order, without a message; those on other triggers do not wait", () => {
    news.ask("t");
    news.heard(about("tick", "skipped"), undefined);
    news.heard({ ...about("other", "skipped"), triggerId: "another" }, undefined);
    news.heard(about("f", "skipped"), undefined);
    assert.deepEqual(told, [["other skipped", undefined]]);
    news.answered("t", [about("f", "skipped")], MESSAGE);
    assert.deepEqual(told.slice(1), [["tick skipped", undefined], ["f skipped", MESSAGE]]);
});

test("a fire that is not answered holds nothing back", () => {
    news.ask("t");
    news.heard(about("f", "skipped"), undefined);
    news.answered("t", [], undefined);
    news.heard(about("g", "skipped"), undefined);
    assert.deepEqual(told, [["f skipped", undefined], ["g skipped", undefined]]);
});

test("of two fires at once each gets its own message", () => {
    news.ask("t");
    news.ask("t");
    news.heard(about("f", "skipped"), undefined);
    news.heard(about("g", "skipped"), undefined);
    news.answered("t", [about("g", "skipped")], undefined);
    news.answered("t", [about("f", "skipped")], MESSAGE);
    assert.deepEqual(told, [["f skipped", MESSAGE], ["g skipped", undefined]]);
});
