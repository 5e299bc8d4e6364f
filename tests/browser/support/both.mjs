/** A browser test on both Node-REDs at once. */
import { test } from "node:test";
import { inTime } from "../../../scripts/processes.mjs";
import { inHouse, VERSIONS } from "../../e2e/support/house.mjs";
import { launchChromium } from "./chromium.mjs";
import { Editor } from "./editor.mjs";

/** A part that takes longer hangs: then its name is worth more than waiting. */
const PART_HANGS_AFTER_MS = 120_000;

/** Playwright waits for these for ever. */
const BROWSER_HANGS_AFTER_MS = 60_000;
const bounded = (promise, what) => inTime(promise, BROWSER_HANGS_AFTER_MS, `${what} hangs`);

/** Runs parts until one fails: those after it build on what it did. The house adds its logs to the error. */
async function inTurn(t, version, parts, there) {
    for (const [name, part] of Object.entries(parts)) {
        let passed = false;
        await t.test(`${name}, ${version}`, { timeout: PART_HANGS_AFTER_MS }, async () => {
            await part(there);
            passed = true;
        });
        if (!passed) throw new Error(`${name}: failed, see above`);
    }
}

/**
 * Opens a house with flows and an editor on it, for each version of Node-RED, and runs the parts of a test there in
 * order. What a part does not expect of the page (errors, failed requests) fails it.
 * @param {string} what
 * @param {object[]} flows
 * @param {Record<string, (there: {house: import("../../e2e/support/house.mjs").House, editor: Editor}) => Promise<void>>} parts
 * @param {string} [lang] of Node-RED and of the browser
 */
export function onBoth(what, flows, parts, lang = "en-US") {
    test(what, { concurrency: true }, async (t) => {
        const browser = await launchChromium();
        t.after(() => bounded(browser.close(), "the end of the browser"));
        const runs = VERSIONS.map((version) =>
            t.test(`on Node-RED ${version}`, (t) =>
                inHouse({ version, flows, settings: { lang } }, async (house) => {
                    const editor = await bounded(Editor.open(browser, house, { locale: lang }), "the opening of the editor");
                    await inTurn(t, version, parts, { house, editor });
                }),
            ),
        );
        await Promise.all(runs);
    });
}
