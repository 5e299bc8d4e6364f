/** One trigger, opened. */
import { confirmTermination } from "./confirm.mjs";
import { Decisions } from "./decisions.mjs";
import { button, fill, make } from "./dom.mjs";
import { Picture } from "./picture.mjs";
import { statusSquare } from "./row.mjs";
import { Runs } from "./runs.mjs";
import { Past } from "./past.mjs";
import { duration, policyWords, scheduleWords, short } from "./words.mjs";

export class Details {
    #past = new Past();
    #trigger;

    /** @param {object} surroundings what the list has, and `calls`, `close`, `edit`, `show`, `labelOf`, `failed` */
    constructor(id, surroundings) {
        this.id = id;
        this.surroundings = surroundings;
        const { say, time, mayWrite } = surroundings;
        const acts = { ...surroundings, older: () => this.#older(), end: (run, verb) => this.#end(run, verb), confirm: (run, line) => this.#confirm(run, line) };
        this.title = make("h3", { class: "schedules-title" });
        this.decisions = new Decisions({ say, time, older: acts.older });
        this.picture = new Picture({ ...surroundings, tellEnd: (...end) => this.decisions.tellEnd(...end) });
        this.runs = new Runs(acts);
        this.facts = make("div", { class: "schedules-schedule" });
        this.skips = make("div", { class: "schedules-skips" });
        this.verbs = mayWrite && this.#verbs();
        this.problem = make("div", { class: "schedules-problem", role: "alert" });
        const bar = make("div", { class: "schedules-bar" }, this.verbs, this.facts);
        const parts = [this.#head(), bar, this.problem, this.picture.element, this.skips, this.runs.element, this.decisions.element];
        this.element = make("div", { class: "schedules-details", on: { keydown: (event) => this.#key(event) } }, ...parts);
    }

    #head() {
        const { say, close, show, edit } = this.surroundings;
        this.back = button({ icon: "chevron-left", label: say("back"), act: close });
        const tools = [button({ icon: "crosshairs", label: say("show"), act: () => show(this.id) }), button({ icon: "pencil", label: say("edit"), act: () => edit(this.id) })];
        return make("div", { class: "schedules-head" }, this.back, this.title, ...tools);
    }

    #verbs() {
        const { say, calls } = this.surroundings;
        const run = button({ icon: "play", text: say("verb.runNow"), act: () => this.#do(calls.runNow(this.id), true) });
        this.pause = button({ icon: "pause", text: say("verb.pause"), act: () => this.#do(calls.command(this.id, "pause")) });
        this.resume = button({ icon: "play-circle-o", text: say("verb.resume"), act: () => this.#do(calls.command(this.id, "resume")) });
        return make("div", { class: "schedules-verbs" }, run, this.pause, this.resume);
    }

    #key(event) {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        this.surroundings.close();
    }

    /** @param {object} trigger as the list has it; undefined when it is not deployed any more */
    updateTrigger(trigger, bridge) {
        if (!trigger) return;
        this.#trigger = trigger;
        const { say } = this.surroundings;
        fill(this.title, statusSquare(trigger.status), make("span", {}, trigger.label));
        this.facts.textContent = [scheduleWords(trigger.schedule, say), policyWords(trigger, say), bridge?.workspaceId].filter(Boolean).join(" · ");
        if (this.verbs) {
            this.pause.hidden = Boolean(trigger.pausedSince);
            this.resume.hidden = !trigger.pausedSince;
        }
    }

    /** @param {object} answer of the route for one trigger */
    update(answer) {
        this.problem.textContent = "";
        this.answer = answer;
        this.#past.latest(answer);
        this.#draw();
    }

    /** Nothing was heard for a while: what older pages said may not join on to what comes. */
    startAnew() {
        this.#past = new Past();
    }

    /** A second has passed. */
    tick() {
        this.runs.tick();
        this.picture.draw();
    }

    failed(error) {
        this.problem.textContent = error.message;
    }

    close() {
        this.picture.close();
    }

    #draw() {
        const { workspace, holders, buffered, delayed, ticks, skipping } = this.answer;
        const { decisions, executions, cursors } = this.#past;
        const active = executions.filter(({ endedAt }) => !endedAt);
        this.runs.update(active, { holders: this.#named(holders), workspace, buffered, delayed });
        this.decisions.update({ decisions, executions, hasMore: Boolean(cursors.decisions) });
        this.picture.update({ decisions, executions, ticks }, this.#trigger);
        this.skips.textContent = skipping ? this.#tellSkips(skipping) : "";
    }

    /** The runs in the way with the names of their triggers, but for this trigger's own. */
    #named(holders) {
        const foreign = Object.entries(holders).filter(([, holder]) => holder.node !== this.id);
        return Object.fromEntries(foreign.map(([id, { node, name }]) => [id, { label: name || this.surroundings.labelOf(node) }]));
    }

    #tellSkips({ count, since, executionId, lockKey }) {
        const { say, time, clock } = this.surroundings;
        const span = duration(clock.now - Date.parse(since), say);
        const values = { count, time: time(since), span, run: short(executionId), key: lockKey };
        return say(count === 1 ? "skips.once" : lockKey ? "skips.timesForKey" : "skips.times", values);
    }

    async #older() {
        this.decisions.older.disabled = true;
        const past = this.#past;
        const page = await this.#do(this.surroundings.calls.history(this.id, past.cursors));
        this.decisions.older.disabled = false;
        if (!page || past !== this.#past) return;
        past.older(page);
        this.#draw();
    }

    #end(executionId, verb) {
        return this.#do(this.surroundings.calls.end(this.id, executionId, verb));
    }

    #confirm(executionId, line) {
        confirmTermination(line, executionId, this.surroundings.say, () => this.#end(executionId, "terminate"));
    }

    /** Waits for a call and says what came of it. */
    async #do(call, tells = false) {
        this.problem.textContent = "";
        try {
            const answer = await call;
            if (tells) RED.notify(answer.decisions.map(({ message }) => message).join("\n"), { type: "success", timeout: 3000 });
            return answer;
        } catch (error) {
            this.failed(error);
            return undefined;
        }
    }
}
