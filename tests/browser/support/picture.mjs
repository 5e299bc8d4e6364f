/** The picture of what a trigger does, in its dialog. */
export class PolicyPicture {
    /** @param {import("playwright-core").Page} page */
    constructor(page) {
        this.page = page;
        this.panel = page.locator("#schedule-trigger-picture");
        this.svg = this.panel.locator(".st-picture");
        this.sentence = this.panel.locator(".schedule-trigger-sentence");
        this.legend = this.panel.locator(".st-legend > li");
        this.ring = this.panel.locator(".st-ring");
        this.rows = this.panel.locator("table tbody tr");
        this.slider = this.panel.locator("input[type='range']");
        this.runTime = this.panel.locator("output");
        this.note = this.panel.locator("#schedule-trigger-median");
        this.extent = this.panel.locator("#schedule-trigger-extent");
        this.past = this.panel.getByRole("button", { name: "What happened" });
        this.next = this.panel.getByRole("button", { name: "Next ticks" });
        this.setUp = this.panel.locator(".schedule-trigger-set-up");
    }

    /** Waits until the sentence below the picture holds a text or fits a pattern. */
    says(text) {
        return this.sentence.filter({ hasText: text }).waitFor();
    }

    /** What screen readers read of each tick in view. */
    table() {
        return this.rows.locator("td:last-child").allTextContents();
    }

    zoom(name) {
        return this.panel.getByRole("button", { name }).click();
    }
}
