/** One trigger in the list. */
import { fill, icon, make, set, sign } from "./dom.mjs";
import { sparkline } from "./sparkline.mjs";

/** The square of a node's status. */
export function statusSquare(status) {
    const look = status ? `schedules-${status.shape} schedules-${status.fill}` : "schedules-ring schedules-grey";
    return make("span", { class: `schedules-square ${look}`, "aria-hidden": "true" });
}

export class Row {
    #said = "";

    /**
     * @param {string} id
     * @param {{say: Function, show: (id: string) => void, open: (id: string) => void}} acts
     */
    constructor(id, { say, show, open }) {
        this.id = id;
        this.say = say;
        this.main = make("button", { type: "button", class: "schedules-main", on: { click: () => show(id) } });
        this.arrow = make("button", { type: "button", class: "schedules-arrow", on: { click: () => open(id) } }, icon("angle-right"));
        this.outcome = make("span", { class: "schedules-outcome" });
        this.element = make("li", { class: "schedules-row", on: { keydown: (event) => this.#key(event, open) } }, this.main, this.outcome, this.arrow);
    }

    #key(event, open) {
        const opens = event.key === "ArrowRight" || (event.key === "Enter" && event.target === this.main);
        if (!opens) return;
        event.preventDefault();
        // Node-RED's own keys look for the parents of what was pressed, which is gone by then.
        event.stopPropagation();
        open(this.id);
    }

    /**
     * @param {object} trigger
     * @param {(at: string) => string} time
     */
    update(trigger, time) {
        const said = JSON.stringify([trigger, trigger.last && time(trigger.last.at)]);
        if (said === this.#said) return;
        this.#said = said;
        const { label, status, last, runs = [] } = trigger;
        const words = make("span", { class: "schedules-words" }, make("span", { class: "schedules-name" }, label), make("span", { class: "schedules-status" }, status?.text ?? ""));
        fill(this.main, statusSquare(status), words);
        set(this.arrow, "aria-label", this.say("open", { name: label }));
        const word = last && this.say(`outcome.${last.mark}`);
        const happened = last && make("span", { class: "schedules-last" }, sign(markOf(last.mark)), make("span", { class: "schedules-hidden" }, word), make("span", {}, time(last.at)));
        fill(this.outcome, sparkline(runs, this.say), happened);
    }
}

/** The timeline's word for what the record says. */
export function markOf(word) {
    return { waiting: "queued", buffered: "held" }[word] ?? word;
}
