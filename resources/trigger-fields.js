/**
 * The fields of the dialog of schedule-trigger, and what is allowed in them.
 *
 * The files of this dialog share `window.scheduleTrigger`; in which order they are loaded is not known, so that each
 * looks for what the others bring only when it is called.
 */
(function () {
    const UNIT_SECONDS = { seconds: 1, minutes: 60, hours: 3600, days: 86400 };
    const SHORTEST_SECONDS = 0.1;

    const field = (name) => $(`#node-input-${name}`);
    const isEnvironment = (text) => /\$\{[^}]+\}/.test(text);

    /** Seconds between two ticks; NaN for what is no number. */
    const everySeconds = (every, unit) => Number(every) * UNIT_SECONDS[unit];

    /** Whether an interval is one that the bridge takes: 0.1 seconds or more. */
    const isLongEnough = (every, unit) => everySeconds(every, unit) >= SHORTEST_SECONDS;

    /** Whether a text is a number within bounds, whole unless said otherwise, or an environment variable. */
    function isNumber(value, { least, most = Infinity, whole = true }) {
        if (isEnvironment(value)) return true;
        const number = String(value).trim() === "" ? NaN : Number(value);
        return number >= least && number <= most && (!whole || Number.isInteger(number));
    }

    const isWhole = (value, least) => isNumber(value, { least });

    /** Whether it is a run limit: a whole number of minutes, or none. */
    const isLimit = (value) => String(value).trim() === "" || isWhole(value, 0);

    /** Puts a sentence below a field; a "bad" one says what is wrong with it. What is said already is not said again. */
    function say(place, sentence, kind) {
        const isBad = kind === "bad" && sentence !== "";
        if (place.text().trim() === sentence && place.hasClass("schedule-trigger-bad") === isBad) return;
        place.empty().toggleClass("schedule-trigger-bad", isBad);
        if (isBad) place.append($("<i class='fa fa-exclamation-circle'></i>"), " ");
        place.append(document.createTextNode(sentence));
    }

    /** Puts a text into a place, what stands between ** in bold. */
    function sayRich(place, text) {
        const parts = text.split("**");
        if (place.text() === parts.join("")) return;
        place.empty().append(parts.map((part, index) => (index % 2 ? $("<b>").text(part)[0] : document.createTextNode(part))));
    }

    /** Gives what a typed input is made of its names for screen readers. */
    function nameTypedInput(input, name) {
        const made = input.next();
        const choice = made.find(".red-ui-typedInput-type-select");
        made.find("input").attr("aria-label", name);
        choice.attr("aria-label", `${name}, ${choice.attr("title")}`);
    }

    /** Makes a typed input whose parts keep their names when its type changes. */
    function typedInput(name, types, label) {
        field(name).typedInput({ default: types[0].value ?? types[0], typeField: field(`${name}Type`), types });
        field(name).on("typedinputtypechange", () => nameTypedInput(field(name), label));
        nameTypedInput(field(name), label);
    }

    Object.assign((window.scheduleTrigger ??= {}), {
        ...{ field, isEnvironment, everySeconds, isLongEnough, isNumber, isWhole, isLimit, say, sayRich, typedInput },
    });
})();
