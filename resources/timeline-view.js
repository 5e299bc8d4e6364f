/** A timeline that people use: it is looked at, walked through by keys, zoomed, panned, and read out. */
(function () {
    const timeline = () => window.ScheduleTimeline;
    /** Pixels; a shorter drag is a click. */
    const DRAG = 4;
    /** Pixels between a pointer and a mark that it means. */
    const NEAR = 12;
    const ZOOM = 2;
    /** What a wheel says of one notch, in pixels. */
    const NOTCH = 100;

    /** A part of the picture, moved so that it lies within its bounds. */
    function within({ from, to }, bounds) {
        const span = Math.min(to - from, bounds.to - bounds.from);
        const start = Math.max(bounds.from, Math.min(from, bounds.to - span));
        return { from: start, to: start + span };
    }

    /** Gives an element the colours that fit what is behind it, light or dark; signs and timelines in it have them too. */
    function wearTheme(element) {
        const ground = groundOf(element);
        const [red, green, blue] = ground.match(/[\d.]+/g).map(Number);
        element.classList.add("st-themed");
        element.classList.toggle("st-dark", red * 0.299 + green * 0.587 + blue * 0.114 < 128);
        element.style.setProperty("--st-ground", ground);
    }

    /** The colour behind an element: that of the nearest one that has any. */
    function groundOf(element) {
        for (let each = element; each; each = each.parentElement) {
            const colour = getComputedStyle(each).backgroundColor;
            if (colour !== "transparent" && !/, 0\)$/.test(colour)) return colour;
        }
        return "rgb(255, 255, 255)";
    }

    /** What a mark, wait or run goes by in one picture and the next. */
    function nameOf({ decision, execution, stretches, at, outcome }) {
        return [decision?.firingId, execution?.executionId, Boolean(stretches), at, decision ? "" : outcome].join();
    }

    function sameIn({ bands }, thing) {
        const things = bands.flatMap(({ story: { marks, waits, runs } }) => [...marks, ...waits, ...runs]);
        return things.find((each) => nameOf(each) === nameOf(thing));
    }

    class View {
        #options;
        #picture;
        #things = [];
        #current;
        #drag;
        #pointer;
        /** A picture of these bounds is kept where it was looked at when it is shown anew. */
        #view;

        constructor(container, options) {
            this.#options = options;
            this.container = container;
            container.classList.add("schedule-timeline");
            this.svg = timeline().add(container, "svg", { class: "st-picture", role: "application", tabindex: 0, "aria-label": options.words("label") });
            this.ring = timeline().add(undefined, "rect", { class: "st-ring", rx: 3 });
            this.table = document.createElement("table");
            this.table.className = "st-table";
            container.append(this.table);
            this.#listen();
        }

        #listen() {
            const on = (type, handle) => this.svg.addEventListener(type, handle);
            on("keydown", (event) => this.#key(event));
            on("pointerdown", (event) => this.#press(event));
            on("pointermove", (event) => this.#move(event));
            on("pointerup", () => (this.#drag = undefined));
            on("pointercancel", () => (this.#drag = undefined));
            on("pointerleave", () => this.#drag || this.#leave());
            on("blur", () => this.#leave());
            on("wheel", (event) => this.#wheel(event));
            this.observer = new ResizeObserver(() => this.redraw());
            this.observer.observe(this.container);
        }

        /**
         * Shows a picture: `{bands: [{story, title?, tell}], bounds, view, zone, lang?, now?, leastSpan?}`, where
         * `tell(thing)` gives the sentence of a mark, wait or run, and `view` is the part that is shown at first.
         * `keepsPoint` is for live pictures: what is pointed at stays so, if it is there still.
         */
        show(picture, { keepsView = false, keepsPoint = false } = {}) {
            const keeps = keepsView && this.#view;
            const pointedAt = keepsPoint ? this.#current : undefined;
            this.#picture = picture;
            this.#view = within(keeps ? this.#view : picture.view, picture.bounds);
            this.#current = pointedAt && sameIn(picture, pointedAt);
            this.redraw();
            if (pointedAt && !this.#current) this.#options.onTell(undefined);
        }

        /** The part that is shown. */
        get view() {
            return this.#view;
        }

        /** Draws it anew, such as after its place has become wider. */
        redraw() {
            const width = Math.floor(this.container.clientWidth);
            if (!this.#picture || width === 0) return;
            wearTheme(this.container);
            this.layout = timeline().layOut({ ...this.#picture, view: this.#view }, width);
            this.#things = timeline().drawLayout(this.svg, this.layout, this.#options.names);
            this.#fillTable();
            if (this.#current) this.#ringAround(this.#current);
            this.#options.onView?.(this.#view, this.layout);
        }

        #fillTable() {
            const { words } = this.#options;
            this.table.replaceChildren();
            this.table.createCaption().textContent = words("table");
            const heads = this.table.createTHead().insertRow();
            for (const head of ["when", "what"]) heads.append(Object.assign(document.createElement("th"), { scope: "col", textContent: words(head) }));
            const body = this.table.createTBody();
            for (const { thing, band } of this.#marks()) {
                const row = body.insertRow();
                row.insertCell().textContent = timeline().clockTime(thing.at, this.#picture);
                row.insertCell().textContent = band.tell(thing);
            }
        }

        #marks() {
            return this.#things.filter(({ mark }) => mark);
        }

        #ringAround(thing) {
            const place = this.#things.find((each) => each.thing === thing);
            this.ring.remove();
            if (!place) return;
            this.svg.append(this.ring);
            const { mark, bar } = place;
            const box = mark
                ? { x: mark.x - 9, y: mark.y - 9, width: 18, height: 18 }
                : { x: bar.left - 2, y: bar.y - 9, width: Math.max(bar.right - bar.left, 2) + 4, height: 18 };
            for (const [name, value] of Object.entries(box)) this.ring.setAttribute(name, value);
        }

        #point(place) {
            if (this.#current === place?.thing) return;
            if (!place) {
                this.#leave();
                return;
            }
            this.#current = place.thing;
            this.#ringAround(place.thing);
            this.#options.onTell(place.band.tell(place.thing));
        }

        #leave() {
            if (!this.#current) return;
            this.#current = undefined;
            this.ring.remove();
            this.#options.onTell(undefined);
        }

        // keys

        #key(event) {
            if (event.ctrlKey || event.altKey || event.metaKey) return;
            const acts = {
                ArrowLeft: () => this.#walk(-1),
                ArrowRight: () => this.#walk(1),
                Home: () => this.#walk(-Infinity),
                End: () => this.#walk(Infinity),
                "+": () => this.zoom(1 / ZOOM),
                "=": () => this.zoom(1 / ZOOM),
                "-": () => this.zoom(ZOOM),
                Escape: () => this.#leave(),
            };
            if (!(event.key in acts) || (event.key === "Escape" && !this.#current)) return;
            acts[event.key]();
            event.preventDefault();
            event.stopPropagation();
        }

        /** Goes so many marks on, all of them and not just those in view; the view follows. */
        #walk(steps) {
            const all = this.#picture?.bands.flatMap((band) => band.story.marks.map((thing) => ({ thing, band }))) ?? [];
            if (all.length === 0) return;
            const known = all.findIndex(({ thing }) => thing === this.#current);
            const inView = this.#marks()[steps > 0 ? 0 : this.#marks().length - 1];
            const start = inView ? all.findIndex(({ thing }) => thing === inView.thing) : 0;
            const next = known < 0 && Number.isFinite(steps) ? start : known + steps;
            const place = all[Math.max(0, Math.min(next, all.length - 1))];
            this.#bringIntoView(place.thing.at);
            this.#point(place);
        }

        #bringIntoView(at) {
            const { from, to } = this.#view;
            if (at >= from && at <= to) return;
            const span = to - from;
            const margin = span / 12;
            this.#lookAt(at < from ? { from: at - margin, to: at - margin + span } : { from: at + margin - span, to: at + margin });
        }

        #lookAt(view) {
            this.#view = within(view, this.#picture.bounds);
            this.redraw();
        }

        /** Shows more (a factor above 1) or less, around an instant. */
        zoom(factor, around = this.#middle()) {
            if (!this.#picture) return;
            const { from, to } = this.#view;
            const { bounds, leastSpan = 1000 } = this.#picture;
            const span = Math.max(leastSpan, Math.min((to - from) * factor, bounds.to - bounds.from));
            const share = (around - from) / (to - from);
            this.#lookAt({ from: around - span * share, to: around + span * (1 - share) });
        }

        /** What is looked at: the mark that is pointed at, else now, else where the view begins. */
        #middle() {
            const { from, to } = this.#view ?? {};
            const { now } = this.#picture ?? {};
            return this.#current?.at ?? (now > from && now < to ? now : from);
        }

        // pointer

        #press(event) {
            if (event.button !== 0 || !this.#picture) return;
            this.#drag = { x: event.clientX, view: this.#view, moves: false };
            this.svg.setPointerCapture(event.pointerId);
        }

        #move(event) {
            if (!this.#picture || !this.#hasMoved(event)) return;
            const shift = this.#drag ? event.clientX - this.#drag.x : 0;
            if (this.#drag && (this.#drag.moves || Math.abs(shift) > DRAG)) this.#pan(shift);
            else this.#point(this.#nearest(event));
        }

        /** What is drawn below a pointer that rests makes it say that it moves; keys may be pointing meanwhile. */
        #hasMoved({ clientX, clientY, movementX, movementY }) {
            const [x, y] = this.#pointer ?? [clientX - movementX, clientY - movementY];
            this.#pointer = [clientX, clientY];
            return x !== clientX || y !== clientY;
        }

        /** A wheel alone scrolls what is around the picture. With Ctrl it zooms; two fingers drawn apart send the same. */
        #wheel(event) {
            if (!event.ctrlKey || !this.#picture) return;
            event.preventDefault();
            event.stopPropagation();
            const { left, right } = this.layout;
            const { from, to } = this.#view;
            const share = (event.clientX - this.svg.getBoundingClientRect().left - left) / (right - left);
            this.zoom(ZOOM ** Math.max(-1, Math.min(event.deltaY / NOTCH, 1)), from + share * (to - from));
        }

        #pan(shift) {
            const { view } = this.#drag;
            this.#drag.moves = true;
            const { left, right } = this.layout;
            const by = (-shift * (view.to - view.from)) / (right - left);
            this.#lookAt({ from: view.from + by, to: view.to + by });
        }

        /** The mark next to the pointer, or the bar below it. */
        #nearest({ clientX, clientY }) {
            const { left, top } = this.svg.getBoundingClientRect();
            const [x, y] = [clientX - left, clientY - top];
            const distance = ({ mark }) => Math.hypot(mark.x - x, mark.y - y);
            const [nearest] = this.#marks().sort((one, other) => distance(one) - distance(other));
            if (nearest && distance(nearest) <= NEAR) return nearest;
            return this.#things.find(({ bar }) => bar && x >= bar.left && x <= bar.right && Math.abs(bar.y - y) <= 7);
        }

        /** Takes it away. */
        close() {
            this.observer.disconnect();
            this.container.replaceChildren();
        }
    }

    /**
     * Makes a timeline in an element.
     * @param {HTMLElement} container
     * @param {{names: {firings: string, waiting: string, runs: string}, words: (key: string) => string,
     *     onTell: (sentence: string | undefined) => void, onView?: (view: object, layout: object) => void}} options
     *   `words` has label, table, when and what; `onTell` is given the sentence of what is pointed at
     */
    function create(container, options) {
        return new View(container, options);
    }

    Object.assign((window.ScheduleTimeline ??= {}), { create, wearTheme });
})();
