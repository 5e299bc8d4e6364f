/**
 * What is wrong with a cron expression, as far as that can be seen without the bridge: its syntax. So a node stays marked
 * when the editor is opened anew. Ticks are never computed here.
 */
(function () {
    const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
    const FIELDS = [
        { name: "second", low: 0, high: 59 },
        { name: "minute", low: 0, high: 59 },
        { name: "hour", low: 0, high: 23 },
        { name: "day", low: 1, high: 31 },
        { name: "month", low: 1, high: 12, words: MONTHS },
        { name: "weekday", low: 0, high: 7, words: WEEKDAYS },
    ];
    const SHORTHANDS = ["@hourly", "@daily", "@midnight", "@weekly", "@monthly", "@yearly", "@annually"];
    const LONGEST = 256;
    const LONGEST_QUOTE = 40;
    const ITEM = /^(\*|[0-9a-z]+)(?:-([0-9a-z]+))?(?:\/([0-9]+))?$/i;

    const quote = (text) => (text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
    const mistake = (key, values = {}) => ({ key, values });

    /** The value of a number or a name, or what is wrong with it. */
    function valueOf(text, { name, low, high, words = [] }) {
        const named = words.indexOf(text.toLowerCase());
        if (named >= 0) return named + low;
        if (!/^[0-9]+$/.test(text)) return mistake("unreadable", { field: name, text: quote(text) });
        const number = Number(text);
        return number >= low && number <= high ? number : mistake("beyond", { field: name, text: quote(text) });
    }

    function mistakeInRange(first, last, field) {
        const [low, high] = [valueOf(first, field), valueOf(last, field)];
        const bad = [low, high].find((value) => value.key);
        if (bad) return bad;
        return high < low ? mistake("backwards", { field: field.name, text: `${first}-${last}` }) : undefined;
    }

    function mistakeInItem(item, field) {
        const [, first, last, step] = ITEM.exec(item) ?? [];
        if (first === undefined || (first === "*" && last !== undefined)) {
            return mistake("unreadable", { field: field.name, text: quote(item) });
        }
        if (step !== undefined && Number(step) === 0) return mistake("step", { field: field.name });
        return first === "*" ? undefined : mistakeInRange(first, last ?? first, field);
    }

    function mistakeInField(text, field) {
        return text.split(",").reduce((found, item) => found ?? mistakeInItem(item, field), undefined);
    }

    /**
     * @param {string} expression
     * @returns {{key: string, values: {field?: string, text?: string, count?: number}} | undefined} the first mistake;
     *   `field` names the field that it is in
     */
    function cronMistake(expression) {
        const text = expression.replace(/^[ \t]+|[ \t]+$/g, "");
        if (text === "") return mistake("empty");
        if (expression.length > LONGEST) return mistake("long");
        if (text.startsWith("@")) return SHORTHANDS.includes(text.toLowerCase()) ? undefined : mistake("shorthand", { text: quote(text) });
        const texts = text.split(/[ \t]+/);
        if (texts.length !== 5 && texts.length !== 6) return mistake("count", { count: texts.length });
        const fields = FIELDS.slice(-texts.length);
        return fields.reduce((found, field, index) => found ?? mistakeInField(texts[index], field), undefined);
    }

    /** The mistake in words; `say(key, values)` gives a text of the catalogue. */
    function cronMistakeInWords(expression, say) {
        const found = cronMistake(expression);
        if (!found) return undefined;
        const { key, values } = found;
        const { field } = values;
        if (!field) return say(`cronMistake.${key}`, { ...values, shorthands: SHORTHANDS.join(", ") });
        const sentence = key === "beyond" ? say(`cronBeyond.${field}`, values) : say(`cronMistake.${key}`, { ...values, field: say(`cronField.${field}`) });
        return `${sentence} ${say(`cronAllowed.${field}`)}`;
    }

    Object.assign((window.scheduleTrigger ??= {}), { cronMistake, cronMistakeInWords });
})();
