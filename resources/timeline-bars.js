/** Bars and their ends, as SVG: how a run ended and what something waits for is seen without colour. */
(function () {
    const HALF = 6;
    const OVER = HALF + 2;
    /** Between a bar and the one that follows at once. */
    const SEAM = 1;
    const SOFT = ["held", "delayed"];

    const { min, max } = Math;
    const timeline = () => window.ScheduleTimeline;
    const line = (parent, look, d) => timeline().add(parent, "path", { class: look, d });
    const slanted = (x, y) => `M ${x - 3} ${y + OVER} L ${x + 3} ${y - OVER}`;
    const upright = (x, y) => `M ${x} ${y - OVER} V ${y + OVER}`;

    function box(parent, look, { left, right, y }, fill) {
        const size = { x: left, y: y - HALF, width: max(right - left, 0), height: HALF * 2, rx: 1 };
        return timeline().add(parent, "rect", { class: look, ...size, ...(fill ? { fill } : {}) });
    }

    const ENDINGS = {
        cancelled: (group, { right, y }) => timeline().haloed(group, "st-bad", slanted(right, y)),
        terminated: (group, { right, y }) => timeline().haloed(group, "st-bad", upright(right, y)),
        expired: (group, { right, y }) => {
            line(group, "st-halo", upright(right, y));
            line(group, "st-cap st-dashed st-bad", upright(right, y));
        },
        failed: (group, { right, y }) => {
            const points = `M ${right - 6} ${y + HALF - 1} l 4.5 -9 l 4.5 9 Z`;
            line(group, "st-halo", points);
            line(group, "st-solid st-bad", points);
        },
    };

    /** The bar of a run: solid, hatched if it failed, torn if it was interrupted, with the cap of its ending. */
    function drawRun(parent, bar, patterns) {
        const { left, right, y, ending, closes, lost, limit } = bar;
        const group = timeline().add(parent, "g", { class: "st-bar" });
        if (lost !== undefined) box(group, "st-lost", { left: right + 3, right: lost - SEAM, y });
        if (limit > right) drawLimit(group, { right, limit, y });
        const end = closes ? max(right - SEAM, min(left + 2, right)) : right;
        if (ending === "interrupted") line(group, "st-solid st-run", torn(left, end, y));
        else if (ending === "failed") box(group, "st-outlined st-bad", { left, right: end, y }, `url(#${patterns.failed})`);
        else box(group, "st-solid st-run", { left, right: end, y });
        ENDINGS[ending]?.(group, bar);
        return group;
    }

    /** A run that goes on: a dotted line to its limit. */
    function drawLimit(group, { right, limit, y }) {
        line(group, "st-expected st-run", `M ${right} ${y} H ${limit}`);
        line(group, "st-cap st-dashed st-bad", upright(limit, y));
    }

    function torn(left, right, y) {
        const back = max(right - 4, left);
        return `M ${left} ${y - HALF} H ${right} L ${back} ${y - 2} L ${right} ${y + 2} L ${back} ${y + HALF} H ${left} Z`;
    }

    /** A stretch of waiting, with a line across wherever a firing merged into it. */
    function drawWait(parent, bar, patterns) {
        const { left, right, y, outcome, crossings, isCut, closes } = bar;
        const group = timeline().add(parent, "g", { class: "st-bar" });
        const end = closes ? max(right - SEAM, left) : right;
        if (SOFT.includes(outcome)) box(group, "st-plain st-wait", { left, right, y });
        else box(group, "st-outlined st-wait", { left, right: end, y }, `url(#${patterns[outcome]})`);
        for (const x of crossings) line(group, "st-thin st-wait", `M ${x} ${y - HALF} V ${y + HALF}`);
        if (SOFT.includes(outcome)) drawBrackets(group, bar);
        if (isCut) timeline().haloed(group, "st-bad", slanted(right, y));
        return group;
    }

    function drawBrackets(group, { left, right, y, opens, closes }) {
        const [top, bottom] = [y - HALF, y + HALF];
        if (opens) line(group, "st-thick st-wait", `M ${left + 3} ${top} H ${left} V ${bottom} h 3`);
        if (closes) line(group, "st-thick st-wait", `M ${right - 3} ${top} H ${right} V ${bottom} h -3`);
    }

    /** From the end of a wait down to its run. */
    function drawArrow(parent, { x, top, bottom }) {
        line(parent, "st-thin st-wait", `M ${x} ${top} V ${bottom - 3}`);
        line(parent, "st-solid st-wait", `M ${x - 3} ${bottom - 5} h 6 l -3 5 Z`);
    }

    Object.assign((window.ScheduleTimeline ??= {}), { drawRun, drawWait, drawArrow });
})();
