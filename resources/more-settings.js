/**
 * What is behind "More settings" in the dialog of schedule-trigger. Loaded by its node file, which makes it with what
 * tick-preview.js brings; which of the two files is loaded first is not known.
 */
window.scheduleTriggerSettings = function ({ field, isEnvironment, say }) {
    const keysField = () => $("#schedule-trigger-lockKeys");
    const finishOnlyField = () => $("#schedule-trigger-finishOnly");
    const MESSAGE_KEYS = ["msg", "jsonata"];
    /** What the summary names while all is default. */
    const NAMED = ["workflow", "lockKey", "priority", "delay", "missedTicks"];

    /** Whether a text is a number within bounds, whole unless said otherwise, or an environment variable. */
    function isNumber(value, { least, most = Infinity, whole = true }) {
        if (isEnvironment(value)) return true;
        const number = String(value).trim() === "" ? NaN : Number(value);
        return number >= least && number <= most && (!whole || Number.isInteger(number));
    }

    /** The numbers of these settings, their bounds, and where a mistake is said. */
    const NUMBERS = {
        priority: { least: 1, most: 100 },
        delaySeconds: { least: 0, whole: false },
        catchUpWindowSeconds: { least: 0, whole: false },
    };

    /** The lock keys of the list: a line each, blank lines and repeats left out. */
    function listedKeys() {
        const lines = keysField().val().split("\n");
        return [...new Set(lines.map((line) => line.trim()).filter(Boolean))];
    }

    /** The choice of workflow: alone, of this flow, or named by the author. */
    function prepareWorkflow() {
        const choice = $("#schedule-trigger-workflow");
        const text = field("workflowId");
        const isNamed = text.val() !== "" && text.val() !== "flow";
        choice.val(isNamed ? "named" : text.val());
        text.toggle(isNamed);
        choice.on("change", () => {
            const named = choice.val() === "named";
            text.toggle(named).val(named ? "" : choice.val()).trigger("change");
        });
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

    function prepareLockKeys(node) {
        typedInput("lockKey", ["str", "env", "msg", "jsonata"], node._("schedule-trigger.label.lockKey"));
        keysField().val((node.lockKeys ?? []).join("\n"));
    }

    /** The lock key as it is being typed; the field itself has it only once the typed input is left. */
    function typedKey() {
        return { key: field("lockKey").typedInput("value"), type: field("lockKey").typedInput("type") };
    }

    /** Whether silence does not end a run. */
    function isFinishOnly() {
        return finishOnlyField().is(":checked");
    }

    /** What a lock key means, once there is one. */
    function showLockKey(node) {
        const { key: typed, type } = typedKey();
        const hasOne = typed !== "";
        const isOfMessages = hasOne && MESSAGE_KEYS.includes(type);
        const hasAny = hasOne || listedKeys().length > 0;
        const key = isOfMessages && listedKeys().length === 0 ? "lockKeyOfMessages" : "lockKey";
        say($("#schedule-trigger-lock"), hasAny ? node._(`schedule-trigger.hint.${key}`) : "");
    }

    /** Says what is wrong with a number. */
    function showNumber(node, name) {
        const isGood = isNumber(field(name).val(), NUMBERS[name]);
        say($(`#schedule-trigger-${name}`), isGood ? "" : node._(`schedule-trigger.invalid.${name}`), "bad");
    }

    /** The time of which missed ticks are run matters only where each of them is. */
    function showMissedTicks() {
        $(".schedule-trigger-window").toggle(field("catchUp").val() === "all");
    }

    function lockKeyBriefly(node) {
        const keys = listedKeys();
        if (keys.length > 0) return node._("schedule-trigger.summary.keys", { count: keys.length });
        const { key, type } = typedKey();
        return key && type === "msg" ? `msg.${key}` : key;
    }

    /** What is not default, in a few words each; nothing for what is. */
    function notDefault(node) {
        const workflow = field("workflowId").val();
        const [priority, delay] = [field("priority").val(), field("delaySeconds").val()];
        const catchUp = field("catchUp").val();
        const bridge = RED.nodes.node(field("bridge").val());
        return {
            workflow: workflow === "flow" ? node._("schedule-trigger.workflow.flowBriefly") : workflow,
            lockKey: lockKeyBriefly(node),
            priority: Number(priority) === 5 ? "" : priority,
            delay: Number(delay) === 0 ? "" : `${delay} s`,
            missedTicks: catchUp === "none" ? "" : node._(`schedule-trigger.summary.${catchUp}`),
            ends: isFinishOnly() && node._("schedule-trigger.summary.finish"),
            atStart: field("fireAtStart").is(":checked") && node._("schedule-trigger.summary.once"),
            bridge: bridge && RED.utils.getNodeLabel(bridge),
        };
    }

    /** Names, behind "More settings", what is not default. */
    function showSummary(node) {
        const label = (name) => node._(`schedule-trigger.label.${name}`).toLowerCase();
        const values = notDefault(node);
        const changed = Object.keys(values).filter((name) => values[name]);
        const parts = changed.map((name) => [$("<b>").text(label(name)), document.createTextNode(` ${values[name]}`)]);
        const summary = $("#schedule-trigger-summary").empty();
        if (changed.length === 0) summary.text(NAMED.map(label).join(", "));
        else summary.append(parts.flatMap((part, index) => (index === 0 ? part : [" · ", ...part])));
    }

    /** Readies the settings for an opened dialog. */
    function prepare(node) {
        prepareWorkflow();
        prepareLockKeys(node);
        finishOnlyField().prop("checked", node.endsOnSilence === false);
        const show = () => {
            showLockKey(node);
            showMissedTicks();
            for (const name of Object.keys(NUMBERS)) showNumber(node, name);
            showSummary(node);
        };
        $(".schedule-trigger-more").on("change input", show);
        show();
    }

    /** Makes the validator of a number; Node-RED takes a text for a reason only from one of two arguments. */
    function validator(name, standard) {
        return function (value, _options) {
            return isNumber(value ?? standard, NUMBERS[name]) || this._def._(`schedule-trigger.invalid.${name}`);
        };
    }

    return { prepare, validator, listedKeys, isFinishOnly, isNumber, typedInput };
};
