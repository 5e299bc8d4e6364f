/** Why a bridge cannot be asked, above its triggers. */
import { button, fill, icon, make } from "./dom.mjs";

export class TroubleLine {
    #trouble;

    /**
     * @param {{say: Function, clock: import("./clock.mjs").Clock, time: (at: number) => string, mayWrite: boolean,
     *     cancelSetUp: () => void}} surroundings
     */
    constructor({ say, clock, time, mayWrite, cancelSetUp }) {
        Object.assign(this, { say, clock, time, mayWrite, cancelSetUp });
        this.words = make("div", { role: "status" });
        this.next = make("div", { class: "schedules-next-try" });
        this.element = make("div", { class: "schedules-trouble" }, icon("exclamation-triangle"), make("div", {}, this.words, this.next));
    }

    /** @param {object} trouble */
    update(trouble) {
        const { kind, keptEnds } = trouble;
        const isNew = JSON.stringify({ ...trouble, nextTry: 0 }) !== JSON.stringify({ ...this.#trouble, nextTry: 0 });
        this.#trouble = trouble;
        if (isNew) fill(this.words, ...(kind === "bridgeAway" ? this.#away() : kind === "installing" ? this.#installing() : [trouble.sentence, this.#kept(keptEnds)]));
        this.element.classList.toggle("schedules-calm", kind === "installing");
        this.tick();
    }

    #away() {
        const { since, keptEnds, name } = this.#trouble;
        const sentence = this.say(name ? "away.namedSince" : "away.since", { name, time: this.time(since) });
        return [make("b", {}, sentence), ` ${this.say("away.noRun")}`, this.#kept(keptEnds)];
    }

    #kept(count) {
        return count > 0 && ` ${this.say(count === 1 ? "away.keptOne" : "away.kept", { count })}`;
    }

    #installing() {
        const { step, steps } = this.#trouble.values;
        const title = make("b", {}, this.say("installing.title"));
        const words = make("div", {}, this.say("installing.step", { step, steps }));
        const progress = make("progress", { max: steps, value: step - 0.5, "aria-label": this.say("installing.title") });
        return [title, words, progress, this.mayWrite && button({ text: this.say("installing.cancel"), act: () => this.cancelSetUp() })];
    }

    /** A second has passed. */
    tick() {
        const { nextTry } = this.#trouble;
        const seconds = Math.ceil((nextTry - this.clock.now) / 1000);
        this.next.textContent = nextTry > 0 && seconds > 0 ? this.say("away.nextTry", { seconds }) : "";
    }
}
