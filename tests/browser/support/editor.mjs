/** Node-RED's editor in a real browser, used as a person uses it: with mouse and keyboard. */
import { until } from "../../e2e/support/house.mjs";
import { Dialog } from "./dialog.mjs";
import { Troubles } from "./troubles.mjs";

const WAITS_MS = 10_000;
const SIZE = { width: 1400, height: 1000 };
const CATALOGUE = "https://catalogue.nodered.org/";

/** The middle of an element, in the page. */
async function middle(locator) {
    await locator.scrollIntoViewIfNeeded();
    const { x, y, width, height } = await locator.boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
}

export class Editor {
    /**
     * Opens the editor of a house's Node-RED in a page of its own.
     * @param {import("playwright-core").Browser} browser
     * @param {import("../../e2e/support/house.mjs").House} house
     * @param {import("playwright-core").BrowserContextOptions} [options]
     */
    static async open(browser, house, options = {}) {
        const context = await browser.newContext({ viewport: SIZE, locale: "en-US", ...options });
        const editor = new Editor();
        editor.page = await context.newPage();
        editor.page.setDefaultTimeout(WAITS_MS);
        editor.url = house.nodeRed.url;
        editor.troubles = new Troubles(editor.page, editor.url);
        // The palette manager's list of other people's nodes: the tests need no network.
        await editor.page.route(`${CATALOGUE}**`, (route) => route.fulfill({ json: { modules: [] } }));
        await editor.load();
        return editor;
    }

    async load() {
        await this.page.goto(this.url);
        await this.page.locator(".red-ui-palette-node[data-palette-type='schedule-trigger']").waitFor({ state: "attached" });
        await this.page.locator("#red-ui-loading-progress").waitFor({ state: "hidden" });
    }

    close() {
        return this.page.context().close();
    }

    /** A node on the canvas. */
    node(id) {
        return this.page.locator(`[id="${id}"]`);
    }

    async #drag(from, to) {
        const { mouse } = this.page;
        await mouse.move(from.x, from.y);
        await mouse.down();
        await mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 5 });
        await mouse.move(to.x, to.y, { steps: 5 });
        await mouse.up();
    }

    #ids() {
        return this.page.locator(".red-ui-workspace-chart-event-layer .red-ui-flow-node-group").evaluateAll((nodes) => nodes.map(({ id }) => id));
    }

    /** Drags a node from the palette to a place on the canvas, and gives its id. */
    async place(type, { x, y }) {
        const before = await this.#ids();
        const chart = await this.page.locator("#red-ui-workspace-chart").boundingBox();
        const from = await middle(this.page.locator(`.red-ui-palette-node[data-palette-type="${type}"]`));
        await this.#drag(from, { x: chart.x + x, y: chart.y + y });
        const added = async () => (await this.#ids()).find((id) => !before.includes(id));
        return until(`a ${type} on the canvas`, added, 5_000);
    }

    /** Draws a wire from an output, counted from 1, to another node's input. */
    async wire(from, output, to) {
        const source = this.node(from).locator(".red-ui-flow-port-output .red-ui-flow-port").nth(output - 1);
        const target = this.node(to).locator(".red-ui-flow-port-input .red-ui-flow-port");
        await this.#drag(await middle(source), await middle(target));
    }

    /** Opens a node's dialog with a double click. */
    async edit(id) {
        await this.node(id).locator(".red-ui-flow-node").first().dblclick();
        const dialog = new Dialog(this.page);
        await dialog.opened();
        return dialog;
    }

    /** Presses a node's button. */
    async press(id) {
        await this.node(id).locator(".red-ui-flow-node-button-button").click();
    }

    /** Deploys, and waits until Node-RED has said that it is done. */
    async deploy() {
        await this.page.locator("#red-ui-header-button-deploy").click();
        await this.notification("Successfully deployed");
    }

    /** Waits for a notification that holds a text. */
    notification(text) {
        return this.page.locator(".red-ui-notification", { hasText: text }).first().waitFor();
    }

    /** What a node's status shows: `{fill, shape, text}`. */
    async status(id) {
        const group = this.node(id).locator(".red-ui-flow-node-status-group");
        const text = await group.locator(".red-ui-flow-node-status-label").textContent();
        const look = await group.locator(".red-ui-flow-node-status").getAttribute("class");
        const [, shape, fill] = /red-ui-flow-node-status-(dot|ring)-(\w+)/.exec(look) ?? [];
        return { fill, shape, text };
    }

    /** Waits until a node's status is as wanted; a text may be a pattern. */
    async untilStatus(id, { fill, shape, text }, within = 20_000) {
        const isWanted = async () => {
            const shown = await this.status(id);
            const fits = text instanceof RegExp ? text.test(shown.text) : shown.text === text;
            return fits && shown.fill === fill && shown.shape === shape;
        };
        await until(`the status ${fill} ${shape} "${text}"`, isWanted, within).catch(async (error) => {
            throw new Error(`${error.message}; it is ${JSON.stringify(await this.status(id))}`);
        });
    }

    /** Whether a node carries the triangle of a node that is not properly configured. */
    isInvalid(id) {
        return this.node(id).locator(".red-ui-flow-node-error").isVisible();
    }

    /** Shows the debug sidebar. */
    async showDebug() {
        await this.page.keyboard.press("Control+g");
        await this.page.keyboard.press("d");
        await this.page.locator(".red-ui-debug-content-list").waitFor();
    }

    /** Waits for a message in the debug sidebar that holds a text. */
    debugMessage(text, timeout = 20_000) {
        return this.page.locator(".red-ui-debug-msg", { hasText: text }).first().waitFor({ timeout });
    }
}
