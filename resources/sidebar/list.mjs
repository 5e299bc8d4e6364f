/** The list: filter, and below it each workspace with its triggers. */
import { arrange, fill, icon, make } from "./dom.mjs";
import { Row } from "./row.mjs";
import { chosen, grouped } from "./selection.mjs";
import { TroubleLine } from "./trouble.mjs";
import { WorkspaceLine } from "./workspace.mjs";

export class List {
    #answer = { bridges: [], triggers: [] };
    #rows = new Map();
    #lists = new Map();
    #lines = new Map();
    #troubles = new Map();

    /**
     * @param {object} surroundings
     * @param {Function} surroundings.say
     * @param {import("./clock.mjs").Clock} surroundings.clock
     * @param {(at: string | number) => string} surroundings.time
     * @param {boolean} surroundings.mayWrite
     * @param {() => {id: string, label: string}[]} surroundings.flows
     * @param {(id: string) => void} surroundings.show
     * @param {(id: string) => void} surroundings.open
     */
    constructor(surroundings) {
        this.surroundings = surroundings;
        const { say } = surroundings;
        const search = { type: "text", class: "schedules-search", placeholder: say("filter"), "aria-label": say("filter"), on: { input: () => this.draw() } };
        this.search = make("input", search);
        this.flow = make("select", { class: "schedules-flow", "aria-label": say("flows"), on: { change: () => this.draw() } });
        const head = make("div", { class: "schedules-head", role: "search" }, icon("search"), this.search, this.flow);
        this.groups = make("div", { class: "schedules-groups", on: { keydown: (event) => this.#key(event) } });
        this.note = make("div", { class: "schedules-note", "aria-live": "polite" });
        this.element = make("div", { class: "schedules-list" }, head, this.groups, this.note);
    }

    /** @param {{bridges: object[], triggers: object[]}} answer */
    update(answer) {
        this.#answer = answer;
        this.#fillFlows();
        this.draw();
    }

    /** A second has passed. */
    tick() {
        for (const trouble of this.#troubles.values()) trouble.tick();
    }

    /** Puts the focus on a trigger's row. */
    focus(id) {
        this.#rows.get(id)?.main.focus();
    }

    #fillFlows() {
        const used = new Set(this.#answer.triggers.map(({ flow }) => flow));
        const flows = this.surroundings.flows().filter(({ id }) => used.has(id));
        const wanted = this.flow.value;
        const options = [{ id: "", label: this.surroundings.say("allFlows") }, ...flows].map(({ id, label }) => make("option", { value: id }, label));
        this.flow.replaceChildren(...options);
        this.flow.value = used.has(wanted) ? wanted : "";
    }

    draw() {
        const { bridges, triggers } = this.#answer;
        const shown = chosen(triggers, { text: this.search.value, flow: this.flow.value });
        arrange(this.groups, grouped(bridges, shown).flatMap((group) => this.#group(group)));
        this.#drawNote(triggers.length, shown.length);
    }

    #group({ bridge, triggers }) {
        const rows = triggers.map((trigger) => this.#row(trigger));
        const key = bridge?.id ?? "";
        const list = kept(this.#lists, key, () => make("ul", { class: "schedules-rows" }));
        arrange(list, rows);
        return [bridge && this.#trouble(bridge), bridge?.workspace && this.#line(bridge), list].filter(Boolean);
    }

    #line(bridge) {
        const line = kept(this.#lines, bridge.id, () => new WorkspaceLine(this.surroundings));
        line.update(bridge);
        return line.element;
    }

    #trouble({ id, name, trouble }) {
        if (!trouble) {
            this.#troubles.delete(id);
            return undefined;
        }
        const line = kept(this.#troubles, id, () => new TroubleLine(this.surroundings));
        line.update({ ...trouble, name: this.#answer.bridges.length > 1 ? name : "" });
        return line.element;
    }

    #row(trigger) {
        const row = kept(this.#rows, trigger.id, () => new Row(trigger.id, this.surroundings));
        row.update(trigger, this.surroundings.time);
        return row.element;
    }

    #drawNote(count, shown) {
        const { say } = this.surroundings;
        if (shown > 0) fill(this.note);
        else if (count === 0) fill(this.note, make("b", {}, say("empty.title")), make("div", {}, say("empty.advice")));
        else fill(this.note, make("b", {}, this.#missing()), make("div", {}, `${this.#hidden(count)} `, this.#clear()));
    }

    #missing() {
        const text = this.search.value.trim();
        return this.surroundings.say(text ? "nothing.title" : "nothing.inFlow", { text });
    }

    #hidden(count) {
        return this.surroundings.say(count === 1 ? "nothing.hiddenOne" : "nothing.hidden", { count });
    }

    #clear() {
        const clear = () => {
            this.search.value = "";
            this.flow.value = "";
            this.draw();
            this.search.focus();
        };
        return make("button", { type: "button", class: "schedules-link", on: { click: clear } }, this.surroundings.say("nothing.clear"));
    }

    /** Up and Down, Home and End walk the rows. */
    #key(event) {
        const rows = [...this.groups.querySelectorAll(".schedules-main")];
        const at = rows.indexOf(event.target.closest(".schedules-row")?.querySelector(".schedules-main"));
        const goal = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows.length - 1 }[event.key];
        if (at < 0 || goal === undefined || !rows[goal]) return;
        event.preventDefault();
        rows[goal].focus();
    }
}

/** What a map has for a key, made when it is first asked for. */
function kept(map, key, create) {
    if (!map.has(key)) map.set(key, create());
    return map.get(key);
}
