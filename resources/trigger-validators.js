/**
 * The validators of the properties of schedule-trigger. Each gives true, or a sentence that says what is wrong; Node-RED
 * takes a text for a reason only from a validator of two arguments.
 */
(function () {
    const own = () => window.scheduleTrigger;

    /** A property of a node: as its open dialog has it, else as it is; one that is missing takes its default. */
    function edited(node, name) {
        return own().field(name).val() ?? node[name] ?? node._def.defaults[name].value;
    }

    const say = (node) => (key, values) => node._def._(`schedule-trigger.${key}`, values);

    /** What the bridge said against the value of a property when it was edited; true if nothing. */
    function verdict(node, name, value) {
        const { scheduleRefusal: refusal } = node;
        return !refusal || refusal.name !== name || refusal.value !== value || refusal.message;
    }

    const validators = {
        every: function (value, _options) {
            const matters = edited(this, "scheduleKind") === "interval" && !own().isEnvironment(value);
            if (!matters || own().isLongEnough(value ?? 10, edited(this, "everyUnit"))) return true;
            return say(this)("invalid.every");
        },
        cron: function (value, _options) {
            if (edited(this, "scheduleKind") !== "cron" || own().isEnvironment(value)) return true;
            return own().cronMistakeInWords(String(value), say(this)) ?? verdict(this, "cron", value);
        },
        timezone: function (value, _options) {
            return edited(this, "scheduleKind") !== "cron" || verdict(this, "timezone", value);
        },
        maxConcurrent: function (value, _options) {
            return own().isWhole(value ?? 1, 1) || say(this)("invalid.maxConcurrent");
        },
        maxRunMinutes: function (value, _options) {
            return own().isLimit(value ?? 0) || say(this)("invalid.maxRunMinutes");
        },
    };

    /** The numbers behind "More settings" and their bounds. */
    const NUMBERS = {
        priority: { least: 1, most: 100 },
        delaySeconds: { least: 0, whole: false },
        catchUpWindowSeconds: { least: 0, whole: false },
    };

    for (const [name, bounds] of Object.entries(NUMBERS)) {
        validators[name] = function (value, _options) {
            return own().isNumber(value ?? this._def.defaults[name].value, bounds) || say(this)(`invalid.${name}`);
        };
    }

    Object.assign((window.scheduleTrigger ??= {}), { triggerValidators: validators, NUMBERS });
})();
