/** The sidebar "Schedules", used as a person uses it. */
import { until } from "../../e2e/support/house.mjs";

export class Schedules {
    /** @param {import("./editor.mjs").Editor} editor */
    constructor(editor) {
        this.editor = editor;
        this.page = editor.page;
        this.root = this.page.locator(".schedules");
        this.search = this.root.getByRole("textbox", { name: "filter triggers" });
        this.flow = this.root.getByRole("combobox", { name: "flow" });
        this.note = this.root.locator(".schedules-note");
        this.details = this.root.locator(".schedules-details");
        this.sentence = this.root.locator(".schedules-sentence");
        this.decisions = this.root.locator(".schedules-decisions > li");
    }

    /** Shows the sidebar. */
    async show() {
        await this.page.evaluate('RED.actions.invoke("schedule-trigger:show-schedules")');
        await this.root.waitFor();
    }

    /** The row of a trigger, by its name. */
    row(name) {
        return this.root.locator(".schedules-row", { has: this.page.getByText(name, { exact: true }) });
    }

    /** The names that are listed, in order. */
    names() {
        return this.root.locator(".schedules-row .schedules-name").allTextContents();
    }

    /** Waits until a row says something. */
    untilRow(name, text) {
        return this.row(name).filter({ hasText: text }).waitFor();
    }

    /** Opens a trigger by the arrow of its row. */
    async open(name) {
        await this.row(name).getByRole("button", { name: `Open ${name}` }).click();
        await this.decisions.first().waitFor();
    }

    async back() {
        await this.details.getByRole("button", { name: "Back to the list" }).click();
        await this.search.waitFor();
    }

    /** The lines of a section: "Active" or "Waiting". */
    lines(section) {
        const place = this.details.locator("section", { has: this.page.getByRole("heading", { name: section }) });
        return place.locator(".schedules-run");
    }

    /** Waits until a section's lines are as many as wanted. */
    untilLines(section, count) {
        return until(`${count} in ${section}`, async () => (await this.lines(section).count()) === count, 10_000);
    }

    verb(name, place = this.details) {
        return place.getByRole("button", { name, exact: true });
    }

    /** Waits for a decision that holds a text. */
    decision(text) {
        return this.decisions.filter({ hasText: text }).first().waitFor();
    }

    /** The line of a workspace. */
    workspace(name) {
        return this.root.locator(".schedules-workspace", { has: this.page.getByText(name, { exact: true }) });
    }

    /** Makes the sidebar so wide. */
    async resize(width) {
        await this.root.evaluate((element, wide) => (element.style.width = `${wide}px`), width);
    }
}
