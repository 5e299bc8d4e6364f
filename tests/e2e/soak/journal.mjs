/** What the flows write about themselves, and the settings that let them. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../../scripts/setup.mjs";

const FILE = "journal.jsonl";

/** Fills a user directory with settings that let flows note what they do, and give them chance from a seed. */
export const fillWith = (seed) => (userDir) => writeFileSync(path.join(userDir, "more-settings.js"), settings(seed));

/** In a Function node `global.get("soak")` has `note(what, said)` and `random()`. */
function settings(seed) {
    const chance = path.join(root, "tests", "e2e", "soak", "chance.mjs");
    return `const { appendFileSync } = require("node:fs");
const { pathToFileURL } = require("node:url");
const file = require("node:path").join(__dirname, ${JSON.stringify(FILE)});
let random = Math.random;
import(pathToFileURL(${JSON.stringify(chance)})).then(({ chance }) => (random = chance(${seed})));
const note = (what, said) => appendFileSync(file, JSON.stringify({ what, said }) + "\\n");
module.exports = {
    runtimeState: { enabled: true, ui: false },
    functionGlobalContext: { soak: { note, random: () => random() } },
};
`;
}

/** What was noted in a user directory, in order. */
export function readJournal(userDir) {
    const lines = readFileSync(path.join(userDir, FILE), "utf8").split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line));
}
