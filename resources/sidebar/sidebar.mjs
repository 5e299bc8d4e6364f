/** Puts the parts together: asks while it is seen, hears news, shows the list or one trigger. */
import { Details } from "./details.mjs";
import { fill, make } from "./dom.mjs";
import { asking } from "./latest.mjs";
import { List } from "./list.mjs";

const NEWS = "schedule-trigger/news";
const SECOND = 1000;

const lang = () => RED.i18n.lang() || undefined;

/** Flows and subflows by the names that people know. */
function flows() {
    const tabs = [];
    RED.nodes.eachWorkspace(({ id, label }) => tabs.push({ id, label: label || id }));
    RED.nodes.eachNode((node) => node.type.startsWith("subflow:") && tabs.push({ id: node.id, label: node.name || RED.utils.getNodeLabel(node) }));
    return tabs;
}

/** What the editor has for a node that runs: the node itself, or the instance of the subflow that it is in. */
function editorNode({ id, flow }) {
    return RED.nodes.node(id) ?? RED.nodes.node(flow);
}

export class Sidebar {
    #answer = { bridges: [], triggers: [] };
    #details;
    #ask;
    #timer;

    /** @param {{say: Function, calls: import("./calls.mjs").Calls, clock: import("./clock.mjs").Clock}} parts */
    constructor({ say, calls, clock }) {
        Object.assign(this, { say, calls, clock });
        this.problem = make("div", { class: "schedules-problem", role: "alert" });
        this.body = make("div", { class: "schedules-body" });
        this.element = make("div", { class: "schedules" }, this.problem, this.body);
        this.heard = () => this.#refresh();
        this.connected = () => this.#catchUp();
        new IntersectionObserver(([{ isIntersecting }]) => this.#seen(isIntersecting)).observe(this.element);
        new ResizeObserver(([{ contentRect }]) => this.#fit(contentRect.width)).observe(this.element);
    }

    /** What is not seen asks for nothing. */
    #seen(isSeen) {
        if (isSeen === Boolean(this.#ask)) return;
        if (isSeen) this.#start();
        else this.#stop();
    }

    #start() {
        this.list ??= this.#makeList();
        if (!this.#details) fill(this.body, this.list.element);
        this.#ask = asking(
            () => this.calls.list(),
            (answer) => this.#answered(answer),
            (error) => this.#failed(error),
        );
        RED.comms.subscribe(NEWS, this.heard);
        RED.comms.on("connect", this.connected);
        this.#timer = setInterval(() => this.#tick(), SECOND);
        this.#catchUp();
    }

    #stop() {
        RED.comms.unsubscribe(NEWS, this.heard);
        RED.comms.off("connect", this.connected);
        clearInterval(this.#timer);
        this.#ask.stop();
        this.#ask = undefined;
    }

    /** News may have gone by: nobody looked, or there was no connection. */
    #catchUp() {
        this.#details?.view.startAnew();
        this.#refresh();
    }

    #refresh() {
        this.#ask.now();
        this.#details?.ask.now();
    }

    #tick() {
        this.list.tick();
        this.#details?.view.tick();
    }

    #makeList() {
        const list = new List({ ...this.#surroundings(), flows });
        this.mayWrite = list.surroundings.mayWrite;
        return list;
    }

    #surroundings() {
        const time = (at, zone) => this.#time(at, zone);
        return {
            ...{ say: this.say, calls: this.calls, clock: this.clock, time, lang },
            mayWrite: RED.user.hasPermission("schedule-trigger.write"),
            show: (id) => this.#show(id),
            open: (id) => this.#open(id),
            edit: (id) => this.#edit(id),
            labelOf: (id) => this.#trigger(id)?.label,
            close: () => this.#close(),
            cancelSetUp: () => this.calls.cancelSetUp().catch((error) => this.#failed(error)),
            setLimit: (bridge, limit) => this.#setLimit(bridge, limit),
        };
    }

    #time(at, zone = this.#answer.timezone) {
        const instant = typeof at === "string" ? Date.parse(at) : at;
        const { clockTime, dayOf } = window.ScheduleTimeline;
        const day = (moment) => dayOf(moment, { zone, lang: lang(), near: false });
        const clock = clockTime(instant, { zone, lang: lang() });
        return day(instant) === day(this.clock.now) ? clock : `${dayOf(instant, { zone, lang: lang(), near: Math.abs(instant - this.clock.now) < 6 * 86_400_000 })} ${clock}`;
    }

    async #setLimit(bridge, limit) {
        await this.calls.setLimit(bridge, limit);
        this.#ask?.now();
    }

    #answered(answer) {
        this.clock.set(answer.now);
        this.problem.textContent = "";
        this.#answer = { ...answer, triggers: answer.triggers.map((trigger) => ({ ...trigger, label: this.#labelOf(trigger) })) };
        this.list.update(this.#answer);
        this.#tellDetails();
    }

    #failed(error) {
        this.problem.textContent = error.message;
        return true;
    }

    #trigger(id) {
        return this.#answer.triggers.find((trigger) => trigger.id === id);
    }

    #labelOf(trigger) {
        const node = RED.nodes.node(trigger.id);
        return trigger.name || (node ? RED.utils.getNodeLabel(node) : "") || this.say("unnamed");
    }

    #tellDetails() {
        if (!this.#details) return;
        const trigger = this.#trigger(this.#details.view.id);
        const bridge = trigger && this.#answer.bridges.find(({ id }) => id === trigger.bridge);
        this.#details.view.updateTrigger(trigger, bridge);
    }

    #show(id) {
        const node = editorNode(this.#trigger(id));
        if (node) RED.view.reveal(node.id);
    }

    #edit(id) {
        const node = editorNode(this.#trigger(id));
        if (node) RED.editor.edit(node);
    }

    #open(id) {
        const view = new Details(id, this.#surroundings());
        const ask = asking(
            () => this.calls.details(id),
            (answer) => view.update(answer),
            (error) => {
                view.failed(error);
                return error.status !== 404;
            },
        );
        this.#details = { view, ask };
        this.#tellDetails();
        fill(this.body, view.element);
        view.back.focus();
        ask.now();
    }

    #close() {
        const { view, ask } = this.#details;
        ask.stop();
        view.close();
        this.#details = undefined;
        fill(this.body, this.list.element);
        this.list.focus(view.id);
    }

    /** Below these widths there is no room for all (design.md, section 2). */
    #fit(width) {
        this.element.classList.toggle("schedules-narrow", width < 260);
        this.element.classList.toggle("schedules-narrowest", width < 220);
        for (const name of ["schedules-dark", "st-dark"]) this.element.classList.toggle(name, isDark(this.element));
    }
}

function isDark(element) {
    const [red, green, blue] = getComputedStyle(element).color.match(/[\d.]+/g).map(Number);
    return red + green + blue > 3 * 128;
}
