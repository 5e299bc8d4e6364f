/** The line of a workspace: what is in use, what waits, and the limit, which can be changed here. */
import { button, fill, make } from "./dom.mjs";
import { meter } from "./meter.mjs";
import { workspaceWords } from "./words.mjs";

export class WorkspaceLine {
    #bridge;
    #isEditing = false;

    /**
     * @param {{say: Function, mayWrite: boolean, setLimit: (bridge: string, limit: number) => Promise<void>}} acts
     */
    constructor({ say, mayWrite, setLimit }) {
        this.say = say;
        this.setLimit = setLimit;
        this.pencil = mayWrite && button({ icon: "pencil", label: say("limit.change"), class: "schedules-pencil", act: () => this.#edit() });
        this.facts = make("div", { class: "schedules-facts" });
        this.form = make("form", { class: "schedules-limit", on: { submit: (event) => this.#submit(event), keydown: (event) => this.#key(event) } });
        this.element = make("div", { class: "schedules-workspace" }, make("div", { class: "schedules-workspace-head" }, this.facts, this.pencil), this.form);
    }

    /** @param {{id: string, workspaceId: string, name: string, workspace?: object, configuredLimit?: number}} bridge */
    update(bridge) {
        this.#bridge = bridge;
        const { workspaceId, name, workspace } = bridge;
        const title = make("b", { title: name || undefined }, workspaceId);
        const { use, counts } = workspace ? workspaceWords(workspace, this.say) : { use: "", counts: "" };
        const limited = workspace && workspace.maxConcurrentExecutions > 0;
        fill(
            this.facts,
            make("div", { class: "schedules-use" }, title, limited && meter(workspace), use && make("span", {}, use)),
            make("div", { class: "schedules-counts" }, counts),
        );
        if (this.pencil) this.pencil.hidden = !workspace;
    }

    #edit() {
        if (this.#isEditing) {
            this.#done();
            return;
        }
        this.#isEditing = true;
        const { workspace, workspaceId, configuredLimit } = this.#bridge;
        const label = this.say("limit.label", { workspace: workspaceId });
        const attributes = { type: "number", min: 0, step: 1, required: true, value: workspace.maxConcurrentExecutions, "aria-label": label };
        this.input = make("input", attributes);
        const save = make("button", { type: "submit", class: "red-ui-button red-ui-button-small" }, this.say("limit.save"));
        const hint = configuredLimit === undefined ? "limit.hint" : "limit.configured";
        this.problem = make("div", { class: "schedules-hint", "aria-live": "polite" }, this.say(hint, { limit: configuredLimit }));
        fill(this.form, make("div", { class: "schedules-limit-row" }, make("span", {}, this.say("limit.atMost")), this.input, save), this.problem);
        this.input.select();
    }

    #key(event) {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        this.#done();
    }

    async #submit(event) {
        event.preventDefault();
        try {
            await this.setLimit(this.#bridge.id, this.input.valueAsNumber);
            this.#done();
        } catch (error) {
            this.problem.classList.add("schedules-wrong");
            this.problem.textContent = error.message;
        }
    }

    #done() {
        this.#isEditing = false;
        fill(this.form);
        this.pencil.focus();
    }
}
