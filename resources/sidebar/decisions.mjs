/** What happened, newest first: decisions with their reasons, ends that were not good ones, missed stretches. */
import { button, fill, make, sign } from "./dom.mjs";
import { CHOICES, entries, ofKind } from "./story.mjs";
import { duration, short } from "./words.mjs";

/** The run that a decision's own sentence names. The bridge's sentences are English. */
const NAMED_RUN = /\bruns? ([0-9a-f]{4})\b/;

/** A sentence with the id of its run set like the ids elsewhere. */
function withId(sentence, id) {
    const [before, ...rest] = id ? sentence.split(id) : [sentence];
    return rest.length === 0 ? [sentence] : [before, make("code", {}, id), rest.join(id)];
}

/** The run that an entry's sentence is about. */
function runOf({ message, end }) {
    return end ? short(end.executionId) : NAMED_RUN.exec(message)?.[1];
}

export class Decisions {
    #past = { decisions: [], executions: [], hasMore: false };
    #said = "";

    /** @param {{say: Function, time: (at: number) => string, older: () => void}} surroundings */
    constructor({ say, time, older }) {
        Object.assign(this, { say, time });
        const options = CHOICES.map((choice) => make("option", { value: choice }, say(`choice.${choice}`)));
        this.choice = make("select", { class: "schedules-choice", "aria-label": say("choice.label"), on: { change: () => this.#draw() } }, ...options);
        this.lines = make("ol", { class: "schedules-decisions" });
        this.older = button({ text: say("older"), class: "schedules-older", act: older });
        const head = make("h4", {}, say("section.decisions"), this.choice);
        this.element = make("section", {}, head, this.lines, this.older);
    }

    /** @param {{decisions: object[], executions: object[], hasMore: boolean}} past */
    update(past) {
        this.#past = past;
        this.#draw();
    }

    #draw() {
        const list = ofKind(entries(this.#past), this.choice.value);
        const said = JSON.stringify([this.choice.value, list.map(({ at, outcome, message, end }) => [this.time(at), outcome, message, end?.executionId])]);
        this.older.hidden = !this.#past.hasMore;
        if (said === this.#said) return;
        this.#said = said;
        const lines = list.map((entry) => this.#line(entry));
        fill(this.lines, ...(lines.length > 0 ? lines : [make("li", { class: "schedules-nothing" }, this.say("noDecisions"))]));
    }

    #line(entry) {
        const { at, outcome } = entry;
        const sentence = make("span", {}, ...withId(this.tell(entry), runOf(entry)));
        return make("li", {}, make("time", {}, this.time(at)), sign(outcome), sentence);
    }

    /** The sentence of an entry: a decision's own, or how a run ended. */
    tell({ message, end, outcome }) {
        return message ?? this.tellEnd(end, outcome);
    }

    /** How a run ended. */
    tellEnd({ executionId, startedAt, endedAt, reason }, outcome) {
        const span = duration(Date.parse(endedAt) - Date.parse(startedAt), this.say);
        const sentence = this.say(`ended.${outcome}`, { run: short(executionId), span });
        return outcome === "failed" && reason ? `${sentence} ${this.say("ended.because", { reason })}` : sentence;
    }
}
