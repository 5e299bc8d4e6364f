/** Readies the dialog of schedule-trigger when it is opened, and takes from it what its fields do not say themselves. */
(function () {
    const own = () => window.scheduleTrigger;
    const field = (name) => own().field(name);
    const POLICIES = ["skip", "queue", "buffer", "cancel", "terminate"];

    /** Shows the defaults of properties that the flow file does not have. */
    function fillIn(node) {
        const missing = Object.entries(node._def.defaults).filter(([name, { type }]) => !type && node[name] === undefined);
        for (const [name, { value }] of missing) field(name).val(value);
    }

    /** Shows only what belongs to the chosen kind of schedule. */
    function showKind() {
        const kind = field("scheduleKind").val();
        $(".schedule-trigger-interval").toggle(kind === "interval");
        $(".schedule-trigger-cron").toggle(kind === "cron");
    }

    /** The sentence of the chosen policy; `at most` only where it counts. */
    function showPolicy(node) {
        const policy = field("overlapPolicy").val();
        const limit = field("maxConcurrent").val();
        const hint = $("#schedule-trigger-policy");
        $(".schedule-trigger-allow").toggle(policy === "allow");
        if (policy === "allow" && !own().isWhole(limit, 1)) own().say(hint, node._("schedule-trigger.invalid.maxConcurrent"), "bad");
        else own().say(hint, node._(`schedule-trigger.policyHint.${policyHint(policy, limit)}`, { limit, policy }));
    }

    function policyHint(policy, limit) {
        if (policy === "allow") return Number(limit) === 1 ? "allowOne" : "allow";
        return POLICIES.includes(policy) ? policy : "other";
    }

    /** Says what is wrong with the run limit. */
    function showLimitMistake(node) {
        const isGood = own().isLimit(field("maxRunMinutes").val());
        own().say($("#schedule-trigger-limit"), isGood ? "" : node._("schedule-trigger.invalid.maxRunMinutes"), "bad");
    }

    /** Keeps a policy of the flow file that this editor does not offer. */
    function keepPolicy(policy) {
        const select = field("overlapPolicy");
        const offered = select.find("option").toArray().some((option) => option.value === policy);
        if (!offered) select.append($("<option>").val(policy).text(policy)).val(policy);
    }

    function preparePayload(node) {
        const label = node._("schedule-trigger.payloadType.date");
        const tick = { value: "date", label, icon: "fa fa-clock-o", hasValue: false };
        const types = [tick, "str", "num", "bool", "json", "bin", "flow", "global", "env", "jsonata"];
        own().typedInput("payload", types, node._("schedule-trigger.label.payload"));
    }

    /** A list of time zones that is searched as one types: "new york" finds America/New_York. */
    function prepareZone(node) {
        const zone = RED.settings.scheduleTriggerTimezone;
        const zones = Intl.supportedValuesOf ? Intl.supportedValuesOf("timeZone") : [];
        const option = (name) => $("<option>").val(name).attr("label", name.includes("_") ? name.replaceAll("_", " ") : null);
        field("timezone").attr("placeholder", node._("schedule-trigger.placeholder.timezone", { zone }));
        $("#schedule-trigger-zones").append(zones.map(option));
    }

    /** Names what is edited as help and documents do: Node-RED takes the name of the palette, a single word there. */
    function nameDialog({ type }) {
        const title = $("#dialog-form").closest(".red-ui-tray").find(".red-ui-tray-breadcrumbs > li").last();
        title.text(RED._("editor.editNode", { type }));
    }

    function prepare(node) {
        nameDialog(node);
        window.ScheduleTimeline.wearTheme($("#dialog-form")[0]);
        fillIn(node);
        keepPolicy(String(node.overlapPolicy ?? "skip"));
        preparePayload(node);
        prepareZone(node);
        own().moreSettings.prepare(node);
        if (Number(field("maxRunMinutes").val()) === 0) field("maxRunMinutes").val("");
        field("scheduleKind").on("change", showKind);
        for (const name of ["overlapPolicy", "maxConcurrent"]) field(name).on("change input", () => showPolicy(node));
        field("maxRunMinutes").on("change input", () => showLimitMistake(node));
        showKind();
        showPolicy(node);
        showLimitMistake(node);
        own().startPreview(node);
    }

    /** Takes over what is not in a field of its own name. */
    function save(node) {
        if (field("maxRunMinutes").val().trim() === "") field("maxRunMinutes").val(0);
        node.lockKeys = own().listedKeys();
        node.endsOnSilence = !own().moreSettings.isFinishOnly();
    }

    /** Runs a deployed trigger now and says what came of it. */
    function runNow(node) {
        const failed = (message) => RED.notify(node._("schedule-trigger.button.failed", { message }), "error");
        $.ajax({ url: `schedule-trigger/${node.id}/run`, type: "POST" }).then(
            ({ decisions }) => decisions.forEach(({ message }) => RED.notify(message, { timeout: 3000 })),
            ({ responseJSON }) => failed(responseJSON ? responseJSON.message : node._("schedule-trigger.button.unanswered")),
        );
    }

    Object.assign((window.scheduleTrigger ??= {}), { prepareDialog: prepare, saveDialog: save, runNow });
})();
