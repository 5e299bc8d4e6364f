/** The panel "What this does" of the dialog: a picture of the next ticks, or of what happened, and a sentence. */
(function () {
    const own = () => window.scheduleTrigger;
    const timeline = () => window.ScheduleTimeline;
    const IN_VIEW = 12;
    const LEAST_TICKS = 3;
    const DAY = 86_400_000;
    /** Seconds. No run time is shown as none. */
    const SHORTEST = 0.1;
    /** Seconds, until the bridge has said what fits the schedule. */
    const USUAL = { interval: 600, run: 840 };

    class Panel {
        #options;
        #root = $("#schedule-trigger-picture");
        #view;
        #slider;
        #past;
        /** What is shown while nothing is pointed at. */
        #sentence = "";
        #summary = () => "";
        /** Whether the run time is one that is known, and not just a guess. */
        #isKnown = false;
        #hasPast = false;
        mode = "next";

        constructor(node, options) {
            this.#options = options;
            this.say = (key, values) => node._(`schedule-trigger.${key}`, values);
            this.lang = RED.i18n.lang() || undefined;
            this.#slider = own().runTimeSlider(this.find(".schedule-trigger-run-time"), { say: this.say, moved: () => this.#moved() });
            this.#slider.fit(USUAL.interval);
            this.#slider.show(USUAL.run);
            this.#view = timeline().create(this.find(".schedule-trigger-timeline")[0], this.#viewOptions());
            this.#past = own().pastPicture(node, this);
            this.find("[data-zoom]").each((_index, button) => $(button).on("click", () => this.#view.zoom(Number(button.dataset.zoom))));
            this.find("[data-mode]").each((_index, button) => $(button).on("click", () => this.#choose(button.dataset.mode)));
            own().prepareSetUp(this.#root);
        }

        find(selector) {
            return this.#root.find(selector);
        }

        #viewOptions() {
            const { say } = this;
            return {
                names: { firings: say("picture.row.ticks"), waiting: say("picture.row.waiting"), runs: say("picture.row.runs") },
                words: (key) => say(`picture.words.${key}`),
                onTell: (sentence) => this.#tell(sentence),
                onView: (view, layout) => this.#viewed(view, layout),
            };
        }

        // the run time

        /** Seconds that a run takes, as far as that is known: chosen, or what this trigger's runs took. */
        get runSeconds() {
            return this.#isKnown ? this.#slider.seconds : undefined;
        }

        #moved() {
            this.#isKnown = true;
            this.find("#schedule-trigger-median").text("");
            this.#options.changed();
        }

        /** Takes over what this trigger's own runs took. */
        usual({ runs, medianSeconds }) {
            if (this.#isKnown || !(medianSeconds > 0)) return;
            this.#isKnown = true;
            this.#slider.show(Math.max(medianSeconds, SHORTEST));
            const key = runs === 1 ? "picture.medianOne" : "picture.median";
            this.find("#schedule-trigger-median").text(this.say(key, { count: runs }));
            this.#options.changed();
        }

        // what is shown

        #choose(mode) {
            this.mode = mode;
            this.find("[data-mode]").each((_index, button) => {
                $(button).toggleClass("selected", button.dataset.mode === mode).attr("aria-pressed", String(button.dataset.mode === mode));
            });
            this.find(".schedule-trigger-run-time, #schedule-trigger-median").toggle(mode === "next");
            this.find("#schedule-trigger-extent, #schedule-trigger-alone").text("");
            if (mode === "past") this.#past.show(this.#options.settings());
            else this.#options.changed();
        }

        /** Lets "What happened" be chosen. */
        offerPast() {
            this.#hasPast = true;
            this.find("[data-mode='past']").prop("disabled", false);
            this.#root.show();
        }

        /** Shows what the bridge has answered about the edited trigger. */
        show(answer) {
            this.#past.look();
            this.#slider.fit(answer.intervalSeconds);
            if (!this.#isKnown) this.#slider.show(answer.picture.runSeconds);
            if (this.mode === "past") this.#past.show(this.#options.settings());
            else if (answer.picture.events && answer.ticks.length > 0) this.#showNext(answer);
            else if (answer.picture.message) this.dim("unreachable", { message: answer.picture.message });
            else this.dim(answer.ticks.length > 0 ? "mendSettings" : "noTicks");
        }

        #showNext({ picture, ticks, timezone, overlapPolicy, lockKeys }) {
            const at = ticks.map((tick) => Date.parse(tick.at));
            const story = timeline().tellSimulated(picture.events, { start: picture.start, policy: overlapPolicy, runMs: picture.runSeconds * 1000 });
            const view = { from: at[0], to: at[IN_VIEW] ?? picture.end };
            const when = this.clock(timezone, view, at.some((each) => each % 60_000 !== 0));
            const tell = own().pictureTeller(story, { say: this.say, when });
            const what = lockKeys.length > 0 ? "firings" : "ticks";
            this.#summary = (shown) => own().pictureSummary(story, shown, { say: this.say, lang: this.lang, since: at[0], what });
            const leastSpan = (at[LEAST_TICKS] ?? picture.end) - at[0];
            this.draw({ bands: [{ story, tell }], bounds: { from: at[0], to: picture.end }, view, zone: timezone, lang: this.lang, leastSpan });
        }

        /** Makes the function that says an instant: its time, and its day where several days are in view. */
        clock(zone, view, exact) {
            const where = { zone, lang: this.lang, exact };
            const span = view.to - view.from;
            return (at) => {
                if (at === undefined) return "";
                const time = timeline().clockTime(at, where);
                return span > 0.8 * DAY ? `${timeline().dayOf(at, { ...where, near: span < 6 * DAY })} ${time}` : time;
            };
        }

        /** Draws; `summary(view)` gives the sentence of what is in view. */
        draw(picture, summary = this.#summary) {
            this.#summary = summary;
            this.#root.show().removeClass("schedule-trigger-dimmed schedule-trigger-undrawn");
            own().showSetUp(this.#root, undefined);
            this.#view.show(picture);
        }

        #viewed(view, layout) {
            this.#sentence = this.#summary(view);
            this.#tell(undefined);
            timeline().wearTheme(this.#root[0]);
            const words = (outcome) => this.say(`picture.outcome.${outcome}`);
            this.find(".schedule-trigger-legend").empty().append(timeline().legend(timeline().outcomesInView(layout), words));
            if (this.mode === "past") this.#past.showExtent(view);
        }

        #tell(sentence) {
            own().sayRich(this.find(".schedule-trigger-sentence"), sentence ?? this.#sentence);
        }

        /** Says why the next ticks cannot be shown. */
        withhold(reason, values) {
            if (this.mode === "past") this.#past.show(this.#options.settings());
            else this.dim(reason, values);
        }

        /** Shows that the picture does not hold, and why. */
        dim(reason, values) {
            this.#root.show().addClass("schedule-trigger-dimmed");
            own().showSetUp(this.#root, undefined);
            this.#sentence = this.say(`picture.dimmed.${reason}`, values);
            this.#tell(undefined);
        }

        /** Shows no next ticks, as there are none to show; a past can still be looked at. */
        clear(hint) {
            this.#past.look();
            if (this.mode === "past") {
                this.#past.show(this.#options.settings());
                return;
            }
            own().showSetUp(this.#root, undefined);
            this.#root.toggle(this.#hasPast).addClass("schedule-trigger-undrawn").removeClass("schedule-trigger-dimmed");
            this.#sentence = this.say(`hint.${hint}`);
            this.#tell(undefined);
        }

        /** Says how the bridge's set-up gets on, `{step, steps}`. */
        showSetUp(message, progress) {
            this.#root.show();
            own().showSetUp(this.#root, { message, progress });
        }
    }

    Object.assign((window.scheduleTrigger ??= {}), { policyPicture: (node, options) => new Panel(node, options), IN_VIEW });
})();
