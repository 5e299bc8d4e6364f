/**
 * Asks what the trigger that is being edited would do, a moment after the last keystroke, and has it shown: its next
 * ticks (tick-hints.js) and its picture (policy-picture.js).
 */
(function () {
    const own = () => window.scheduleTrigger;
    const KEYSTROKE_PAUSE = 80;
    const SCHEDULE = ["scheduleKind", "every", "everyUnit", "cron", "timezone", "bridge"];
    const SETTINGS = ["overlapPolicy", "maxConcurrent", "maxRunMinutes", "delaySeconds", "priority"];

    const values = (names) => Object.fromEntries(names.map((name) => [name, own().field(name).val()]));

    /** What the bridge needs to know to say the next ticks. */
    function editedSchedule(node) {
        const schedule = values(SCHEDULE);
        return { ...schedule, id: node.id, bridge: schedule.bridge === "_ADD_" ? "" : schedule.bridge };
    }

    /** What it needs to know besides to say what comes of them. */
    function editedSettings() {
        const settings = values(SETTINGS);
        const { key, type } = own().typedKey();
        return { ...settings, maxRunMinutes: settings.maxRunMinutes.trim() || 0, lockKey: key, lockKeyType: type, lockKeys: own().listedKeys() };
    }

    /** Seconds between two ticks: the interval, or what lies between most ticks of a cron schedule. */
    function intervalSeconds(schedule, ticks = []) {
        if (schedule.scheduleKind === "interval") return own().everySeconds(schedule.every, schedule.everyUnit);
        const gaps = ticks.slice(1).map(({ at }, index) => (Date.parse(at) - Date.parse(ticks[index].at)) / 1000);
        return gaps.sort((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? NaN;
    }

    function askPreview(body) {
        return $.ajax({ url: "schedule-trigger/preview", type: "POST", contentType: "application/json", data: JSON.stringify(body) });
    }

    class Preview {
        #node;
        #picture;
        #latest = 0;
        #timer;
        #waitsForOwnBridge = false;
        /** Whether this dialog has tried to have the bridge started. */
        #hasBegun = false;
        /** Part of the page as long as the dialog is open; the next dialog has another one. */
        #place = $("#schedule-trigger-next")[0];

        constructor(node, picture) {
            this.#node = node;
            this.#picture = picture;
            own().followOwnBridge(this.#place, (news) => this.#heard(news));
        }

        /** Shows what is edited, a moment from now. */
        soon() {
            clearTimeout(this.#timer);
            this.#timer = setTimeout(() => this.show(), KEYSTROKE_PAUSE);
        }

        /** Shows what is edited. */
        show() {
            if (!this.#place.isConnected) return;
            const schedule = editedSchedule(this.#node);
            const mine = ++this.#latest;
            this.#waitsForOwnBridge = false;
            own().showLimit(this.#node, schedule.scheduleKind, intervalSeconds(schedule));
            if (this.#saidLocally(schedule)) return;
            const settings = editedSettings();
            const { runSeconds } = this.#picture;
            askPreview({ ...schedule, ...settings, runSeconds }).then(
                (answer) => this.#isAwaited(mine) && this.#answered(schedule, settings, answer),
                (failure) => this.#isAwaited(mine) && this.#refused(schedule, failure),
            );
        }

        /** Whether the answer to a question still matters. */
        #isAwaited(question) {
            return question === this.#latest && this.#place.isConnected;
        }

        #answered(schedule, settings, answer) {
            this.#picture.show({ ...answer, ...settings, intervalSeconds: intervalSeconds(schedule, answer.ticks) });
            own().clearHints(this.#node, "#schedule-trigger-next");
            if (schedule.scheduleKind === "cron") own().say($("#schedule-trigger-description"), answer.description);
            own().showTicks(this.#node, answer, schedule.scheduleKind);
            own().showLimit(this.#node, schedule.scheduleKind, intervalSeconds(schedule, answer.ticks.slice(0, 2)));
        }

        #refused(schedule, { responseJSON }) {
            const unanswered = this.#node._("schedule-trigger.button.unanswered");
            const { message = unanswered, problem, progress, errors = [] } = responseJSON || {};
            if (errors.length > 0) {
                own().showMistake(this.#node, own().refusedField(errors, schedule.scheduleKind));
                this.#picture.withhold("mend");
                return;
            }
            this.#waitsForOwnBridge = problem === "ownBridge";
            if (this.#waitsForOwnBridge && !progress && !this.#hasBegun) this.#begin(schedule.bridge, message);
            else this.#unreachable(message, progress);
        }

        /** Has this Node-RED's own bridge started and asks again; says why not where that may not be. */
        async #begin(bridge, message) {
            this.#hasBegun = true;
            if (await own().beginSetUp(bridge)) this.show();
            else if (this.#place.isConnected) this.#unreachable(message);
        }

        #unreachable(message, progress) {
            own().clearHints(this.#node, "#schedule-trigger-next");
            own().say($("#schedule-trigger-next"), this.#node._("schedule-trigger.hint.unreachable", { message }));
            if (this.#waitsForOwnBridge && progress) this.#picture.showSetUp(message, progress);
            else this.#picture.withhold("unreachable", { message });
        }

        #heard({ runs, message, progress }) {
            if (!this.#waitsForOwnBridge) return;
            if (runs) this.show();
            else this.#unreachable(message, progress);
        }

        /** Says what can be said without asking; gives whether there was anything. */
        #saidLocally(schedule) {
            const hint = localHint(schedule);
            const mistake = hint ? undefined : own().localMistake(this.#node, schedule);
            if (mistake) {
                own().showMistake(this.#node, mistake);
                this.#picture.withhold("mend");
            }
            if (!hint) return Boolean(mistake);
            own().clearHints(this.#node, "#schedule-trigger-next");
            own().say($("#schedule-trigger-next"), this.#node._(`schedule-trigger.hint.${hint}`));
            this.#picture.clear(hint);
            return true;
        }
    }

    /** The key of what can be said without asking, or undefined. */
    function localHint(schedule) {
        if (schedule.scheduleKind === "none") return "noSchedule";
        return own().isEnvironment(JSON.stringify(schedule)) ? "environment" : undefined;
    }

    /** Shows what the edited trigger does, at once and after each change. */
    function startPreview(node) {
        const changed = () => preview.soon();
        const picture = own().policyPicture(node, { changed, settings: editedSettings });
        const preview = new Preview(node, picture);
        for (const name of [...SCHEDULE, ...SETTINGS]) own().field(name).on("change input", changed);
        $(".schedule-trigger-more").on("change input", changed);
        preview.soon();
        return picture;
    }

    Object.assign((window.scheduleTrigger ??= {}), { startPreview });
})();
