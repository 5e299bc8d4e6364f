/**
 * The next ticks of the schedule that is being edited, as the bridge computes them, in the dialog of schedule-trigger.
 * Loaded by its node file, which finds it as `window.scheduleTrigger`.
 */
(function () {
    const UNIT_MINUTES = { seconds: 1 / 60, minutes: 1, hours: 60, days: 1440 };
    const KEYSTROKE_PAUSE = 80;
    const BRIDGE_NEWS = "schedule-trigger/bridge";
    const field = (name) => $(`#node-input-${name}`);
    const isEnvironment = (text) => /\$\{[^}]+\}/.test(text);
    const SHORTEST_MINUTES = 0.1 / 60;

    /** Whether an interval is one that the bridge takes: 0.1 seconds or more. */
    function isLongEnough(every, unit) {
        return Number(every) * UNIT_MINUTES[unit] >= SHORTEST_MINUTES;
    }

    /** Puts a sentence below a field; a "bad" one says what is wrong with it. */
    function say(place, sentence, kind) {
        const isBad = kind === "bad" && sentence !== "";
        place.empty().toggleClass("schedule-trigger-bad", isBad);
        if (isBad) place.append($("<i class='fa fa-exclamation-circle'></i>"), " ");
        place.append(document.createTextNode(sentence));
    }

    /** What the bridge needs to know to say the next ticks. */
    function editedSchedule(node) {
        const names = ["scheduleKind", "every", "everyUnit", "cron", "timezone", "bridge"];
        const values = Object.fromEntries(names.map((name) => [name, field(name).val()]));
        return { ...values, id: node.id, bridge: values.bridge === "_ADD_" ? "" : values.bridge };
    }

    /** The texts of ticks: the day where it is another than that of the tick before, seconds where there are any. */
    function tickTexts({ ticks, today }) {
        const withSeconds = ticks.some(({ local }) => local.slice(17, 19) !== "00");
        let shownDay = today;
        return ticks.map(({ local }) => {
            const day = local.slice(0, 10);
            const time = local.slice(11, withSeconds ? 19 : 16);
            const text = day === shownDay ? time : `${dayText(day, today)} ${time}`;
            shownDay = day;
            return text;
        });
    }

    function dayText(day, today) {
        const near = Math.abs(new Date(day) - new Date(today)) < 6 * 24 * 3600 * 1000;
        const options = near ? { weekday: "short" } : { day: "numeric", month: "short" };
        return new Date(day).toLocaleDateString(RED.i18n.lang() || undefined, { timeZone: "UTC", ...options });
    }

    /** "Next **14:20**, 14:30, …" */
    function showTicks(node, answer, kind) {
        const hint = $("#schedule-trigger-next").empty();
        const [first, ...others] = tickTexts(answer);
        if (first === undefined) {
            hint.text(node._("schedule-trigger.hint.noTicks"));
            return;
        }
        const changes = answer.ticks.some(({ clockChange }) => clockChange);
        const zone = kind === "interval" ? ` · ${answer.timezone}` : "";
        const note = changes ? ` · ${node._("schedule-trigger.hint.clockChange")}` : "";
        const rest = others.map((text) => `, ${text}`).join("");
        hint.append(`${node._("schedule-trigger.hint.next")} `, $("<b>").text(first), document.createTextNode(rest + zone + note));
    }

    /** Marks the field that is wrong, says why, and notes it for the validator of the node's property. */
    function showMistake(node, { name, message }) {
        const place = name === "cron" ? "#schedule-trigger-description" : "#schedule-trigger-next";
        clearHints(node);
        node.scheduleRefusal = { name, value: field(name).val(), message };
        field(name).addClass("input-error").attr("aria-invalid", "true");
        say($(place), message, "bad");
    }

    function clearHints(node) {
        delete node.scheduleRefusal;
        for (const place of ["#schedule-trigger-next", "#schedule-trigger-description"]) say($(place), "");
        for (const name of ["every", "cron", "timezone"]) field(name).removeClass("input-error").removeAttr("aria-invalid");
    }

    /** The field that the bridge's first complaint is about, and its sentence. */
    function refusedField([{ pointer, message }], kind) {
        const isZone = pointer.endsWith("/timezone");
        return { name: isZone ? "timezone" : kind === "cron" ? "cron" : "every", message };
    }

    /** What is wrong with a schedule that need not be asked about, or undefined. */
    function localMistake(node, { scheduleKind, every, everyUnit, cron }) {
        const isEmpty = scheduleKind === "cron" && cron.trim() === "";
        if (isEmpty) return { name: "cron", message: node._("schedule-trigger.invalid.cron") };
        const isShort = scheduleKind === "interval" && !isLongEnough(every, everyUnit);
        return isShort ? { name: "every", message: node._("schedule-trigger.invalid.every") } : undefined;
    }

    /** Minutes between two ticks, as far as the dialog knows. */
    function intervalMinutes(schedule, ticks) {
        if (schedule.scheduleKind === "interval") return Number(schedule.every) * UNIT_MINUTES[schedule.everyUnit];
        return ticks.length > 1 ? (new Date(ticks[1].at) - new Date(ticks[0].at)) / 60000 : NaN;
    }

    /** The run limit that holds where none is set (R20), as the placeholder. */
    function showLimit(node, schedule, ticks) {
        const minutes = Math.round(intervalMinutes(schedule, ticks) * 5 * 100) / 100;
        const none = schedule.scheduleKind === "none";
        const key = none ? "limitNone" : minutes > 0 ? "limit" : "limitUnknown";
        field("maxRunMinutes").attr("placeholder", node._(`schedule-trigger.placeholder.${key}`, { minutes }));
    }

    /** Asks the bridge for the next ticks of what is being edited. */
    function askTicks(schedule) {
        return $.ajax({
            url: "schedule-trigger/preview",
            type: "POST",
            contentType: "application/json",
            data: JSON.stringify(schedule),
        });
    }

    /** Hears how this Node-RED's own bridge gets on, as long as the dialog is open. */
    function followOwnBridge(told) {
        const [place] = $("#schedule-trigger-next");
        const heard = (_topic, news) => {
            if (place.isConnected) told(news);
            else RED.comms.unsubscribe(BRIDGE_NEWS, heard);
        };
        RED.comms.subscribe(BRIDGE_NEWS, heard);
    }

    /** Makes the function that shows the next ticks, a moment after the last keystroke. */
    function tickPreview(node) {
        let latest = 0;
        let timer;
        let waitsForOwnBridge = false;

        function unreachable(message) {
            clearHints(node);
            say($("#schedule-trigger-next"), node._("schedule-trigger.hint.unreachable", { message }));
        }

        function answered(schedule, answer) {
            clearHints(node);
            if (schedule.scheduleKind === "cron") say($("#schedule-trigger-description"), answer.description);
            showTicks(node, answer, schedule.scheduleKind);
            showLimit(node, schedule, answer.ticks);
        }

        function refused(schedule, { responseJSON }) {
            const { message = node._("schedule-trigger.button.unanswered"), problem, errors = [] } = responseJSON || {};
            if (errors.length > 0) {
                showMistake(node, refusedField(errors, schedule.scheduleKind));
                return;
            }
            waitsForOwnBridge = problem === "ownBridge";
            unreachable(message);
        }

        /** Says what can be said without asking; gives whether there was anything. */
        function saidLocally(schedule) {
            const words = localHint(schedule);
            const mistake = words ? undefined : localMistake(node, schedule);
            if (mistake) showMistake(node, mistake);
            if (!words) return Boolean(mistake);
            clearHints(node);
            say($("#schedule-trigger-next"), node._(`schedule-trigger.hint.${words}`));
            return true;
        }

        function show() {
            const schedule = editedSchedule(node);
            const mine = ++latest;
            waitsForOwnBridge = false;
            showLimit(node, schedule, []);
            if (saidLocally(schedule)) return;
            askTicks(schedule).then(
                (answer) => mine === latest && answered(schedule, answer),
                (failure) => mine === latest && refused(schedule, failure),
            );
        }

        followOwnBridge(({ runs, message }) => {
            if (waitsForOwnBridge && runs) show();
            else if (waitsForOwnBridge) unreachable(message);
        });

        return () => {
            clearTimeout(timer);
            timer = setTimeout(show, KEYSTROKE_PAUSE);
        };
    }

    /** The key of what can be said without asking, or undefined. */
    function localHint(schedule) {
        if (schedule.scheduleKind === "none") return "noSchedule";
        return isEnvironment(JSON.stringify(schedule)) ? "environment" : undefined;
    }

    window.scheduleTrigger = { field, isEnvironment, isLongEnough, say, tickPreview };
})();
