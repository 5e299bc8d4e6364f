/** Node-RED's editor in a real browser, used as a person uses it: with mouse and keyboard. */
import { until } from "../../e2e/support/house.mjs";
import { Dialog } from "./dialog.mjs";
import { Troubles } from "./troubles.mjs";

const WAITS_MS = 10_000;
/** A double click that has opened nothing by then was none. */
const OPENS_WITHIN_MS = 5_000;
/** Clicks on tabs that follow each other sooner are a double click, which opens a dialog. */
const DOUBLE_CLICK_MS = 400;
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
     * @param {import("playwright-core").BrowserContextOptions & {login?: {username: string, password: string}}} [options]
     */
    static async open(browser, house, { login, ...options } = {}) {
        const context = await browser.newContext({ viewport: SIZE, locale: "en-US", ...options });
        const editor = new Editor();
        editor.page = await context.newPage();
        editor.page.setDefaultTimeout(WAITS_MS);
        editor.house = house;
        editor.url = house.nodeRed.url;
        editor.troubles = new Troubles(editor.page, editor.url);
        // The palette manager's list of other people's nodes: the tests need no network.
        await editor.page.route(`${CATALOGUE}**`, (route) => route.fulfill({ json: { modules: [] } }));
        if (login) await editor.#logIn(login);
        await editor.load();
        return editor;
    }

    async #logIn({ username, password }) {
        await this.page.goto(this.url);
        await this.page.locator("#node-dialog-login-username").fill(username);
        await this.page.locator("#node-dialog-login-password").fill(password);
        await this.page.locator("#node-dialog-login-submit").click();
        await this.page.locator("#red-ui-header-button-user").waitFor();
        this.troubles.forget();
    }

    async load() {
        await this.page.goto(this.url);
        await this.page.locator(".red-ui-palette-node[data-palette-type='schedule-trigger']").waitFor({ state: "attached" });
        await this.page.locator("#red-ui-loading-progress").waitFor({ state: "hidden" });
        // On a busy machine a click would else meet what slides past.
        await this.page.evaluate("jQuery.fx.off = true");
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
        const dialog = new Dialog(this.page);
        await until(`the dialog of ${id}`, async () => {
            // Two clicks within one millisecond are none to the editor, nor are two that a busy machine holds apart.
            await this.node(id).locator(".red-ui-flow-node").first().dblclick({ delay: 20 });
            return dialog.form.waitFor({ timeout: OPENS_WITHIN_MS }).then(
                () => true,
                () => false,
            );
        });
        await dialog.opened();
        return dialog;
    }

    /** Presses a node's button. */
    async press(id) {
        await this.node(id).locator(".red-ui-flow-node-button-button").click();
    }

    /** Deploys, and waits until Node-RED has said that it is done and the flows run. */
    async deploy() {
        await this.house.startingFlows(async () => {
            await this.page.locator("#red-ui-header-button-deploy").click();
            await this.notification("Successfully deployed");
        });
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

    /** Waits until a node's status is as wanted; a text may be a pattern, what is left out is not looked at. */
    async untilStatus(id, wanted, within = 20_000) {
        const fits = (value, want) => (want instanceof RegExp ? want.test(value) : want === value);
        let shown;
        const isWanted = async () => {
            shown = await this.status(id);
            return Object.entries(wanted).every(([part, want]) => fits(shown[part], want));
        };
        await until(`the status ${Object.values(wanted).join(" ")}`, isWanted, within).catch((error) => {
            throw new Error(`${error.message}; it is ${JSON.stringify(shown)}`);
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

    /** Expands the debug messages that hold a text, as they are now. */
    async expandDebugMessages(text) {
        const messages = await this.page.locator(".red-ui-debug-msg", { hasText: text }).all();
        for (const message of messages) await message.locator(".red-ui-debug-msg-object-handle").first().click();
    }

    /** Imports an example of this package from the menu's dialog. */
    async importExample(name) {
        const tabs = this.page.locator("#red-ui-workspace-tabs li");
        const before = await tabs.count();
        await this.page.keyboard.press("Control+i");
        await this.page.getByRole("link", { name: "Examples" }).click();
        const entry = (text) => this.page.locator(".red-ui-clipboard-dialog-box .red-ui-treeList-label:visible", { hasText: text });
        for (const place of [entry("@schedule-trigger/node-red-schedule-trigger"), entry("flows").nth(1), entry(name)]) {
            // The branch of a tree opens late, and Playwright looks for it ever more seldom.
            await until(`the branch of the example ${name}`, () => place.isVisible(), WAITS_MS);
            await place.click();
        }
        await entry(name).and(this.page.locator(".selected")).waitFor();
        await this.page.locator("#red-ui-clipboard-dialog-ok").click();
        await until(`the tab of the example ${name}`, async () => (await tabs.count()) > before, WAITS_MS);
    }

    /** Goes to a flow by its tab. */
    async goTo(label) {
        const tab = this.page.locator("#red-ui-workspace-tabs li", { hasText: label });
        await this.page.waitForTimeout(DOUBLE_CLICK_MS);
        await tab.click();
        await tab.and(this.page.locator(".active")).waitFor();
    }

    /** The notifications that are shown as warnings or errors. */
    warnings() {
        return this.page.locator(".red-ui-notification-warning, .red-ui-notification-error").allTextContents();
    }

    /** Shows only those nodes in the palette whose names hold a text. */
    async filterPalette(text) {
        await this.page.locator("#red-ui-palette-search input").click();
        await this.page.keyboard.type(text);
        await this.page.locator(".red-ui-palette-node[data-palette-type='inject']").waitFor({ state: "hidden" });
    }

    /** Chooses the dark theme, which Node-RED 5 has. */
    async goDark() {
        await this.page.evaluate('RED.settings.setLocal("view-dark-theme", "dark")');
        await this.load();
        await this.page.locator("html.nr-theme-dark").waitFor();
    }

    /** Shows or hides a pane of the sidebars of Node-RED 5. */
    togglePane(name) {
        return this.page.locator(`.red-ui-sidebar-tab-bar button[data-tab-id="${name}"]`).click();
    }

    /** Waits until no notification is shown. */
    async withoutNotifications() {
        await until("the end of the notifications", async () => (await this.page.locator(".red-ui-notification:visible").count()) === 0);
    }
}
