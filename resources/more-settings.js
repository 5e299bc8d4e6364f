/** What is behind "More settings" in the dialog of schedule-trigger. */
(function () {
    const own = () => window.scheduleTrigger;
    const field = (name) => own().field(name);
    const keysField = () => $("#schedule-trigger-lockKeys");
    const finishOnlyField = () => $("#schedule-trigger-finishOnly");
    const MESSAGE_KEYS = ["msg", "jsonata"];
    /** What the summary names while all is default. */
    const NAMED = ["workflow", "lockKey", "priority", "delay", "missedTicks"];

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

    function prepareLockKeys(node) {
        own().typedInput("lockKey", ["str", "env", "msg", "jsonata"], node._("schedule-trigger.label.lockKey"));
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
        own().say($("#schedule-trigger-lock"), hasAny ? node._(`schedule-trigger.hint.${key}`) : "");
    }

    /** Says what is wrong with a number. */
    function showNumber(node, name) {
        const isGood = own().isNumber(field(name).val(), own().NUMBERS[name]);
        own().say($(`#schedule-trigger-${name}`), isGood ? "" : node._(`schedule-trigger.invalid.${name}`), "bad");
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
            delay: Number(delay) === 0 ? "" : node._("schedule-trigger.unitBriefly.seconds", { number: delay }),
            missedTicks: catchUp === "none" ? "" : node._(`schedule-trigger.summary.${catchUp}`),
            ends: isFinishOnly() && node._("schedule-trigger.summary.finish"),
            atStart: field("fireAtStart").is(":checked") && node._("schedule-trigger.summary.once"),
            bridge: bridge && RED.utils.getNodeLabel(bridge),
        };
    }

    /** Names, behind "More settings", what is not default. */
    function showSummary(node) {
        const label = (name) => node._(`schedule-trigger.summary.name.${name}`);
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
            for (const name of Object.keys(own().NUMBERS)) showNumber(node, name);
            showSummary(node);
        };
        $(".schedule-trigger-more").on("change input", show);
        show();
    }

    Object.assign((window.scheduleTrigger ??= {}), { moreSettings: { prepare, isFinishOnly }, listedKeys, typedKey });
})();
