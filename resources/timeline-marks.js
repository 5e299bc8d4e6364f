/** The mark of each outcome around the origin, as SVG; shapes differ, so that they read in greyscale. */
(function () {
    const NAMESPACE = "http://www.w3.org/2000/svg";

    /** A new SVG element in another. */
    function add(parent, tag, attributes = {}, text) {
        const element = document.createElementNS(NAMESPACE, tag);
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
        if (text !== undefined) element.textContent = text;
        parent?.append(element);
        return element;
    }

    const path = (parent, look, d) => add(parent, "path", { class: look, d });

    /** A thick line that keeps a halo of the background around itself. */
    function haloed(parent, look, d) {
        path(parent, "st-halo", d);
        path(parent, `st-cap ${look}`, d);
    }

    const slash = (group, look) => path(group, `st-thin ${look}`, "M -4.5 4.5 L 4.5 -4.5");
    const barEnd = (group) => add(group, "rect", { class: "st-solid st-run", x: -7, y: -4, width: 9, height: 8 });

    const bracketedDot = (group, look) => {
        path(group, `st-thick ${look}`, "M -1.5 -4 H -4 V 4 H -1.5 M 1.5 -4 H 4 V 4 H 1.5");
        add(group, "circle", { class: `st-solid ${look}`, r: 1.4 });
    };

    const GLYPHS = {
        started: (group, look) => add(group, "circle", { class: `st-solid ${look}`, r: 4 }),
        expected: (group, look) => add(group, "circle", { class: `st-open ${look}`, r: 3.4 }),
        skipped: (group, look) => {
            add(group, "circle", { class: `st-open ${look}`, r: 3.6 });
            slash(group, look);
        },
        dropped: (group, look) => path(group, `st-thick ${look}`, "M -3 -3 L 3 3 M -3 3 L 3 -3"),
        missed: (group, look) => path(group, `st-thick ${look}`, "M -6 0 h 3 M -1.5 0 h 3 M 3 0 h 3"),
        queued: (group, look) => add(group, "rect", { class: `st-soft ${look}`, x: -3.5, y: -3.5, width: 7, height: 7 }),
        merged: (group, look) => path(group, `st-soft ${look}`, "M 0 -5 L 5 0 L 0 5 L -5 0 Z"),
        held: bracketedDot,
        delayed: bracketedDot,
        onHold: (group, look) => path(group, `st-cap ${look}`, "M -2.2 -4.5 V 4.5 M 2.2 -4.5 V 4.5"),
        completed: (group) => add(group, "rect", { class: "st-solid st-run", x: -5, y: -4, width: 10, height: 8 }),
        cancelled: (group, look) => {
            barEnd(group);
            haloed(group, look, "M -1 7 L 5 -7");
        },
        terminated: (group, look) => {
            barEnd(group);
            haloed(group, look, "M 2 -7 V 7");
        },
        expired: (group, look) => {
            barEnd(group);
            path(group, "st-halo", "M 2 -7 V 7");
            path(group, `st-cap st-dashed ${look}`, "M 2 -7 V 7");
        },
        interrupted: (group) => path(group, "st-solid st-run", "M -8 -4 H 3 L 0 -1.3 L 4 1.3 L 1 4 H -8 Z"),
        failed: (group, look) => path(group, `st-solid ${look}`, "M -5 4.5 L 0 -4.5 L 5 4.5 Z"),
    };

    const lookOf = (outcome) => `st-${window.ScheduleTimeline.HUES[outcome]}`;

    /** Draws the mark of an outcome at a point; a small skip is its slash alone. */
    function drawMark(parent, outcome, { x, y, isSmall = false }) {
        const { small } = window.ScheduleTimeline.MEASURES;
        const group = add(parent, "g", { transform: `translate(${x} ${y})${isSmall ? ` scale(${small})` : ""}` });
        if (isSmall && outcome === "skipped") slash(group, lookOf(outcome));
        else GLYPHS[outcome](group, lookOf(outcome));
        return group;
    }

    /** The mark of an outcome as a small picture of its own, for legends and lists. */
    function sign(outcome) {
        const svg = add(undefined, "svg", { class: "schedule-timeline st-sign", width: 18, height: 16, viewBox: "-9 -8 18 16", "aria-hidden": "true" });
        drawMark(svg, outcome, { x: 0, y: 0 });
        return svg;
    }

    /** The legend of these outcomes: a mark and its words each. `words(outcome)` gives the words. */
    function legend(outcomes, words) {
        const list = document.createElement("ul");
        list.className = "st-legend";
        for (const outcome of outcomes) {
            const entry = document.createElement("li");
            entry.append(sign(outcome), words(outcome));
            list.append(entry);
        }
        return list;
    }

    Object.assign((window.ScheduleTimeline ??= {}), { add, haloed, drawMark, sign, legend });
})();
