import { until } from "../../e2e/support/house.mjs";
import { PolicyPicture } from "./picture.mjs";

const CLOSES_WITHIN_MS = 10_000;

/** What the dialogs of nodes and of configuration nodes have in common. */
class Form {
    /**
     * @param {import("playwright-core").Page} page
     * @param {string} prefix of the fields' ids
     */
    constructor(page, prefix) {
        this.page = page;
        this.prefix = prefix;
    }

    /** The field of a property. */
    field(name) {
        return this.page.locator(`#${this.prefix}${name}`);
    }

    /** Types a text into a field in place of what is there. */
    async type(name, text) {
        await this.field(name).click();
        await this.page.keyboard.press("ControlOrMeta+a");
        await this.page.keyboard.press("Delete");
        await this.page.keyboard.type(text);
    }

    /** Opens the help of the node, waits until it says what is expected, and gives its text. */
    async help(words) {
        await this.page.locator(".red-ui-tray-footer:visible .fa-book").last().click();
        const help = this.page.locator(".red-ui-help:visible").first();
        await help.getByText(words).waitFor();
        return help.innerText();
    }

    /** Chooses from a list, by the words that are shown. */
    choose(name, label) {
        return this.field(name).selectOption({ label });
    }
}

/** The dialog of a schedule-bridge, opened from that of a trigger. */
class BridgeDialog extends Form {
    /** @param {import("playwright-core").Page} page */
    constructor(page) {
        super(page, "node-config-input-");
    }

    /** Adds what was typed as a new configuration node. */
    add() {
        return this.#close("#node-config-dialog-ok");
    }

    cancel() {
        return this.#close("#node-config-dialog-cancel");
    }

    async #close(button) {
        await this.page.locator(button).click();
        await this.page.locator("#node-config-dialog-edit-form").waitFor({ state: "detached" });
    }
}

/** The dialog of a node, open in the editor; the hints are those of a schedule-trigger. */
export class Dialog extends Form {
    /** @param {import("playwright-core").Page} page */
    constructor(page) {
        super(page, "node-input-");
        this.form = page.locator("#dialog-form");
        this.picture = new PolicyPicture(page);
        this.next = page.locator("#schedule-trigger-next");
        this.description = page.locator("#schedule-trigger-description");
        this.policy = page.locator("#schedule-trigger-policy");
        this.lock = page.locator("#schedule-trigger-lock");
        this.finishOnly = page.locator("#schedule-trigger-finishOnly");
        this.limit = page.locator("#schedule-trigger-limit");
        this.summary = page.locator("#schedule-trigger-summary");
    }

    /** Waits until the dialog stands still. */
    async opened() {
        await this.form.waitFor();
        await this.page.locator("#node-dialog-ok").click({ trial: true });
    }

    chooseWorkflow(label) {
        return this.page.locator("#schedule-trigger-workflow").selectOption({ label });
    }

    /** The typed input of a property. */
    typedInput(name) {
        return this.form.locator(".form-row", { has: this.field(name) }).locator(".red-ui-typedInput-container");
    }

    /** Chooses a type from the menu of a typed input, by the words that are shown. */
    async chooseType(name, label) {
        await this.typedInput(name).locator(".red-ui-typedInput-type-select").click();
        // While the menu slides down its overflow is hidden; a choice made then does not close it.
        const menu = this.page.locator(".red-ui-typedInput-options:visible");
        await menu.and(this.page.locator(":not([style*='overflow'])")).locator("a", { hasText: label }).first().click();
        await menu.first().waitFor({ state: "hidden" });
    }

    async typeTyped(name, text) {
        await this.typedInput(name).locator("input:visible").fill(text);
    }

    /** Types a list of lock keys, a line each. */
    async typeLockKeys(keys) {
        await this.page.locator("#schedule-trigger-lockKeys").fill(keys.join("\n"));
    }

    /** Opens "More settings". */
    async more() {
        await this.form.locator(".schedule-trigger-more > summary").click();
    }

    /** Opens the dialog of a new bridge. */
    async addBridge() {
        await this.page.locator("#node-input-btn-bridge-add").click();
        await this.page.locator("#node-config-dialog-ok").click({ trial: true });
        return new BridgeDialog(this.page);
    }

    /** The names of the properties whose fields are shown, in order. */
    async shown() {
        const fields = this.form.locator("[id^='node-input-']:visible");
        return fields.evaluateAll((elements) =>
            elements.filter(({ tagName }) => ["INPUT", "SELECT"].includes(tagName)).map(({ id }) => id.slice("node-input-".length)),
        );
    }

    async #close(button) {
        await this.page.locator(button).click();
        const isGone = async () => (await this.form.count()) === 0 && this.page.locator("#red-ui-editor-shade").isHidden();
        await until("the end of the dialog", isGone, CLOSES_WITHIN_MS);
    }

    done() {
        return this.#close("#node-dialog-ok");
    }

    cancel() {
        return this.#close("#node-dialog-cancel");
    }
}
