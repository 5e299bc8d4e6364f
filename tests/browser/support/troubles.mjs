/** What went wrong in a page without anybody looking. */
import assert from "node:assert/strict";

const REFUSED_PREVIEW = "/schedule-trigger/preview";

export class Troubles {
    #seen = [];
    #own;

    /** Watches a page of the editor at `own`: its console, its errors, its requests. */
    constructor(page, own) {
        this.#own = own;
        page.on("console", (message) => this.#hear(message));
        page.on("pageerror", (error) => this.#seen.push(`page error: ${error.stack}`));
        page.on("requestfailed", (request) => this.#failed(request));
        page.on("response", (response) => this.#answered(response));
    }

    #hear(message) {
        const isError = message.type() === "error" || /error/i.test(message.text());
        // The browser's echo of an answer that #answered judges.
        const isEcho = message.text().startsWith("Failed to load resource: the server responded");
        if (isError && !isEcho) this.#seen.push(`console: ${message.text()}`);
    }

    #failed(request) {
        const reason = request.failure()?.errorText;
        if (reason !== "net::ERR_ABORTED") this.#seen.push(`request failed: ${request.url()} ${reason}`);
    }

    #answered(response) {
        if (response.status() < 400 || !response.url().startsWith(this.#own)) return;
        this.#seen.push(`${response.status()}: ${response.request().method()} ${new URL(response.url()).pathname}`);
    }

    /** What went wrong so far was to be expected, as before somebody has logged in. */
    forget() {
        this.#seen = [];
    }

    /** Nothing went wrong, except that previews were answered with one of `previews`: a schedule is bad, a bridge away. */
    assertNone({ previews = [] } = {}) {
        const expected = previews.map((status) => `${status}: POST ${REFUSED_PREVIEW}`);
        assert.deepEqual(this.#seen.filter((trouble) => !expected.includes(trouble)), []);
    }
}
