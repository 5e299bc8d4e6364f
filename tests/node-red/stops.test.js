"use strict";

const assert = require("node:assert/strict");
const { test } = require("node:test");
const { stoppingContainers } = require("../../node-red/lib/stops");

const NODES = [
    { id: "tab1", type: "tab" },
    { id: "tab2", type: "tab" },
    { id: "a", type: "inject", z: "tab1" },
    { id: "off", type: "inject", z: "tab2", d: true },
    { id: "b", type: "delay", z: "tab2" },
    { id: "group", type: "group", z: "tab2" },
    { id: "sub", type: "subflow" },
    { id: "inner", type: "delay", z: "sub" },
    { id: "s1", type: "subflow:sub", z: "tab2" },
];
const NOTHING = { added: [], changed: [], removed: [], rewired: [], linked: [], flowChanged: [] };
const CONTAINERS = ["tab1", "tab2", "s1", "s1-s2", "s11"];

/**
 * @param {string} type
 * @param {object} diff
 * @returns {string[]} the containers in which a node stops
 */
function stopping(type, diff) {
    return CONTAINERS.filter(stoppingContainers({ type, diff: { ...NOTHING, ...diff } }, NODES));
}

test("a full deploy stops everything", () => {
    assert.deepEqual(stopping("full", {}), CONTAINERS);
    assert.deepEqual(stopping("load", {}), CONTAINERS);
});

for (const { what, type = "nodes", diff, stops } of [
    { what: "nothing changed", diff: {}, stops: [] },
    { what: "a changed node stops", diff: { changed: ["a", "tab1"] }, stops: ["tab1"] },
    { what: "a removed node stops", diff: { removed: ["b"], changed: ["tab2"] }, stops: ["tab2"] },
    { what: "an added node stops nothing", diff: { added: ["new"], changed: ["tab1"] }, stops: [] },
    { what: "a node that was off stops nothing", diff: { changed: ["off", "tab2"] }, stops: [] },
    { what: "a group stops nothing by itself", diff: { changed: ["group", "tab2"] }, stops: [] },
    { what: "wiring alone stops nothing", diff: { rewired: ["a"], linked: ["b"] }, stops: [] },
    { what: "wiring stops with its flow", type: "flows", diff: { rewired: ["a"], linked: ["b"] }, stops: ["tab1", "tab2"] },
    { what: "a changed tab stops whole", diff: { flowChanged: ["tab1"] }, stops: ["tab1"] },
    { what: "a removed tab stops with what is in it", diff: { removed: ["tab2"] }, stops: ["tab2", "s1", "s1-s2"] },
    { what: "a subflow instance stops with what is nested in it", diff: { changed: ["s1"] }, stops: ["tab2", "s1", "s1-s2"] },
]) {
    test(`${type}: ${what}`, () => assert.deepEqual(stopping(type, diff), stops));
}
