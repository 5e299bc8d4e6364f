/** The admin routes, by relative URL; Node-RED's editor adds who is asking. */

const BASE = "schedule-trigger";

/** A refusal, or that nobody answered. */
export class CallError extends Error {
    /** @param {{status: number, responseJSON?: {message?: string}}} answer */
    constructor({ status, responseJSON }, unanswered) {
        super(responseJSON?.message ?? unanswered);
        this.status = status;
    }
}

export class Calls {
    /** @param {(key: string) => string} say */
    constructor(say) {
        this.say = say;
    }

    list() {
        return this.#ask("GET", "triggers");
    }

    details(id) {
        return this.#ask("GET", `triggers/${id}`);
    }

    /** The page after these cursors; one that is null has no more. */
    history(id, { decisions, executions }) {
        const query = new URLSearchParams({ decisions: decisions ?? "", executions: executions ?? "" });
        return this.#ask("GET", `triggers/${id}/history?${query}`);
    }

    runNow(id) {
        return this.#ask("POST", `${id}/run`);
    }

    /** @param {"pause" | "resume"} verb */
    command(id, verb) {
        return this.#ask("POST", `triggers/${id}/${verb}`);
    }

    /** @param {"cancel" | "terminate"} verb */
    end(id, executionId, verb) {
        return this.#ask("POST", `triggers/${id}/executions/${encodeURIComponent(executionId)}/${verb}`);
    }

    /** Cancels the first set-up of this Node-RED's own bridge. */
    cancelSetUp() {
        return this.#ask("POST", "set-up/cancel");
    }

    setLimit(bridge, maxConcurrentExecutions) {
        return this.#ask("PUT", `workspaces/${bridge}`, { maxConcurrentExecutions });
    }

    async #ask(type, path, body = {}) {
        const sent = type === "GET" ? {} : { contentType: "application/json", data: JSON.stringify(body) };
        try {
            return await $.ajax({ url: `${BASE}/${path}`, type, dataType: "json", ...sent });
        } catch (answer) {
            throw new CallError(answer, this.say("unanswered"));
        }
    }
}
