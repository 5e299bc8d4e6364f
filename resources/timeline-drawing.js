/** Draws a layout (timeline-layout.js) as SVG. */
(function () {
    const timeline = () => window.ScheduleTimeline;
    const ASCENT = 4;
    /** Pixels. */
    const HALF_LETTER = 3.1;
    /** Makes the ids of patterns differ from those of other pictures in the page. */
    let drawn = 0;

    /** The patterns that bars are filled with, by outcome: their ids. */
    function addPatterns(svg) {
        const own = `st-${(drawn += 1)}`;
        const defs = timeline().add(svg, "defs");
        addPattern(defs, `${own}-queued`, 6, "st-wait", "M -2 2 l 4 -4 M 0 6 l 6 -6 M 4 8 l 4 -4");
        addPattern(defs, `${own}-onHold`, 4, "st-wait", "M 2 0 V 6");
        addPattern(defs, `${own}-failed`, 6, "st-bad", "M -2 4 l 4 4 M 0 0 l 6 6 M 4 -2 l 4 4");
        return { queued: `${own}-queued`, onHold: `${own}-onHold`, failed: `${own}-failed` };
    }

    function addPattern(defs, id, width, look, d) {
        const pattern = timeline().add(defs, "pattern", { id, width, height: 6, patternUnits: "userSpaceOnUse" });
        timeline().add(pattern, "rect", { class: `st-plain ${look}`, width, height: 6 });
        timeline().add(pattern, "path", { class: `st-thin ${look}`, d });
    }

    function drawAxis(svg, { hours, baseline, left, right }) {
        const { MEASURES: M, add } = timeline();
        for (const { x, label } of hours) {
            add(svg, "path", { class: "st-hairline", d: `M ${x} ${M.top} V ${baseline}` });
            // A label at the edge would be cut off.
            if (x + label.length * HALF_LETTER <= right + 1) add(svg, "text", { class: "st-hour", x, y: baseline + 15 }, label);
        }
        add(svg, "path", { class: "st-baseline", d: `M ${left} ${baseline} H ${right}` });
    }

    function drawNames(svg, { tops, title, hasWaits }, names) {
        const { MEASURES: M, add } = timeline();
        const label = (top, text) => add(svg, "text", { class: "st-name", x: 0, y: top + M.lane / 2 + ASCENT }, text);
        if (title) addTitle(svg, tops.firings - M.title + 14, title);
        label(tops.firings, names.firings);
        if (hasWaits) label(tops.waiting, names.waiting);
        label(tops.runs, names.runs);
    }

    /** A title is a text, or a list of texts whose every second one is bold. */
    function addTitle(svg, y, title) {
        const text = timeline().add(svg, "text", { class: "st-title", x: 0, y });
        for (const [index, part] of [title].flat().entries()) timeline().add(text, "tspan", index % 2 ? { class: "st-strong" } : {}, part);
    }

    function drawBand(svg, band, patterns, names) {
        const { HUES, add, drawRun, drawWait, drawArrow, drawMark } = timeline();
        const things = [];
        drawNames(svg, band, names);
        for (const { outcome, x, top, bottom } of band.stems) add(svg, "path", { class: `st-thin st-${HUES[outcome]}`, d: `M ${x} ${top} V ${bottom}` });
        for (const bar of band.waits) things.push({ thing: bar.thing, band: band.band, element: drawWait(svg, bar, patterns), bar });
        for (const bar of band.runs) things.push({ thing: bar.thing, band: band.band, element: drawRun(svg, bar, patterns), bar });
        for (const arrow of band.arrows) drawArrow(svg, arrow);
        for (const mark of band.marks) {
            const element = drawMark(svg, mark.mark.outcome, { x: mark.x, y: mark.y, isSmall: band.isSmall });
            things.push({ thing: mark.mark, band: band.band, element, mark });
        }
        return things;
    }

    /** Now, on a timeline of what happens. */
    function drawNow(svg, { nowX, baseline }) {
        if (nowX === undefined) return;
        const { MEASURES: M, add } = timeline();
        add(svg, "path", { class: "st-now", d: `M ${nowX} ${M.top} V ${baseline}` });
        add(svg, "path", { class: "st-now-tip", d: `M ${nowX - 4} ${M.top - 4} h 8 l -4 6 Z` });
    }

    /**
     * Draws a layout into an SVG element in place of what is there.
     * @param {SVGElement} svg
     * @param {object} layout
     * @param {{firings: string, waiting: string, runs: string}} names of the rows
     * @returns {object[]} what can be pointed at: `{thing, band, element}`, with its `mark` or its `bar`
     */
    function drawLayout(svg, layout, names) {
        svg.replaceChildren();
        svg.setAttribute("width", layout.width);
        svg.setAttribute("height", layout.height);
        svg.setAttribute("viewBox", `0 0 ${layout.width} ${layout.height}`);
        const patterns = addPatterns(svg);
        drawAxis(svg, layout);
        const things = layout.bands.flatMap((band) => drawBand(svg, band, patterns, names));
        drawNow(svg, layout);
        return things;
    }

    Object.assign((window.ScheduleTimeline ??= {}), { drawLayout });
})();
