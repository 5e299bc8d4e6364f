"use strict";

/** Every language says all that English says, with the same values, and within the same room. */
const assert = require("node:assert/strict");
const fs = require("node:fs");
const path = require("node:path");
const { test } = require("node:test");
const { briefTime, briefestTime } = require("../../node-red/lib/clock-words");

const ROOT = path.resolve(__dirname, "../../node-red");
const FOLDERS = [path.join(ROOT, "locales"), path.join(ROOT, "plugin", "locales")];
const ENGLISH = "en-US";
const TRANSLATED = ["de", "ja"];
const LONGEST_STATUS = 20;

const filesOf = (/** @type {string} */ folder, /** @type {string} */ language) => fs.readdirSync(path.join(folder, language)).sort();
const read = (/** @type {string[]} */ ...parts) => fs.readFileSync(path.join(...parts), "utf8");

/**
 * @param {unknown} part of a catalogue
 * @param {string} [key] where it is
 * @returns {[string, string][]} the keys and texts in it
 */
function textsIn(part, key = "") {
    if (typeof part === "string") return [[key, part]];
    return Object.entries(/** @type {object} */ (part)).flatMap(([name, value]) => textsIn(value, key ? `${key}.${name}` : name));
}

/** The texts of a file of a folder in a language, by key. */
function catalogue(/** @type {string} */ folder, /** @type {string} */ language, /** @type {string} */ file) {
    return Object.fromEntries(textsIn(JSON.parse(read(folder, language, file))));
}

const placeholdersOf = (/** @type {string} */ text) => [...new Set(text.match(/__\w+?__/g))].sort();
/** Parts of a text that are set apart, such as what is bold. */
const emphasised = (/** @type {string} */ text) => text.split("**").length;

/** The tags and names of a help text, in order, and what it says in code, in no order: languages differ in theirs. */
function structureOf(/** @type {string} */ help) {
    const tags = help.match(/<[a-z]\w*[^>]*>/g) ?? [];
    const outer = tags.filter((tag) => !/^<(b|code|span)\b/.test(tag)).map((tag) => tag.replace(/ alt="[^"]*"/, ""));
    const names = help.match(/<dt[^>]*>[a-z]\w*(?= <span)/g);
    const code = help.match(/<code>[^<]*/g)?.sort();
    return { outer, names, code };
}

for (const folder of FOLDERS) {
    const place = path.relative(ROOT, folder);
    for (const language of TRANSLATED) {
        test(`${place} has every file in ${language}`, () => {
            assert.deepEqual(filesOf(folder, language), filesOf(folder, ENGLISH));
        });
        for (const file of filesOf(folder, ENGLISH)) {
            if (file.endsWith(".json")) test(`${place}/${language}/${file} has every text, with its values`, () => compareTexts(folder, language, file));
            else test(`${place}/${language}/${file} explains the same things in the same order`, () => compareHelp(folder, language, file));
        }
    }
}

/**
 * @param {string} folder
 * @param {string} language
 * @param {string} file
 */
function compareTexts(folder, language, file) {
    const [english, translated] = [ENGLISH, language].map((each) => catalogue(folder, each, file));
    assert.deepEqual(Object.keys(translated).sort(), Object.keys(english).sort());
    for (const [key, text] of Object.entries(english)) {
        assert.notEqual(translated[key].trim(), "", key);
        assert.deepEqual(placeholdersOf(translated[key]), placeholdersOf(text), key);
        assert.equal(emphasised(translated[key]), emphasised(text), key);
    }
}

/**
 * @param {string} folder
 * @param {string} language
 * @param {string} file
 */
function compareHelp(folder, language, file) {
    const [english, translated] = [ENGLISH, language].map((each) => structureOf(read(folder, each, file)));
    assert.deepEqual(translated, english);
}

const NOW = Date.parse("2026-09-01T12:00:00Z");
/** Today, within a week, far away: what is said of each is of another length. */
const INSTANTS = ["2026-09-01T23:59:59Z", "2026-09-02T14:20:05Z", "2026-09-30T14:20:00Z", "2026-12-23T14:20:05Z"];

/** Values as long as a status may have to show, by the status. */
function longValues(/** @type {string} */ locale) {
    const place = { now: NOW, timeZone: "UTC", locale };
    const times = (/** @type {typeof briefTime} */ say) => INSTANTS.map((instant) => ({ time: say(instant, place) }));
    return /** @type {Record<string, Record<string, string | number>[]>} */ ({
        next: times(briefTime),
        paused: times(briefestTime),
        late: [{ node: "resize all im…" }],
        installing: [{ step: 2, steps: 3 }],
    });
}

const MANY = { queued: 99, running: 99, limit: 99, place: 99, skipped: "99k" };

for (const language of [ENGLISH, ...TRANSLATED]) {
    test(`no status in ${language} is longer than ${LONGEST_STATUS} characters, whatever it has to say`, () => {
        const { locale, status } = JSON.parse(read(FOLDERS[0], language, "schedule-trigger.json"))["schedule-trigger"];
        const finish = JSON.parse(read(FOLDERS[0], language, "schedule-finish.json"))["schedule-finish"].status;
        const long = longValues(locale);
        for (const [key, text] of Object.entries({ ...status, ...finish })) {
            for (const values of long[key] ?? [MANY]) {
                const filled = text.replace(/__(\w+?)__/g, (/** @type {string} */ _whole, /** @type {string} */ name) => String(/** @type {any} */ (values)[name]));
                assert.doesNotMatch(filled, /undefined/, key);
                assert.ok([...filled].length <= LONGEST_STATUS, `${filled}: ${[...filled].length}`);
            }
        }
    });
}
