"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { stoppingNodes } = require("../../node-red/lib/stops");

const NODES = [
    { id: "tab1", type: "tab" },
    { id: "tab2", type: "tab" },
    { id: "a", type: "inject", z: "tab1" },
    { id: "b", type: "delay", z: "tab2" },
    { id: "group", type: "group", z: "tab2" },
    { id: "sub", type: "subflow" },
    { id: "inner", type: "delay", z: "sub" },
    { id: "s1", type: "subflow:sub", z: "tab2" },
];
const NOTHING = { added: [], changed: [], removed: [], rewired: [], linked: [], flowChanged: [] };
const RUNNING = [
    { id: "a", z: "tab1" },
    { id: "b", z: "tab2" },
    { id: "s1", z: "tab2" },
    { id: "s1-inner", z: "s1" },
    { id: "s1-s2-inner", z: "s1-s2" },
    { id: "s11-inner", z: "s11" },
];
const ALL = RUNNING.map(({ id }) => id);

/**
 * @param {string} type
 * @param {object} [diff]
 * @returns {string[]} the nodes that stop
 */
function stopping(type, diff) {
    const stops = stoppingNodes({ type, diff: diff && { ...NOTHING, ...diff } }, NODES);
    return RUNNING.filter(stops).map(({ id }) => id);
}

test("a full deploy stops everything, and so does the end of Node-RED", () => {
    assert.deepEqual(stopping("full", {}), ALL);
    assert.deepEqual(stopping("load", {}), ALL);
    assert.deepEqual(stopping("full"), ALL);
});

test("a change of the global configuration stops everything", () => {
    assert.deepEqual(stopping("nodes", { globalConfigChanged: true }), ALL);
});

for (const { what, type = "nodes", diff, stops } of [
    { what: "nothing changed", diff: {}, stops: [] },
    { what: "a changed node stops, its neighbours run on", diff: { changed: ["b", "tab2"] }, stops: ["b"] },
    { what: "a removed node stops", diff: { removed: ["a"], changed: ["tab1"] }, stops: ["a"] },
    { what: "an added node stops nothing", diff: { added: ["new"], changed: ["tab1"] }, stops: [] },
    { what: "a group stops nothing by itself", diff: { changed: ["group", "tab2"] }, stops: [] },
    { what: "wiring alone stops nothing", diff: { rewired: ["a"], linked: ["b"] }, stops: [] },
    { what: "wiring stops with its flow", type: "flows", diff: { rewired: ["a"], linked: ["b"] }, stops: ["a", "b"] },
    { what: "a changed tab stops whole", diff: { flowChanged: ["tab1"] }, stops: ["a"] },
    { what: "a removed tab stops with what is in it", diff: { removed: ["tab2"] }, stops: ALL.slice(1, 5) },
    { what: "a subflow instance stops with what is nested in it", diff: { changed: ["s1"] }, stops: ALL.slice(2, 5) },
]) {
    test(`${type}: ${what}`, () => assert.deepEqual(stopping(type, diff), stops));
}
