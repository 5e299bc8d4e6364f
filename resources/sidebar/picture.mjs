/** The live timeline of a trigger: what happened, what goes on, and the next ticks; a strip for each lock key. */
import { button, make } from "./dom.mjs";
import { endingOf } from "./story.mjs";
import { duration, short } from "./words.mjs";

/** So many firings are in view at first. */
const IN_VIEW = 9;
/** The share of the view that lies ahead of now. */
const AHEAD = 0.3;
/** Milliseconds. A first view of less would race past. */
const LEAST_PAST = 10_000;
/** More strips are not drawn: they would not be told apart. */
const MOST_STRIPS = 12;

/** The keys that a strip of its own is for, "" for firings without one; undefined alone where keys play no part. */
function keysOf(lockKeys, decisions, executions) {
    if (lockKeys.length === 0) return [undefined];
    const seen = new Set([...executions, ...decisions].map(({ lockKey }) => lockKey ?? ""));
    return [...new Set([...lockKeys, ...seen])];
}

/** When the firings came that are known, oldest first. */
function times(decisions) {
    return decisions.map(({ firedAt }) => Date.parse(firedAt)).sort((one, other) => one - other);
}

export class Picture {
    #view;
    #shown;

    /** @param {{say: Function, clock: object, time: Function, tellEnd: Function, lang: () => string | undefined}} surroundings */
    constructor(surroundings) {
        this.surroundings = surroundings;
        const { say } = surroundings;
        this.place = make("div", { class: "schedules-timeline" });
        this.sentence = make("div", { class: "schedules-sentence", "aria-live": "polite" });
        this.undrawn = make("div", { class: "schedules-hint" });
        const told = make("div", { class: "schedules-told" }, this.sentence, this.#zoomButtons(say));
        this.element = make("div", { class: "schedules-picture" }, this.place, this.undrawn, told);
        this.#view = window.ScheduleTimeline.create(this.place, {
            names: { firings: say("lane.firings"), waiting: say("lane.waiting"), runs: say("lane.runs") },
            words: (key) => say(`timeline.${key}`),
            onTell: (sentence) => this.#tell(sentence),
        });
    }

    #zoomButtons(say) {
        const zoom = (name, factor) => button({ icon: name, label: say(`timeline.${factor > 1 ? "zoomOut" : "zoomIn"}`), act: () => this.#view.zoom(factor) });
        return make("div", { class: "schedules-zoom" }, zoom("search-minus", 2), zoom("search-plus", 0.5));
    }

    /**
     * @param {{decisions: object[], executions: object[], ticks: string[]}} past
     * @param {{timezone: string, lockKeys: string[]}} trigger
     */
    update(past, trigger) {
        this.past = past;
        this.trigger = trigger;
        this.element.hidden = past.decisions.length === 0 && past.executions.length === 0;
        if (!this.element.hidden) this.draw();
    }

    /** Draws it as of now, without moving what somebody has zoomed or panned to. */
    draw() {
        if (!this.past || this.element.hidden) return;
        const { clock, lang } = this.surroundings;
        const { now } = clock;
        const first = this.#firstView(now);
        const picture = { bands: this.#bands(first.to), bounds: this.#bounds(first), view: first, zone: this.trigger.timezone, lang: lang(), now };
        const wasMoved = this.#shown && JSON.stringify(this.#view.view) !== this.#shown;
        this.#view.show(picture, { keepsView: Boolean(wasMoved), keepsPoint: true });
        if (!wasMoved) this.#shown = JSON.stringify(this.#view.view);
    }

    close() {
        this.#view.close();
    }

    #firstView(now) {
        const came = times(this.past.decisions);
        const from = came[Math.max(0, came.length - IN_VIEW)] ?? now - LEAST_PAST;
        const starts = this.past.executions.filter(({ endedAt }) => !endedAt).map(({ startedAt, createdAt }) => Date.parse(startedAt ?? createdAt));
        const span = Math.max(now - Math.min(from, ...starts), LEAST_PAST);
        return { from: now - span * 1.05, to: now + span * AHEAD };
    }

    #bounds({ from, to }) {
        return { from: Math.min(from, ...times(this.past.decisions)), to };
    }

    #bands(until) {
        const { decisions, executions, ticks } = this.past;
        const keys = keysOf(this.trigger.lockKeys, decisions, executions);
        this.undrawn.textContent = keys.length > MOST_STRIPS ? this.surroundings.say("lane.undrawn", { shown: MOST_STRIPS, count: keys.length }) : "";
        return keys.slice(0, MOST_STRIPS).map((key) => {
            const own = (thing) => key === undefined || (thing.lockKey ?? "") === key;
            const story = window.ScheduleTimeline.tellPast(decisions.filter(own), executions.filter(own));
            story.marks.push(...ticks.map(Date.parse).filter((at) => at <= until).map((at) => ({ at, outcome: "expected" })));
            return { story, title: this.#title(key), tell: (thing) => this.#sentenceOf(thing) };
        });
    }

    #title(key) {
        if (key === undefined) return undefined;
        return key === "" ? this.surroundings.say("lane.noKey") : key;
    }

    #sentenceOf(thing) {
        const { say, time } = this.surroundings;
        if (thing.execution) return this.#tellRun(thing);
        if (thing.decision) return thing.decision.message;
        return say("lane.expected", { time: time(thing.at) });
    }

    #tellRun({ execution, start, end }) {
        const { say, clock, tellEnd } = this.surroundings;
        if (end === undefined) return `${short(execution.executionId)} ${say(`run.${execution.state}`, { span: duration(clock.now - start, say) })}`;
        return tellEnd(execution, endingOf(execution));
    }

    #tell(sentence) {
        this.sentence.textContent = sentence ?? "";
    }
}
