/**
 * Reads the events that the simulator printed for one trigger back into its story.
 *
 * A story is `{marks, waits, runs}`, instants in milliseconds:
 * - mark `{at, outcome, reason?, into?, origin?}`: what came of a firing; `into` is the wait or run that it began or
 *   joined, `origin` the wait whose mark is of the same firing
 * - wait `{stretches: [{outcome, start}], merges: [at], end?, becomes?, cancelled?}`: delayed, held, queued or on hold,
 *   perhaps one after the other; without an end it still waits
 * - run `{id, start, end?, ending?, expectedEnd?, limit?}`: without an end it outlasts what was simulated
 */
(function () {
    const WAITS = { "firing.queued": "queued", "execution.waiting": "queued", "execution.onHold": "onHold" };
    const ENDS = { "execution.completed": "completed", "execution.failed": "failed", "execution.expired": "expired" };
    const GONE = { "firing.skipped": "skipped", "firing.dropped": "dropped" };
    const CUTS = ["execution.cancelled", "job.cancelled"];

    class Teller {
        story = { marks: [], waits: [], runs: [] };
        #policy;
        #start;
        #runMs;
        #executions = new Map();
        /** By when they are ready. */
        #delayed = [];
        #held = [];
        #released;
        /** Runs that the firing which is told next has cut off. */
        #cut = [];

        constructor({ start, policy, runMs }) {
            this.#start = start;
            this.#policy = policy;
            this.#runMs = runMs;
        }

        hear(printed) {
            const { event } = printed;
            const at = this.#start + printed.at * 1000;
            if (event in GONE) this.#gone(at, GONE[event], printed.reason);
            else if (event in WAITS) this.#waits(printed, at, WAITS[event]);
            else if (event in ENDS) this.#end(printed, at, ENDS[event]);
            else this.#hearOther(printed, at);
            if (!CUTS.includes(event)) this.#cut = [];
        }

        #hearOther(printed, at) {
            const hears = {
                "firing.delayed": () => this.#isDelayed(printed, at),
                "firing.merged": () => this.#merged(printed, at),
                "firing.buffered": () => this.#held.push(this.#waitOn(at, "held")),
                "firing.released": () => this.#releases(at),
                "execution.started": () => this.#started(printed, at),
                "execution.cancelled": () => this.#end(printed, at, "cancelled"),
            };
            hears[printed.event]?.();
        }

        #mark(at, outcome, more) {
            this.story.marks.push({ at, outcome, ...more });
        }

        /** The wait that this firing comes out of; undefined for one that has just come. */
        #origin(at) {
            const released = this.#released;
            this.#released = undefined;
            if (released) return released;
            return this.#delayed[0]?.readyAt <= at ? this.#delayed.shift().wait : undefined;
        }

        #beginWait(at, outcome) {
            const wait = { stretches: [{ outcome, start: at }], merges: [] };
            this.story.waits.push(wait);
            this.#mark(at, outcome, { into: wait });
            return wait;
        }

        /** The wait that goes on with another stretch, or a new one. */
        #waitOn(at, outcome) {
            const origin = this.#origin(at);
            if (!origin) return this.#beginWait(at, outcome);
            origin.stretches.push({ outcome, start: at });
            return origin;
        }

        /** Ends the wait that this firing comes out of, whose mark is that of the same firing. */
        #endOrigin(at) {
            const origin = this.#origin(at);
            if (origin) origin.end = at;
            return origin;
        }

        #gone(at, outcome, reason) {
            this.#mark(at, outcome, { origin: this.#endOrigin(at), reason });
        }

        #isDelayed(printed, at) {
            const entry = { readyAt: this.#start + printed.readyAt * 1000, wait: this.#beginWait(at, "delayed") };
            this.#delayed.push(entry);
            this.#delayed.sort((one, other) => one.readyAt - other.readyAt);
        }

        #merged({ executionId }, at) {
            const origin = executionId ? this.#endOrigin(at) : undefined;
            const into = executionId ? this.#executions.get(executionId) : this.#delayed[0]?.wait;
            into?.merges?.push(at);
            this.#mark(at, "merged", { into, origin });
        }

        /** R10: the current firing is replaced by the held one, whose outcome is told next. */
        #releases(at) {
            this.#gone(at, "dropped", "replaced");
            this.#released = this.#held.shift();
        }

        #waits({ executionId }, at, outcome) {
            const known = this.#executions.get(executionId);
            if (known) {
                known.stretches?.push({ outcome, start: at });
                return;
            }
            this.#judgeCuts();
            this.#executions.set(executionId, this.#waitOn(at, outcome));
        }

        #started({ executionId }, at) {
            const run = { id: executionId, start: at, expectedEnd: this.#runMs === undefined ? undefined : at + this.#runMs };
            const known = this.#executions.get(executionId);
            if (!known) this.#judgeCuts();
            const wait = known ?? this.#origin(at);
            if (wait) Object.assign(wait, { end: at, becomes: run });
            else this.#mark(at, "started", { into: run });
            this.story.runs.push(run);
            this.#executions.set(executionId, run);
        }

        #end({ executionId }, at, ending) {
            const ended = this.#executions.get(executionId);
            if (ended.stretches) {
                Object.assign(ended, { end: at, cancelled: true });
                return;
            }
            Object.assign(ended, { end: at, ending });
            this.#cut.push(ended);
        }

        /** What a firing cuts off just before it proceeds was terminated where its policy says so. */
        #judgeCuts() {
            if (this.#policy !== "terminate") return;
            for (const run of this.#cut) run.ending = "terminated";
        }
    }

    /**
     * The story of a trigger that is alone in its scenario.
     * @param {object[]} events as printed
     * @param {{start: number, policy: string, runMs?: number}} scenario its start and each run's time in milliseconds
     */
    function tellSimulated(events, scenario) {
        const teller = new Teller(scenario);
        for (const event of events) teller.hear(event);
        return teller.story;
    }

    Object.assign((window.ScheduleTimeline ??= {}), { tellSimulated });
})();
