/** What the picture says: a sentence for each mark and bar, and all of it in numbers. Touches no page. */
(function () {
    const HOUR = 3_600_000;
    const DAY = 24 * HOUR;
    const FIRINGS = ["skipped", "dropped", "merged"];
    const ENDS = ["cancelled", "terminated", "expired", "failed"];

    /** The form of a text for a number: its plural in the language of the reader. */
    function counted(say, lang) {
        const rules = new Intl.PluralRules(lang);
        return (key, count) => say(`${key}.${rules.select(count) === "one" ? "one" : "other"}`, { count });
    }

    /** What happened in a part of a story. */
    function numbersOf({ marks, waits, runs }, { from, to }) {
        const within = (at) => at !== undefined && at >= from && at < to;
        const numbers = { firings: 0, runs: runs.filter(({ start }) => within(start)).length };
        for (const { at, outcome } of marks) {
            if (within(at)) numbers[outcome] = (numbers[outcome] ?? 0) + 1;
        }
        for (const { end, ending } of runs) {
            if (within(end)) numbers[ending] = (numbers[ending] ?? 0) + 1;
        }
        // A delayed firing that is skipped later leaves two marks.
        const twice = marks.filter(({ at, origin }) => within(at) && origin).length;
        numbers.firings = marks.filter(({ at }) => within(at)).length - twice;
        numbers.waiting = waits.filter(({ stretches, end }) => stretches[0].start < to && (end === undefined || end >= to)).length;
        return numbers;
    }

    /** "12 ticks, 6 runs, 6 skipped": what is not zero. */
    function listOf(numbers, what, { say, count }) {
        const parts = [count(`picture.count.${what}`, numbers.firings)];
        if (numbers.runs) parts.push(count("picture.count.runs", numbers.runs));
        for (const outcome of [...FIRINGS, ...ENDS]) {
            if (numbers[outcome]) parts.push(count(`picture.count.${outcome}`, numbers[outcome]));
        }
        return parts.join(say("picture.comma"));
    }

    /** A stretch of time in words, such as "8 hours 20 minutes". */
    function spanInWords(ms, lang) {
        const units = [["day", DAY], ["hour", HOUR], ["minute", 60_000], ["second", 1000]]; // prettier-ignore
        const first = units.findIndex(([, size]) => ms >= size * 0.995);
        if (first < 0) return unitInWords(Math.round(ms / 100) / 10, "second", lang);
        const [unit, size] = units[first];
        if (ms >= 3 * DAY || unit === "second") return unitInWords(Math.round(ms / size), unit, lang);
        const [smallUnit, small] = units[first + 1];
        const total = Math.round(ms / small) * small;
        const [whole, rest] = [Math.floor(total / size), Math.round((total % size) / small)];
        return [unitInWords(whole, unit, lang), ...(rest ? [unitInWords(rest, smallUnit, lang)] : [])].join(" ");
    }

    function unitInWords(number, unit, lang) {
        return new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" }).format(number);
    }

    /** "In the next 2 hours: **12 ticks, 6 runs, 6 skipped.**" */
    function summary(story, view, { say, lang, since, what }) {
        const count = counted(say, lang);
        const numbers = numbersOf(story, view);
        const counts = listOf(numbers, what, { say, count });
        const isAhead = view.from <= since;
        const span = isAhead ? spanInWords(view.to - view.from, lang) : "";
        const sentence = isAhead ? say("picture.next", { span, counts }) : say("picture.shown", { counts });
        return numbers.waiting ? `${sentence} ${count("picture.waits", numbers.waiting)}` : sentence;
    }

    /** "With queue you would have had **7 runs instead of 6**, 4 merged, none skipped. 1 still waits." */
    function comparison({ asItRan, replayed }, policy, { say, lang }) {
        const count = counted(say, lang);
        const other = replayed.runs !== asItRan.runs;
        const runs = count("picture.count.runs", replayed.runs);
        const parts = [other ? say("picture.instead", { runs, before: asItRan.runs }) : say("picture.asMany", { runs })];
        for (const outcome of ["merged", "dropped", "skipped", "cancelled", "expired"]) {
            if (replayed[outcome]) parts.push(count(`picture.count.${outcome}`, replayed[outcome]));
            else if (asItRan[outcome]) parts.push(say(`picture.none.${outcome}`));
        }
        const sentence = say("picture.would", { policy, counts: parts.join(say("picture.comma")) });
        return replayed.waiting ? `${sentence} ${count("picture.waits", replayed.waiting)}` : sentence;
    }

    /** Makes the function that gives the sentence of a mark, wait or run of a simulated story. */
    function teller({ marks, runs }, { say, when }) {
        const activeAt = (at) => runs.filter(({ start, end }) => start <= at && (end === undefined || end > at));
        /** When a wait began that something is in the way of. */
        const heldAt = (at) => marks.findLast(({ outcome, at: since }) => outcome === "held" && since <= at)?.at;

        const tells = {
            started: ({ at, into }) => say(`picture.tell.started.${into.ending ?? "open"}`, { time: when(at), end: when(into.end) }),
            skipped: (mark) => tellSkipped(mark),
            dropped: ({ at, reason }) => say(`picture.tell.dropped.${reason === "replaced" ? "replaced" : "full"}`, { time: when(at), since: when(heldAt(at)) }),
            merged: ({ at, into }) => say("picture.tell.merged", { time: when(at), since: when(into?.stretches?.[0].start ?? at) }),
        };

        function tellSkipped({ at, reason }) {
            const active = activeAt(at);
            const known = reason === "active" && active.length > 0 ? "active" : reason === "maxConcurrent" ? "many" : reason === "paused" ? "paused" : "other";
            return say(`picture.tell.skipped.${known}`, { time: when(at), since: when(active[0]?.start), count: active.length });
        }

        function tellWait(outcome, at, end) {
            return say(`picture.tell.${outcome}.${end === undefined ? "open" : "until"}`, { time: when(at), end: when(end) });
        }

        function tellBar(thing) {
            if (thing.stretches) return tellWait(thing.stretches[0].outcome, thing.stretches[0].start, thing.end);
            return say(`picture.tell.run.${thing.ending ?? "open"}`, { time: when(thing.start), end: when(thing.end) });
        }

        return (thing) => {
            if (!thing.outcome) return tellBar(thing);
            return tells[thing.outcome]?.(thing) ?? tellWait(thing.outcome, thing.at, thing.into?.end);
        };
    }

    Object.assign((window.scheduleTrigger ??= {}), { numbersOf, pictureSummary: summary, pictureComparison: comparison, pictureTeller: teller, spanInWords });
})();
