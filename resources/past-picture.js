/** "What happened": the trigger's last firings as they ran, and under the settings that are being edited. */
(function () {
    const own = () => window.scheduleTrigger;
    const timeline = () => window.ScheduleTimeline;
    /** Milliseconds. What takes longer says so, and can be cancelled. */
    const PATIENCE = 400;
    const LEAST_SPAN = 10_000;
    /** Milliseconds. The record and the replay differ by the rounding of instants. */
    const ROUNDING = 5;

    const POLICIES = ["skip", "queue", "allow", "buffer", "cancel", "terminate"];
    /** R11: whatever is not one of them is treated as skip. */
    const read = (policy) => (POLICIES.includes(policy) ? policy : "skip");
    const sameSettings = (edited, deployed) => {
        const counts = edited.overlapPolicy === "allow" ? ["maxConcurrent"] : [];
        return ["overlapPolicy", "maxRunMinutes", ...counts].every((name) => String(edited[name]) === String(deployed[name]));
    };

    class Past {
        #node;
        #panel;
        #looked = false;
        #request;
        #extent = () => "";

        constructor(node, panel) {
            this.#node = node;
            this.#panel = panel;
            panel.find(".schedule-trigger-cancel-replay").on("click", () => this.#cancel());
        }

        /** Looks once whether there is a past. */
        look() {
            if (this.#looked) return;
            this.#looked = true;
            $.ajax({ url: `schedule-trigger/${this.#node.id}/past` }).then((past) => {
                if (past.hasFired) this.#panel.offerPast();
                this.#panel.usual(past);
            });
        }

        /** Shows the past under the edited settings. */
        show(settings) {
            this.#request?.abort();
            const waiting = setTimeout(() => this.#showProgress(true), PATIENCE);
            const request = $.ajax({
                url: `schedule-trigger/${this.#node.id}/replay`,
                type: "POST",
                contentType: "application/json",
                data: JSON.stringify(settings),
            });
            this.#request = request;
            request
                .always(() => clearTimeout(waiting))
                .then(
                    (answer) => this.#panel.mode === "past" && this.#answered(settings, answer),
                    (failure) => this.#failed(failure),
                );
        }

        #answered(settings, answer) {
            this.#showProgress(false);
            if (answer.replayed.from === null) this.#panel.dim("noPast");
            else this.#draw(settings, answer);
        }

        #failed({ statusText, responseJSON }) {
            if (statusText === "abort") return;
            this.#showProgress(false);
            const { message = this.#panel.say("button.unanswered") } = responseJSON ?? {};
            this.#panel.dim("unreachable", { message });
        }

        #cancel() {
            this.#request?.abort();
            this.#showProgress(false);
            this.#panel.find("[data-mode='next']").trigger("click").trigger("focus");
        }

        #showProgress(isShown) {
            this.#panel.find(".schedule-trigger-replaying").toggleClass("schedule-trigger-under-way", isShown);
        }

        #draw(settings, answer) {
            const { say } = this.#panel;
            const { replayed, deployed, timezone } = answer;
            const [start, to] = [Date.parse(replayed.from), Date.parse(replayed.to)];
            const from = start - ROUNDING;
            const asItRan = timeline().tellPast(answer.decisions, answer.executions);
            const view = { from: startOfView(asItRan, from), to };
            const when = this.#panel.clock(timezone, { from, to }, to - from < 600_000);
            const policy = (word) => say(`picture.policy.${read(word)}`);
            const bands = [{ story: asItRan, title: say("picture.asItRan", { policy: policy(deployed.overlapPolicy) }).split("**"), tell: pastTeller(asItRan, { say, when }) }];
            const differs = !sameSettings(settings, deployed);
            if (differs) bands.push(this.#band(settings, answer, { start, when, title: say("picture.sameTicks", { policy: policy(settings.overlapPolicy) }) }));
            const count = answer.replayed.asItRan.firings;
            this.#extent = (shown) => say("picture.extent", { count, from: when(start), shownFrom: when(shown.from + ROUNDING), shownTo: when(shown.to) });
            this.#panel.find("#schedule-trigger-alone").text(differs ? say("picture.alone") : "");
            const sentence = differs ? own().pictureComparison(replayed, policy(settings.overlapPolicy), this.#panel) : say("picture.chooseAnother");
            this.#panel.draw({ bands, bounds: { from, to }, view, zone: timezone, lang: this.#panel.lang, leastSpan: LEAST_SPAN }, () => sentence);
        }

        #band(settings, { replayed }, { start, when, title }) {
            const story = timeline().tellSimulated(replayed.events, { start, policy: settings.overlapPolicy });
            return { story, title: title.split("**"), tell: own().pictureTeller(story, { say: this.#panel.say, when }) };
        }

        /** "The last 500 firings, Sat 02:00 to now. Shown: 12:20 to 14:20." */
        showExtent(view) {
            this.#panel.find("#schedule-trigger-extent").text(this.#extent(view));
        }
    }

    /** The last firings, as many as are in view of the next ones. */
    function startOfView({ marks }, from) {
        const first = marks.at(-own().IN_VIEW);
        return first ? Math.max(first.at - ROUNDING, from) : from;
    }

    /** What the record says of a firing; of bars, what they show. */
    function pastTeller(story, { say, when }) {
        const tell = own().pictureTeller(story, { say, when });
        return (thing) => (thing.decision ? `${when(thing.at ?? thing.stretches?.[0].start)} ${thing.decision.message}` : tell(thing));
    }

    Object.assign((window.scheduleTrigger ??= {}), { pastPicture: (node, panel) => new Past(node, panel) });
})();
