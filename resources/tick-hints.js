/** What the dialog of schedule-trigger says below the schedule: its words, its next ticks, what is wrong with it. */
(function () {
    const own = () => window.scheduleTrigger;
    const SHOWN = 5;
    const DAY_MS = 24 * 3600 * 1000;
    const FIELDS = ["every", "cron", "timezone"];

    /** The texts of ticks: the day where it is another than that of the tick before, seconds where there are any. */
    function tickTexts(node, { ticks, today }) {
        const shown = ticks.slice(0, SHOWN);
        const withSeconds = shown.some(({ local }) => local.slice(17, 19) !== "00");
        let shownDay = today;
        return shown.map(({ local, clockChange }) => {
            const day = local.slice(0, 10);
            const time = local.slice(11, withSeconds ? 19 : 16);
            const text = day === shownDay ? time : `${dayText(day, today)} ${time}`;
            shownDay = day;
            return clockChange ? `${text} (${node._("schedule-trigger.hint.clockChange")})` : text;
        });
    }

    function dayText(day, today) {
        const near = Math.abs(new Date(day) - new Date(today)) < 6 * DAY_MS;
        const options = near ? { weekday: "short" } : { day: "numeric", month: "short" };
        return new Date(day).toLocaleDateString(RED.i18n.lang() || undefined, { timeZone: "UTC", ...options });
    }

    /** "Next **14:20**, 14:30, …" */
    function showTicks(node, answer, kind) {
        const [first, ...others] = tickTexts(node, answer);
        const place = $("#schedule-trigger-next").removeClass("schedule-trigger-bad");
        const zone = kind === "interval" ? ` · ${answer.timezone}` : "";
        const next = node._("schedule-trigger.hint.next");
        const text = first === undefined ? node._("schedule-trigger.hint.noTicks") : `${next} **${first}**${others.map((text) => `, ${text}`).join("")}${zone}`;
        own().sayRich(place, text);
    }

    /** Marks the field that is wrong, says why, and notes it for the validator of the node's property. */
    function showMistake(node, { name, message }) {
        const place = name === "cron" ? "#schedule-trigger-description" : "#schedule-trigger-next";
        clearHints(node, place);
        node.scheduleRefusal = { name, value: own().field(name).val(), message };
        own().field(name).addClass("input-error").attr("aria-invalid", "true");
        own().say($(place), message, "bad");
    }

    /** Takes back what was said, except in a place where something follows at once. */
    function clearHints(node, except) {
        delete node.scheduleRefusal;
        for (const place of ["#schedule-trigger-next", "#schedule-trigger-description"]) {
            if (place !== except) own().say($(place), "");
        }
        for (const name of FIELDS) own().field(name).removeClass("input-error").removeAttr("aria-invalid");
    }

    /** The field that the bridge's first complaint is about, and its sentence. */
    function refusedField([{ pointer, message }], kind) {
        const isZone = pointer.endsWith("/timezone");
        return { name: isZone ? "timezone" : kind === "cron" ? "cron" : "every", message };
    }

    /** What is wrong with a schedule that need not be asked about, or undefined. */
    function localMistake(node, { scheduleKind, every, everyUnit, cron }) {
        const say = (key, values) => node._(`schedule-trigger.${key}`, values);
        if (scheduleKind === "cron") {
            const message = own().cronMistakeInWords(cron, say);
            return message && { name: "cron", message };
        }
        const isShort = scheduleKind === "interval" && !own().isLongEnough(every, everyUnit);
        return isShort ? { name: "every", message: say("invalid.every") } : undefined;
    }

    /** The run limit that holds where none is set (R20), as the placeholder; `seconds` lie between two ticks. */
    function showLimit(node, kind, seconds) {
        const minutes = Math.round(((seconds * 5) / 60) * 100) / 100;
        const key = kind === "none" ? "limitNone" : minutes >= 1 ? "limit" : "limitUnknown";
        own().field("maxRunMinutes").attr("placeholder", node._(`schedule-trigger.placeholder.${key}`, { minutes }));
    }

    Object.assign((window.scheduleTrigger ??= {}), { showTicks, showMistake, clearHints, refusedField, localMistake, showLimit });
})();
