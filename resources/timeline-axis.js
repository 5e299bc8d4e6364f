/** Round times of a zone's wall clock, as the hairlines of a timeline. */
(function () {
    const SECOND = 1000;
    const MINUTE = 60 * SECOND;
    const HOUR = 60 * MINUTE;
    const DAY = 24 * HOUR;
    const STEPS = [
        ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
        ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
        ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
        ...[1, 2, 3, 4, 6, 12].map((count) => count * HOUR),
        ...[1, 2, 7, 14, 28, 56, 100, 200, 365, 730, 1825, 3650].map((count) => count * DAY),
    ];
    const formats = new Map();

    function format(lang, options) {
        const key = JSON.stringify([lang, options]);
        if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(lang, options));
        return formats.get(key);
    }

    /** Milliseconds that a zone's clock is ahead of UTC at an instant. */
    function offsetAt(at, zone) {
        const parts = format("en-US", {
            ...{ timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
            ...{ hour: "numeric", minute: "numeric", second: "numeric" },
        }).formatToParts(at);
        const { year, month, day, hour, minute, second } = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
        return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / SECOND) * SECOND;
    }

    /** The instant at which a zone's clock shows a wall time. */
    function instantOf(wall, zone) {
        const near = wall - offsetAt(wall, zone);
        return wall - offsetAt(near, zone);
    }

    /** The first wall time of the grid that is not before another. */
    function firstOfGrid(wall, step) {
        const midnight = Math.floor(wall / DAY) * DAY;
        const base = step < DAY ? midnight : 0;
        return base + Math.ceil((wall - base) / step) * step;
    }

    /**
     * The time of day of an instant, with seconds where `exact`.
     * @param {number} at milliseconds
     * @param {{zone: string, lang?: string, exact?: boolean}} where
     */
    function clockTime(at, { zone, lang, exact = false }) {
        const second = exact ? { second: "2-digit" } : {};
        return format(lang, { timeZone: zone, hourCycle: "h23", hour: "2-digit", minute: "2-digit", ...second }).format(at);
    }

    /** The day of an instant: its weekday where that is enough, its date otherwise. */
    function dayOf(at, { zone, lang, near = true }) {
        const options = near ? { weekday: "short" } : { day: "numeric", month: "short" };
        return format(lang, { timeZone: zone, ...options }).format(at);
    }

    function label(at, step, view, where) {
        const span = view.to - view.from;
        const isMidnight = clockTime(at, { ...where, exact: true }) === clockTime(0, { zone: "UTC", lang: where.lang, exact: true });
        if (span > 400 * DAY) return format(where.lang, { timeZone: where.zone, month: "short", year: "numeric" }).format(at);
        if (step >= DAY || (isMidnight && span > DAY)) return dayOf(at, { ...where, near: span < 6 * DAY });
        return clockTime(at, { ...where, exact: step < MINUTE });
    }

    /**
     * Round times of a view, each with its label: at most one more than there are steps.
     * @param {{from: number, to: number}} view milliseconds
     * @param {{zone: string, lang?: string}} where
     * @param {number} [most] steps; fewer where there is little room
     * @returns {{at: number, label: string}[]}
     */
    function roundTimes(view, where, most = 5) {
        const span = view.to - view.from;
        const step = STEPS.find((each) => span / each <= most) ?? STEPS.at(-1);
        const times = [];
        for (let wall = firstOfGrid(view.from + offsetAt(view.from, where.zone), step); ; wall += step) {
            const at = instantOf(wall, where.zone);
            if (at > view.to || times.length > most) return times;
            // Where the clocks go forward, some wall times do not exist.
            if (at + offsetAt(at, where.zone) === wall) times.push({ at, label: label(at, step, view, where) });
        }
    }

    Object.assign((window.ScheduleTimeline ??= {}), { roundTimes, clockTime, dayOf, offsetAt });
})();
