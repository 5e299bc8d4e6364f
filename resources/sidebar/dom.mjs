/**
 * Makes an element. Attributes that are undefined or false are left out; `on` holds listeners by event.
 * @param {string} tag
 * @param {Record<string, unknown> & {on?: Record<string, (event: any) => void>}} [attributes]
 * @param {...(Node | string | undefined | null | false)} children what is neither a node nor a text is left out
 * @returns {HTMLElement}
 */
export function make(tag, { on = {}, ...attributes } = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) set(element, name, value);
    for (const [type, listener] of Object.entries(on)) element.addEventListener(type, listener);
    element.append(...shown(children));
    return element;
}

/** Sets or takes away an attribute. */
export function set(element, name, value) {
    if (value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
}

/** Puts children in place of those that are there. */
export function fill(element, ...children) {
    element.replaceChildren(...shown(children));
}

function shown(children) {
    return children.filter((child) => typeof child === "string" ? child !== "" : child instanceof Node);
}

/**
 * Puts these elements into a parent in this order, moving only what is out of place, so that focus stays where it is.
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} elements
 */
export function arrange(parent, elements) {
    const wanted = new Set(elements);
    for (const child of [...parent.children]) if (!wanted.has(child)) child.remove();
    elements.forEach((element, index) => {
        if (parent.children[index] !== element) parent.insertBefore(element, parent.children[index] ?? null);
    });
}

/** An icon of Node-RED's font, which says nothing to a screen reader. */
export function icon(name) {
    return make("i", { class: `fa fa-${name}`, "aria-hidden": "true" });
}

/**
 * A button.
 * @param {{icon?: string, text?: string, label?: string, class?: string, act: (event: Event) => void}} wanted a button
 *   of an icon alone has a `label`, which is its tooltip too
 */
export function button({ icon: name, text, label, class: more = "", act }) {
    const attributes = { type: "button", class: `red-ui-button red-ui-button-small ${more}`, title: label, "aria-label": label };
    return make("button", { ...attributes, on: { click: act } }, name && icon(name), name && text ? " " : "", text);
}

/** The mark of an outcome, as the timeline draws it. */
export function sign(outcome) {
    return make("span", { class: "schedules-sign schedule-timeline", "aria-hidden": "true" }, window.ScheduleTimeline.sign(outcome));
}
