/** The executions of a trigger that have not ended: what runs, what waits and for what, and the verbs on them. */
import { arrange, button, fill, make, sign } from "./dom.mjs";
import { duration, short } from "./words.mjs";

const WAITING = ["queued", "onHold"];
const MARKS = { queued: "queued", onHold: "onHold", pending: "expected", running: "started", paused: "held" };

/** One execution. */
class Line {
    /**
     * @param {object} execution
     * @param {object} surroundings
     */
    constructor(execution, { say, clock, time, mayWrite, end, confirm }) {
        Object.assign(this, { say, clock, time });
        const id = execution.executionId;
        this.text = make("div", { class: "schedules-run-text" });
        this.more = make("div", { class: "schedules-run-more" });
        const cancel = button({ text: say("verb.cancel"), act: () => end(id, "cancel") });
        const terminate = !WAITING.includes(execution.state) && button({ text: say("verb.terminate"), act: () => confirm(id, this.element) });
        this.verbs = mayWrite && make("div", { class: "schedules-verbs" }, cancel, terminate);
        this.element = make("li", { class: "schedules-run" }, sign(MARKS[execution.state]), make("div", { class: "schedules-run-words" }, this.text, this.more), this.verbs);
    }

    update(execution, holders, workspace) {
        this.execution = execution;
        fill(this.more, ...this.#why(holders, workspace));
        this.tick();
    }

    tick() {
        const { executionId, state, startedAt, createdAt, waitsFor } = this.execution;
        const span = duration(this.clock.now - Date.parse(startedAt ?? createdAt), this.say);
        const place = state === "onHold" && waitsFor ? `, ${this.say("run.place", { place: waitsFor.position })}` : "";
        fill(this.text, make("code", {}, short(executionId)), ` ${this.say(`run.${state}`, { span })}${place}`);
    }

    #why(holders, workspace) {
        const { state, deadline, lockKey } = this.execution;
        const key = lockKey && make("span", {}, `${this.say("run.key")} `, make("code", {}, lockKey));
        if (!WAITING.includes(state)) return [deadline && this.say("run.until", { time: this.time(deadline) }), deadline && key && ". ", key];
        return state === "onHold" ? this.#capacity(workspace, key) : this.#gate(holders, key);
    }

    #capacity(workspace, key) {
        const { workspaceId, running, starting, maxConcurrentExecutions: limit } = workspace ?? {};
        const full = workspace && this.say("run.capacity", { workspace: workspaceId, used: running + starting, limit });
        return [full, full && key && " ", key];
    }

    #gate(holders, key) {
        const { gate, executionIds = [] } = this.execution.waitsFor ?? {};
        const [first] = executionIds;
        if (!first) return [key];
        const run = make("code", {}, short(first));
        const name = holders[first]?.label;
        const of = name ? ` ${this.say("run.of", { name })}` : "";
        if (gate === "overlap") return [`${this.say("run.behind")} `, run, of, executionIds.length > 1 && ` ${this.say("run.andMore", { count: executionIds.length - 1 })}`];
        return [key, ` ${this.say("run.heldBy")} `, run, of];
    }
}

/** A heading with a count, and lines below it. */
class Section {
    constructor(title) {
        this.count = make("span", { class: "schedules-count" });
        this.lines = make("ul", { class: "schedules-runs" });
        this.element = make("section", {}, make("h4", {}, title, this.count), this.lines);
    }

    show(elements) {
        this.element.hidden = elements.length === 0;
        this.count.textContent = String(elements.length);
        arrange(this.lines, elements);
    }
}

export class Runs {
    #lines = new Map();

    /** @param {object} surroundings with `end(executionId, verb)` and `confirm(executionId, element)` */
    constructor(surroundings) {
        this.surroundings = surroundings;
        const { say } = surroundings;
        this.active = new Section(say("section.active"));
        this.waiting = new Section(say("section.waiting"));
        this.element = make("div", { class: "schedules-active" }, this.active.element, this.waiting.element);
    }

    /**
     * @param {object[]} executions those that have not ended, newest first
     * @param {{holders: object, workspace?: object, buffered: object[], delayed: object[]}} more
     */
    update(executions, { holders, workspace, buffered, delayed }) {
        const oldestFirst = [...executions].reverse();
        const runs = oldestFirst.filter(({ state }) => !WAITING.includes(state));
        const waits = oldestFirst.filter(({ state }) => WAITING.includes(state));
        this.#forget(executions);
        const line = (execution) => this.#line(execution, holders, workspace);
        this.active.show(runs.map(line));
        this.waiting.show([...waits.map(line), ...this.#held(buffered, "buffered"), ...this.#held(delayed, "delayed")]);
    }

    /** A second has passed. */
    tick() {
        for (const line of this.#lines.values()) line.tick();
    }

    #line(execution, holders, workspace) {
        const key = `${execution.executionId} ${execution.state}`;
        if (!this.#lines.has(key)) this.#lines.set(key, new Line(execution, this.surroundings));
        this.#lines.get(key).update(execution, holders, workspace);
        return this.#lines.get(key).element;
    }

    #forget(executions) {
        const known = new Set(executions.map(({ executionId, state }) => `${executionId} ${state}`));
        for (const key of this.#lines.keys()) if (!known.has(key)) this.#lines.delete(key);
    }

    /** Firings that are held and are no executions yet. */
    #held(firings, kind) {
        const { say, time } = this.surroundings;
        return firings.map(({ lockKey, readyAt, scheduledAt }) => {
            const text = say(`held.${kind}`, { time: time(readyAt ?? scheduledAt) });
            const key = lockKey && make("div", { class: "schedules-run-more" }, `${say("run.key")} `, make("code", {}, lockKey));
            return make("li", { class: "schedules-run" }, sign(kind === "delayed" ? "delayed" : "held"), make("div", { class: "schedules-run-words" }, make("div", {}, text), key));
        });
    }
}
