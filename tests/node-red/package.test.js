"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { DEFAULTS } = require("../../node-red/lib/trigger-defaults");

const ROOT = path.resolve(__dirname, "../..");
const WINDOWS = process.platform === "win32";
const NODES = path.join(ROOT, "node-red");
const TYPES = ["schedule-trigger", "schedule-finish", "schedule-guard", "schedule-bridge"];
const read = (/** @type {string[]} */ ...parts) => fs.readFileSync(path.join(...parts), "utf8");
const catalogues = Object.assign({}, ...TYPES.map((type) => JSON.parse(read(NODES, "locales/en-US", `${type}.json`))));

/** @param {string} key */
const textOf = (key) => key.split(".").reduce((/** @type {any} */ part, name) => part?.[name], catalogues);

/** The parts of the dialog of schedule-trigger. */
function dialogParts() {
    const files = fs.readdirSync(path.join(ROOT, "resources")).filter((name) => name.endsWith(".js"));
    return files.map((name) => read(ROOT, "resources", name)).join("\n");
}

test("every text that the parts of the dialog ask for is in the catalogue", () => {
    const whole = [...dialogParts().matchAll(/\bsay\("([a-zA-Z]+(?:\.[a-zA-Z]+)*)"/g)].map(([, key]) => key);
    const begun = [...dialogParts().matchAll(/\b(?:say|count)\([`"]([a-zA-Z.]+)\.\$\{/g)].map(([, key]) => key);
    assert.ok(whole.length > 10 && begun.length > 5, `${whole.length} texts, ${begun.length} groups of texts`);
    for (const key of whole) assert.equal(typeof textOf(`schedule-trigger.${key}`), "string", key);
    for (const key of begun) assert.equal(typeof textOf(`schedule-trigger.${key}`), "object", key);
});

for (const type of TYPES) {
    test(`every text that ${type} asks for is in the catalogue`, () => {
        const shared = type === "schedule-trigger" ? dialogParts() : "";
        const source = shared + read(NODES, `${type}.html`) + read(NODES, `${type}.js`);
        const keys = source.match(/schedule-(trigger|finish|guard|bridge)\.[a-z]\w*(\.\w+)*(?=["'\x60])/gi) ?? [];
        const texts = keys.filter((key) => !key.endsWith(".read") && !key.endsWith(".write"));
        assert.ok(texts.length > 0);
        for (const key of texts.filter((key) => !/\.(svg|js)$/.test(key))) assert.equal(typeof textOf(key), "string", key);
    });

    test(`the help of ${type} has its four sections`, () => {
        const help = read(NODES, "locales/en-US", `${type}.html`);
        for (const title of ["Inputs", "Outputs", "Details", "References"]) assert.ok(help.includes(`<h3>${title}</h3>`));
    });
}

test("whatever the runtime says about a trigger has a text", () => {
    const source = ["trigger.js", "trigger-config.js", "trigger-node.js", "status.js"].map((file) => read(NODES, "lib", file));
    const keys = source.join().match(/"(error|warning|mistake)\.\w+"/g) ?? [];
    for (const key of keys) assert.equal(typeof textOf(`schedule-trigger.${key.slice(1, -1)}`), "string", key);
    const complaints = source.join().match(/complain\("\w+"/g) ?? [];
    for (const call of complaints) {
        const key = call.slice('complain("'.length, -1);
        assert.equal(typeof textOf(`schedule-trigger.mistake.${key}`), "string", key);
        assert.equal(typeof textOf(`schedule-trigger.status.${key}`), "string", key);
    }
});

test("whatever can keep the bridge from running has a status and a sentence that ends with what it means", () => {
    const source = read(NODES, "lib", "bridge-process", "trouble.js");
    const keys = source.slice(source.indexOf("@typedef"), source.indexOf("TroubleKey")).match(/(?<=")\w+(?=")/g) ?? [];
    assert.ok(keys.length > 10);
    for (const key of keys) {
        assert.equal(typeof textOf(`schedule-trigger.status.${key}`), "string", key);
        assert.match(textOf(`schedule-trigger.error.${key}`), /No run starts\.$/);
    }
});

test("what is published carries the bridge, and nothing that was made by running it", (context) => {
    const made = path.join(ROOT, "bridge", "__pycache__");
    fs.mkdirSync(made, { recursive: true });
    fs.writeFileSync(path.join(made, "test.pyc"), "");
    context.after(() => fs.rmSync(path.join(made, "test.pyc")));
    const listed = execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: ROOT, encoding: "utf8", shell: WINDOWS });
    const files = JSON.parse(listed)[0].files.map((/** @type {{path: string}} */ file) => file.path);
    const wanted = ["requirements.lock", "pyproject.toml", "schemas/trigger.json", "bridge/schedule_bridge/__main__.py"];
    for (const file of wanted) assert.ok(files.includes(file), file);
    const stray = /^(tests|scripts|docs|bench|\.)|\.pyc$|egg-info/;
    assert.deepEqual(files.filter((/** @type {string} */ file) => stray.test(file)), []);
});

test("the icons are white on transparent, 40 by 60", () => {
    for (const file of fs.readdirSync(path.join(NODES, "icons"))) {
        const icon = read(NODES, "icons", file);
        assert.match(icon, /width="40" height="60" viewBox="0 0 40 60"/);
        assert.deepEqual([...new Set(icon.match(/#\w+/g))], ["#fff"]);
    }
});

const EXAMPLES = path.join(ROOT, "examples", "flows");
const HTTP = ["http in", "http request", "http response"];
const CORE = ["catch", "change", "debug", "delay", "file in", "function", "group", ...HTTP, "inject", "split", "switch"];

for (const file of fs.readdirSync(EXAMPLES)) {
    test(`the example ${file} begins with a comment and uses core nodes and ours only`, () => {
        const [tab, comment, ...nodes] = JSON.parse(read(EXAMPLES, file));
        assert.deepEqual([tab.type, comment.type], ["tab", "comment"]);
        const types = new Set(nodes.map((/** @type {any} */ node) => node.type));
        const foreign = [...types].filter((type) => !type.startsWith("schedule-") && !CORE.includes(type));
        assert.deepEqual(foreign, []);
        for (const type of ["schedule-trigger", "schedule-finish", "catch", "debug"]) assert.ok(types.has(type), type);
    });

    test(`the example ${file} asks a question, in a group that holds all of its nodes`, () => {
        const [, ...nodes] = JSON.parse(read(EXAMPLES, file));
        const [group, ...others] = nodes.filter((/** @type {any} */ { type }) => type === "group");
        assert.match(group.name, /\?$/);
        assert.deepEqual(others, []);
        const placed = nodes.filter((/** @type {any} */ { type, x }) => type !== "group" && x !== undefined);
        assert.deepEqual(placed.map((/** @type {any} */ { id }) => id).sort(), group.nodes.toSorted());
    });

    test(`the trigger of ${file} has every property of the contract`, () => {
        const nodes = JSON.parse(read(EXAMPLES, file));
        const triggers = nodes.filter((/** @type {any} */ { type }) => type === "schedule-trigger");
        const names = Object.keys(DEFAULTS);
        for (const trigger of triggers) for (const name of names) assert.ok(name in trigger, name);
    });

    test(`the wires of ${file} lead somewhere`, () => {
        const nodes = JSON.parse(read(EXAMPLES, file));
        const ids = new Set(nodes.map((/** @type {any} */ { id }) => id));
        for (const { wires = [] } of nodes) for (const id of wires.flat()) assert.ok(ids.has(id), id);
    });
}
