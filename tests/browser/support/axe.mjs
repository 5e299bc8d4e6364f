/** What axe-core finds on a page: barriers for people who do not see, or use no mouse. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const WORST = ["serious", "critical"];

/**
 * Holds that a part of the page has no serious barrier.
 * @param {import("playwright-core").Page} page
 * @param {string} part a CSS selector
 */
export async function assertNoBarrier(page, part) {
    await page.addScriptTag({ path: AXE });
    const { violations } = await page.evaluate((selector) => globalThis.axe.run(selector), part);
    const worst = violations.filter(({ impact }) => WORST.includes(impact));
    const told = worst.flatMap(({ id, help, nodes }) => nodes.map(({ html, any }) => `${id}: ${help}: ${html} ${any.map(({ message }) => message).join("; ")}`));
    assert.deepEqual(told, []);
}
