/** The slider of the typical run time: logarithmic, from a second to ten intervals, with a notch at the interval. */
(function () {
    const STEPS = 1000;
    const LONGEST_INTERVALS = 10;
    const KEYS = { ArrowRight: 1.05, ArrowUp: 1.05, ArrowLeft: 1 / 1.05, ArrowDown: 1 / 1.05, PageUp: 1.25, PageDown: 1 / 1.25 };
    const UNITS = [
        { unit: "days", seconds: 86400 },
        { unit: "hours", seconds: 3600 },
        { unit: "minutes", seconds: 60 },
        { unit: "seconds", seconds: 1 },
    ];

    /** A time that reads well: whole units of at least two digits' precision. */
    function round(seconds) {
        if (seconds < 10) return Math.max(Math.round(seconds * 10) / 10, 0.1);
        const unit = seconds < 600 ? 1 : seconds < 36000 ? 60 : 600;
        return Math.round(seconds / unit) * unit;
    }

    /**
     * A time in its two largest units, such as "1 h 10 min".
     * @param {number} seconds
     * @param {(key: string, values: object) => string} say
     */
    function timeInWords(seconds, say) {
        const large = UNITS.find((each) => seconds >= each.seconds) ?? UNITS.at(-1);
        const small = UNITS[UNITS.indexOf(large) + 1];
        if (!small) return say("unitBriefly.seconds", { number: Math.round(seconds * 10) / 10 });
        const [whole, rest] = [Math.floor(seconds / large.seconds), Math.round((seconds % large.seconds) / small.seconds)];
        const parts = [say(`unitBriefly.${large.unit}`, { number: whole })];
        if (rest > 0 && rest * small.seconds < large.seconds) parts.push(say(`unitBriefly.${small.unit}`, { number: rest }));
        return parts.join(" ");
    }

    class Slider {
        #input;
        #output;
        #notch;
        #say;
        #moved;
        #least = 1;
        #most = 6000;
        seconds;

        /** `moved` is called whenever a person has moved it. */
        constructor(row, { say, moved }) {
            this.#input = row.find("input")[0];
            this.#output = row.find("output")[0];
            this.#notch = row.find(".schedule-trigger-notch")[0];
            this.#say = say;
            this.#moved = moved;
            this.#input.max = STEPS;
            this.#input.addEventListener("input", () => this.#set(round(this.#secondsAt(Number(this.#input.value)))));
            this.#input.addEventListener("keydown", (event) => this.#key(event));
        }

        #key(event) {
            const factor = KEYS[event.key];
            if (!factor) return;
            event.preventDefault();
            const wanted = round(this.seconds * factor);
            const least = this.seconds < 10 ? 0.1 : 1;
            this.#set(wanted === this.seconds ? this.seconds + (factor > 1 ? least : -least) : wanted);
        }

        #set(seconds) {
            this.show(Math.min(Math.max(seconds, this.#least), this.#most));
            this.#moved();
        }

        #secondsAt(step) {
            return this.#least * (this.#most / this.#least) ** (step / STEPS);
        }

        #shareOf(seconds) {
            const share = Math.log(seconds / this.#least) / Math.log(this.#most / this.#least);
            return Math.min(Math.max(share, 0), 1);
        }

        /** Fits it to what lies between two ticks. */
        fit(intervalSeconds) {
            if (!(intervalSeconds > 0)) return;
            this.#least = Math.min(1, intervalSeconds / LONGEST_INTERVALS);
            this.#most = Math.max(intervalSeconds * LONGEST_INTERVALS, 10 * this.#least);
            this.#notch.style.setProperty("--share", this.#shareOf(intervalSeconds));
            if (this.seconds !== undefined) this.show(this.seconds);
        }

        /** Shows a run time, as if by hand. */
        show(seconds) {
            const share = this.#shareOf(seconds);
            const words = timeInWords(seconds, this.#say);
            this.seconds = seconds;
            this.#input.value = Math.round(share * STEPS);
            this.#input.style.setProperty("--share", share);
            this.#input.setAttribute("aria-valuetext", words);
            this.#output.textContent = words;
        }
    }

    Object.assign((window.scheduleTrigger ??= {}), { timeInWords, runTimeSlider: (row, options) => new Slider(row, options) });
})();
