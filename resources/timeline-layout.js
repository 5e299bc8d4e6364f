/** From stories to places: rows, lanes, marks and bars with their coordinates, in CSS pixels. Draws nothing. */
(function () {
    const MEASURES = {
        labels: 54,
        inset: 10,
        tick: 12,
        small: 0.6,
        smallTick: 5,
        reach: 4,
        bar: 12,
        lane: 16,
        gap: 4,
        title: 22,
        axis: 22,
        top: 4,
        leastBar: 2,
        markLanes: 5,
        barLanes: 24,
    };
    const M = MEASURES;
    /** Pixels between two labels of the axis. */
    const LABEL_ROOM = 64;

    /** A lane for each extent `[begin, end]`, sorted by its begin; undefined where all are taken. */
    function assignLanes(extents, most) {
        const ends = [];
        return extents.map(([begin, end]) => {
            const free = ends.findIndex((taken) => taken <= begin);
            const lane = free < 0 ? ends.length : free;
            if (lane >= most) return undefined;
            ends[lane] = end;
            return lane;
        });
    }

    /** Places on the axis: `x` of an instant, and the bounds that bars are cut off at. */
    function scaleOf(view, width) {
        const left = M.labels + M.inset;
        const plot = Math.max(width - left - M.inset, 1);
        const x = (at) => Math.round((left + (plot * (at - view.from)) / (view.to - view.from)) * 10) / 10;
        return { x, plot, first: M.labels, last: width, until: view.to, inView: (at) => at >= view.from && at < view.to };
    }

    /** Marks that would cover each other stand below each other, as far as there is room. */
    function placeMarks(marks, scale, isSmall) {
        const size = isSmall ? M.smallTick : M.tick;
        const shown = marks.filter(({ at }) => scale.inView(at));
        const lanes = assignLanes(
            shown.map(({ at }) => [scale.x(at), scale.x(at) + size - 0.5]),
            M.markLanes,
        );
        return shown.map((mark, index) => ({ mark, lane: lanes[index] ?? M.markLanes - 1, x: scale.x(mark.at) }));
    }

    /** Each thing with its lane, the same whatever part is in view; those without one are counted by `hidden`. */
    function placeBars(things, extent) {
        const sorted = [...things].sort((one, other) => extent(one)[0] - extent(other)[0]);
        const lanes = assignLanes(sorted.map(extent), M.barLanes);
        const placed = sorted.map((thing, index) => ({ thing, lane: lanes[index] })).filter(({ lane }) => lane !== undefined);
        const count = placed.reduce((most, { lane }) => Math.max(most, lane + 1), 0);
        return { placed, count, hidden: sorted.length - placed.length };
    }

    const startOf = (wait) => wait.stretches[0].start;

    function placeWaits(waits) {
        return placeBars(waits, (wait) => [startOf(wait), wait.end ?? Infinity]);
    }

    function placeRuns(runs) {
        const { CUTS } = window.ScheduleTimeline;
        return placeBars(runs, (run) => [run.start, run.end === undefined ? Infinity : run.end + (CUTS.includes(run.ending) ? 1 : 0)]);
    }

    /** The part of a bar that is in view; undefined if none is. `opens` and `closes`: that end of it is. */
    function extentOf(start, end, scale, until) {
        const left = scale.x(start);
        const right = end === undefined ? until : Math.max(scale.x(end), left + M.leastBar);
        if (right <= scale.first || start >= scale.until) return undefined;
        return {
            left: Math.max(left, scale.first),
            right: Math.min(right, scale.last),
            opens: left >= scale.first,
            closes: end !== undefined && right <= scale.last,
        };
    }

    function waitBars({ placed }, rowTop, scale, until) {
        return placed.flatMap(({ thing: wait, lane }) =>
            wait.stretches.flatMap((stretch, index) => {
                const end = wait.stretches[index + 1]?.start ?? wait.end;
                const extent = extentOf(stretch.start, end, scale, until);
                if (!extent) return [];
                const within = (at) => at >= stretch.start && (end === undefined || at <= end) && scale.inView(at);
                const crossings = [...new Set(wait.merges.filter(within).map(scale.x))];
                const isCut = Boolean(wait.cancelled) && end === wait.end;
                return [{ ...extent, thing: wait, outcome: stretch.outcome, y: middle(rowTop, lane), crossings, isCut }];
            }),
        );
    }

    function runBars({ placed }, rowTop, scale, until) {
        const nextOfLane = new Map();
        const bars = [...placed].reverse().map(({ thing: run, lane }) => {
            const extent = extentOf(run.start, run.end, scale, until);
            const bound = nextOfLane.get(lane) ?? scale.last;
            nextOfLane.set(lane, scale.x(run.start));
            const ending = extent?.closes ? run.ending : undefined;
            return extent && { ...extent, thing: run, y: middle(rowTop, lane), ending, lost: lostOf(run, ending, bound, scale), limit: limitOf(run, scale) };
        });
        return bars.filter(Boolean).reverse();
    }

    /** What a cancelled run lost, as far as the next bar of its lane. */
    function lostOf(run, ending, bound, scale) {
        if (ending !== "cancelled" || run.expectedEnd === undefined) return undefined;
        const right = Math.min(scale.x(run.expectedEnd), bound, scale.last);
        return right > scale.x(run.end) + 6 ? right : undefined;
    }

    /** Until where a run that goes on may go on; undefined for one that has ended. */
    function limitOf(run, scale) {
        return run.end === undefined && run.limit !== undefined ? Math.min(scale.x(run.limit), scale.last) : undefined;
    }

    const middle = (top, lane) => top + lane * M.lane + M.lane / 2;

    /** From the end of a wait down to the run that it became. */
    function arrowsOf(waits, runs, tops, scale) {
        const laneOf = new Map(runs.placed.map(({ thing, lane }) => [thing, lane]));
        return waits.placed.flatMap(({ thing: wait, lane }) => {
            const target = laneOf.get(wait.becomes);
            if (target === undefined || !scale.inView(wait.becomes.start)) return [];
            const top = middle(tops.waiting, lane) + M.bar / 2;
            return [{ x: scale.x(wait.becomes.start), top, bottom: middle(tops.runs, target) - M.bar / 2 }];
        });
    }

    /** From a mark down to the bar that it began or joined. */
    function stemsOf(marks, tops, waits, runs, isSmall) {
        const tips = new Map([
            ...waits.placed.map(({ thing, lane }) => [thing, middle(tops.waiting, lane) - M.bar / 2]),
            ...runs.placed.map(({ thing, lane }) => [thing, middle(tops.runs, lane) - M.bar / 2]),
        ]);
        const reach = M.reach * (isSmall ? M.small : 1);
        return marks
            .filter(({ mark }) => tips.has(mark.into))
            .map(({ mark, x, y }) => ({ outcome: mark.outcome, x, top: y + reach, bottom: tips.get(mark.into) }));
    }

    /**
     * One trigger's rows, from `top` on.
     * @param {{story: object, title?: string}} band
     * @param {object} scale
     * @param {{top: number, until: number}} place `until` is where what goes on is drawn to
     */
    function layOutBand({ story, title }, scale, { top, until }) {
        const inView = story.marks.filter(({ at }) => scale.inView(at)).length;
        const instants = new Set(story.marks.filter(({ at }) => scale.inView(at)).map(({ at }) => at)).size;
        const isSmall = inView > 0 && scale.plot / instants < M.tick * 1.2;
        const placed = placeMarks(story.marks, scale, isSmall);
        const lanes = placed.reduce((most, { lane }) => Math.max(most, lane + 1), 1);
        const [waits, runs] = [placeWaits(story.waits), placeRuns(story.runs)];
        const firings = top + (title ? M.title : 0);
        const waiting = firings + lanes * M.lane + M.gap;
        const tops = { firings, waiting, runs: waiting + (waits.count ? waits.count * M.lane + M.gap : 0) };
        const marks = placed.map((each) => ({ ...each, y: middle(firings, each.lane) }));
        return {
            ...{ title, tops, marks, isSmall, hasWaits: waits.count > 0, hidden: waits.hidden + runs.hidden },
            stems: stemsOf(marks, tops, waits, runs, isSmall),
            waits: waitBars(waits, tops.waiting, scale, until),
            runs: runBars(runs, tops.runs, scale, until),
            arrows: arrowsOf(waits, runs, tops, scale),
            bottom: tops.runs + Math.max(runs.count, 1) * M.lane,
        };
    }

    /**
     * Where everything stands.
     * @param {{bands: object[], view: {from: number, to: number}, zone: string, lang?: string, now?: number}} picture
     * @param {number} width
     */
    function layOut({ bands, view, zone, lang, now }, width) {
        const scale = scaleOf(view, width);
        const until = now === undefined ? scale.last : Math.min(scale.x(now), scale.last);
        const laidOut = [];
        for (const band of bands) {
            const top = laidOut.length === 0 ? M.top : laidOut.at(-1).bottom + M.gap * 2;
            laidOut.push({ ...layOutBand(band, scale, { top, until }), band });
        }
        const baseline = (laidOut.at(-1)?.bottom ?? M.top) + M.gap;
        const most = Math.max(2, Math.min(5, Math.floor(scale.plot / LABEL_ROOM)));
        const hours = window.ScheduleTimeline.roundTimes(view, { zone, lang }, most).map(({ at, label }) => ({ x: scale.x(at), label }));
        const nowX = now !== undefined && scale.inView(now) ? scale.x(now) : undefined;
        return { bands: laidOut, hours, baseline, height: baseline + M.axis, left: scale.first, right: scale.last, width, nowX };
    }

    /** The outcomes that a layout shows, in the order of the legend. */
    function outcomesInView({ bands }) {
        const seen = new Set(
            bands.flatMap(({ marks, waits, runs }) => [
                ...marks.map(({ mark }) => mark.outcome),
                ...waits.map(({ outcome, isCut }) => (isCut ? "cancelled" : outcome)),
                ...runs.map(({ ending }) => ending),
            ]),
        );
        seen.delete("completed");
        return Object.keys(window.ScheduleTimeline.HUES).filter((outcome) => seen.has(outcome));
    }

    Object.assign((window.ScheduleTimeline ??= {}), { MEASURES, assignLanes, layOut, outcomesInView });
})();
