/** The dialog of the trigger: what it shows, says and refuses, for eyes, keyboards and screen readers. */
import assert from "node:assert/strict";
import { tab, trigger } from "../e2e/support/nodes.mjs";
import { until } from "../e2e/support/house.mjs";
import { onBoth } from "./support/both.mjs";

const TIME = String.raw`(\w+ )?\d\d:\d\d(:\d\d)?`;
const TRIGGER = trigger("watched", "tab", { every: 10, everyUnit: "minutes", maxConcurrent: 2 });

const inDialog = (look) => async (there) => {
    const dialog = await there.editor.edit("watched");
    await look(dialog, there);
    await dialog.cancel();
};

const MORE = "workflow, lock key, priority, delay, missed ticks";
const ALWAYS_ABOVE = ["name", "scheduleKind"];
const ALWAYS_BELOW = ["overlapPolicy", "maxRunMinutes"];

/** The palette has a shorter name for it. */
async function isNamedForItsType(dialog, { editor }) {
    assert.equal(await editor.page.locator(".red-ui-tray-titlebar").innerText(), "Edit schedule-trigger node");
}

/** The flow file holds few properties of this trigger. */
async function fillsInWhatIsMissing(dialog, { editor }) {
    assert.ok(!(await editor.isInvalid("watched")), "nothing is wrong with a node that leaves properties out");
    assert.equal(await dialog.field("cron").inputValue(), "*/10 * * * *");
    assert.equal(await dialog.field("payloadType").inputValue(), "date");
    assert.equal(await dialog.field("overlapPolicy").inputValue(), "skip");
}

async function showsWhatBelongs(dialog) {
    const shows = async (...own) => assert.deepEqual(await dialog.shown(), [...ALWAYS_ABOVE, ...own, ...ALWAYS_BELOW]);
    await shows("every", "everyUnit");
    await dialog.choose("scheduleKind", "Cron");
    await shows("cron", "timezone");
    await dialog.choose("scheduleKind", "No schedule");
    await shows();
    await dialog.choose("overlapPolicy", "Allow");
    assert.ok(await dialog.field("maxConcurrent").isVisible());
    await dialog.choose("overlapPolicy", "Queue");
    assert.ok(await dialog.field("maxConcurrent").isHidden());
}

async function saysWhatAPolicyDoes(dialog) {
    const sentences = {
        Skip: "While a run is active, ticks are skipped.",
        Queue: "One run waits for the active one to end. Further ticks merge into it; the newest payload wins.",
        Buffer: "The first tick is held, further ones are dropped. It runs at the next tick that finds nothing active.",
        Cancel: "The new run takes over: the active one is cancelled. Its messages flow on to the next guard or finish node.",
        Terminate: "The new run takes over: the active one is cancelled and its undelivered messages are discarded.",
        Allow: "Up to 2 runs at once. Further ticks are skipped.",
    };
    for (const [policy, sentence] of Object.entries(sentences)) {
        await dialog.choose("overlapPolicy", policy);
        assert.equal(await dialog.policy.textContent(), sentence);
    }
    await dialog.type("maxConcurrent", "1");
    assert.equal(await dialog.policy.textContent(), "One run at a time. Further ticks are skipped.");
}

async function derivesTheRunLimit(dialog, { editor }) {
    const placeholder = (text) => editor.page.getByPlaceholder(text, { exact: true }).waitFor();
    await placeholder("50 (five times the interval)");
    await dialog.type("every", "2");
    await placeholder("10 (five times the interval)");
    await dialog.choose("everyUnit", "hours");
    await placeholder("600 (five times the interval)");
    await dialog.choose("everyUnit", "seconds");
    await placeholder("five times the interval");
    await dialog.choose("scheduleKind", "Cron");
    await dialog.type("cron", "0 */6 * * *");
    await placeholder("1800 (five times the interval)");
    await dialog.choose("scheduleKind", "No schedule");
    await placeholder("1440 (24 hours)");
}

async function showsTheNextTicks(dialog, { house }) {
    await dialog.next.getByText("Next").waitFor();
    assert.match(await dialog.next.textContent(), new RegExp(`^Next ${TIME}(, ${TIME}){4} · `));
    const { nextRun } = await house.trigger("watched");
    const first = (await dialog.next.locator("b").textContent()).split(" ").at(-1);
    assert.ok(new Date(nextRun).toTimeString().startsWith(first), "the first is the deployed trigger's next");
    await dialog.choose("scheduleKind", "Cron");
    await dialog.type("timezone", "Asia/Kolkata");
    await dialog.type("cron", "30 8 * * 1-5");
    await dialog.description.getByText("At 08:30, Monday to Friday").waitFor();
    assert.match(await dialog.next.textContent(), /^Next (.+ )?08:30(, .+ 08:30){4}$/);
    await dialog.choose("scheduleKind", "No schedule");
    await dialog.next.getByText("Runs when a message arrives.").waitFor();
}

/** Each mistake: what is typed where, and what is said about it. */
async function saysWhatIsWrong(dialog) {
    const isMarked = async (name) => assert.match(await dialog.field(name).getAttribute("class"), /\binput-error\b/, name);
    await dialog.type("every", "0");
    await dialog.next.getByText("The interval must be 0.1 seconds or more.").waitFor();
    await isMarked("every");
    await dialog.type("maxRunMinutes", "soon");
    await dialog.limit.getByText("The run limit must be a whole number of minutes, or empty.").waitFor();
    await isMarked("maxRunMinutes");
    await dialog.choose("overlapPolicy", "Allow");
    await dialog.type("maxConcurrent", "0");
    await dialog.policy.getByText("“At most” must be a whole number from 1.").waitFor();
    await isMarked("maxConcurrent");
    await dialog.choose("scheduleKind", "Cron");
    await dialog.type("timezone", "Europe/Nowhere");
    await dialog.next.getByText('Unknown time zone "Europe/Nowhere".').waitFor();
    await isMarked("timezone");
}

async function marksABadCronExpression({ editor }) {
    const typeCron = async (expression, words) => {
        const dialog = await editor.edit("watched");
        await dialog.choose("scheduleKind", "Cron");
        await dialog.type("cron", expression);
        await dialog.description.getByText(words).waitFor();
        const isInvalid = await dialog.field("cron").getAttribute("aria-invalid");
        await dialog.done();
        return isInvalid;
    };
    assert.equal(await typeCron("*/10 25 * * *", "Hour 25 does not exist. Hours go from 0 to 23."), "true");
    assert.ok(await editor.isInvalid("watched"), "the node is marked");
    assert.equal(await typeCron("*/10 8-17 * * *", "Every 10 minutes"), null);
    assert.ok(!(await editor.isInvalid("watched")), "the mended node is not");
}

async function offersPayloadTypes(dialog, { editor }) {
    const types = ["string", "number", "boolean", "JSON", "buffer", "flow.", "global.", "env variable", "expression"];
    for (const type of types) await dialog.chooseType("payload", type);
    await dialog.chooseType("payload", "number");
    await dialog.typeTyped("payload", "seven");
    await editor.page.keyboard.press("Tab");
    await dialog.form.locator(".red-ui-typedInput-container.input-error:visible").waitFor();
    await dialog.chooseType("payload", "timestamp of the tick");
    assert.equal(await dialog.field("payloadType").inputValue(), "date");
}

async function summsUpWhatIsNotDefault(dialog) {
    const summary = async (text) => assert.equal(await dialog.summary.textContent(), text);
    await summary(MORE);
    await dialog.more();
    await dialog.chooseWorkflow("All triggers of this flow");
    await summary("workflow of this flow");
    await dialog.chooseWorkflow("A workflow with a name");
    await dialog.type("workflowId", "prices");
    await summary("workflow prices");
    await dialog.chooseWorkflow("This trigger alone");
    await summary(MORE);
    assert.equal(await dialog.field("workflowId").inputValue(), "");
    await dialog.chooseType("lockKey", "msg.");
    await dialog.typeTyped("lockKey", "repo");
    await dialog.type("priority", "2");
    await dialog.type("delaySeconds", "5");
    await summary("lock key msg.repo · priority 2 · delay 5 s");
    await dialog.typeLockKeys(["acme/api", "acme/web"]);
    await dialog.choose("catchUp", "Run the latest");
    await dialog.field("fireAtStart").check();
    const all = ["lock key 2 keys", "priority 2", "delay 5 s", "missed ticks run the latest", "ends by a finish node", "at start once"];
    await dialog.finishOnly.check();
    await summary(all.join(" · "));
}

async function saysWhatALockKeyMeans(dialog) {
    const sentence = "Overlap is judged for each key. One run holds a key at a time.";
    const says = async (text) => assert.equal(await dialog.lock.textContent(), text);
    await dialog.more();
    await says("");
    await dialog.typeTyped("lockKey", "printer");
    await says(sentence);
    await dialog.chooseType("lockKey", "expression");
    await says(`${sentence} Ticks have none.`);
    await dialog.typeLockKeys(["acme/api"]);
    await says(sentence);
}

async function asksForATimeOnlyToRunEach(dialog) {
    await dialog.more();
    const time = dialog.field("catchUpWindowSeconds");
    assert.ok(await time.isHidden());
    await dialog.choose("catchUp", "Run each, up to 100");
    assert.ok(await time.isVisible());
    assert.equal(await time.inputValue(), "3600");
}

async function saysWhatIsWrongWithANumber(dialog) {
    await dialog.more();
    await dialog.choose("catchUp", "Run each, up to 100");
    const mistakes = {
        priority: ["101", "The priority must be a whole number from 1 to 100."],
        delaySeconds: ["soon", "The delay must be a number of seconds."],
        catchUpWindowSeconds: ["", "The time of missed ticks must be a number of seconds."],
    };
    for (const [name, [text, sentence]] of Object.entries(mistakes)) {
        await dialog.type(name, text);
        await dialog.form.getByText(sentence).waitFor();
        assert.match(await dialog.field(name).getAttribute("class"), /\binput-error\b/, name);
    }
    await dialog.type("priority", "${PRIORITY}");
    await dialog.form.getByText(mistakes.priority[1]).waitFor({ state: "detached" });
}

/** What is typed behind "More settings" is deployed, and shown again. */
async function keepsWhatIsSet({ house, editor }) {
    const dialog = await editor.edit("watched");
    await dialog.choose("overlapPolicy", "Terminate");
    await dialog.more();
    await dialog.typeLockKeys([" acme/api ", "acme/web", "", "acme/api"]);
    await dialog.type("delaySeconds", "0.5");
    await dialog.field("fireAtStart").check();
    await dialog.finishOnly.check();
    await dialog.choose("catchUp", "Run the latest");
    await setsALimit(await dialog.addBridge());
    await dialog.done();
    await editor.deploy();
    const { configuration } = await until("the trigger in its workspace", () => inWorkspace(house, "press"));
    assert.deepEqual(configuration.lockKeys, ["acme/api", "acme/web"]);
    assert.deepEqual([configuration.overlapPolicy, configuration.delaySeconds, configuration.catchUp], ["terminate", 0.5, "latest"]);
    assert.equal((await house.ask("/v1/workspaces/press")).maxConcurrentExecutions, 3);
    const again = await editor.edit("watched");
    assert.equal(await again.page.locator("#schedule-trigger-lockKeys").inputValue(), "acme/api\nacme/web");
    await again.more();
    assert.ok(await again.finishOnly.isChecked());
    await again.cancel();
    assert.ok(!(await editor.isInvalid("watched")));
}

async function setsALimit(bridge) {
    await bridge.type("name", "the press");
    await bridge.type("workspaceId", "press");
    await bridge.type("maxConcurrentExecutions", "many");
    assert.match(await bridge.field("maxConcurrentExecutions").getAttribute("class"), /\binput-error\b/);
    await bridge.type("maxConcurrentExecutions", "3");
    await bridge.add();
}

async function inWorkspace(house, workspaceId) {
    const { triggers } = await house.ask(`/v1/triggers?workspaceId=${workspaceId}`);
    return triggers[0];
}

/** What Tab reaches from here, in order: properties, or the first class of what has no id. */
async function tabStops(page, count) {
    const stops = [];
    for (let stop = 0; stop < count; stop++) {
        stops.push(await page.locator(":focus").evaluate(({ id, classList }) => id || classList[0]));
        await page.keyboard.press("Tab");
    }
    return stops.map((id) => id.replace("node-input-", ""));
}

async function isReachedByKeyboard(dialog, { editor }) {
    await dialog.choose("scheduleKind", "Cron");
    await dialog.choose("overlapPolicy", "Allow");
    await dialog.picture.says(/ticks/);
    await dialog.field("name").focus();
    const fields = ["name", "scheduleKind", "cron", "timezone", "overlapPolicy", "maxConcurrent", "maxRunMinutes"];
    const above = [...fields, "red-ui-button", "red-ui-button", "red-ui-button", "st-picture", "schedule-trigger-run-time"];
    const stops = await tabStops(editor.page, above.length + 1);
    assert.deepEqual(stops, [...above, "red-ui-typedInput-type-select"]);
    await editor.page.locator("summary:focus").waitFor();
    await editor.page.keyboard.press("Enter");
    await editor.page.keyboard.press("Tab");
    const below = ["schedule-trigger-workflow", "red-ui-typedInput-type-select", "red-ui-typedInput-input"];
    const numbers = ["priority", "delaySeconds"];
    const own = ["schedule-trigger-lockKeys", ...numbers, "catchUp", "schedule-trigger-finishOnly", "fireAtStart", "bridge"];
    assert.deepEqual(await tabStops(editor.page, below.length + own.length), [...below, ...own]);
}

/** The fields of the dialog's rows as a screen reader has them, a line each. */
async function spokenFields(dialog) {
    const rows = await dialog.form.locator(".schedule-trigger-row:visible").all();
    const spoken = await Promise.all(rows.map((row) => row.ariaSnapshot()));
    return spoken.flatMap((row) => row.split("\n")).filter((line) => /^\s*- (textbox|combobox|button)\b/.test(line));
}

async function isNamed(dialog) {
    await dialog.more();
    await dialog.chooseWorkflow("A workflow with a name");
    await dialog.choose("overlapPolicy", "Allow");
    await dialog.chooseType("payload", "string");
    for (const kind of ["Interval", "Cron"]) {
        await dialog.choose("scheduleKind", kind);
        const fields = await spokenFields(dialog);
        assert.ok(fields.length >= 12, fields.join("\n"));
        for (const spoken of fields) assert.match(spoken, /- \w+ "[^"]*\w[^"]*"/);
    }
}

/** The fields that reach beyond the right edge of their dialog. */
function beyondTheEdge(dialog) {
    return dialog.form.evaluate((form) => {
        const edge = form.getBoundingClientRect().right + 1;
        const fields = [...form.querySelectorAll("input, select, .red-ui-button, .schedule-trigger-hint")];
        return fields.filter((field) => field.getBoundingClientRect().right > edge).map(({ id }) => id);
    });
}

async function fitsInto(width, { editor }) {
    await editor.page.setViewportSize({ width, height: 1000 });
    const dialog = await editor.edit("watched");
    await dialog.choose("overlapPolicy", "Allow");
    await dialog.more();
    for (const kind of ["Interval", "Cron"]) {
        await dialog.choose("scheduleKind", kind);
        assert.deepEqual(await beyondTheEdge(dialog), [], `${kind} at ${width}`);
    }
    await dialog.cancel();
}

async function fitsNarrowDialogs({ editor }) {
    for (const width of [1000, 760]) await fitsInto(width, { editor });
    await editor.page.setViewportSize({ width: 1400, height: 1000 });
}

async function saysThatTheBridgeIsAway({ house, editor }) {
    editor.troubles.assertNone({ previews: [400, 404] });
    await house.bridge.kill("SIGKILL");
    const dialog = await editor.edit("watched");
    await dialog.next.getByText("The next ticks are not known. The bridge did not answer.").waitFor();
    await dialog.choose("scheduleKind", "Interval");
    await dialog.type("every", "20");
    await editor.page.getByPlaceholder("100 (five times the interval)").waitFor();
    await dialog.done();
    await house.startBridge();
    const again = await editor.edit("watched");
    await until("the next ticks", async () => /^Next/.test(await again.next.textContent()));
    assert.equal(await again.field("every").inputValue(), "20");
    await again.cancel();
    editor.troubles.assertNone({ previews: [400, 404, 503] });
}

onBoth("the dialog", [tab("tab"), TRIGGER], {
    "names the type of node that it edits": inDialog(isNamedForItsType),
    "fills in what a flow file leaves out": inDialog(fillsInWhatIsMissing),
    "shows what belongs to the schedule and the policy": inDialog(showsWhatBelongs),
    "says what a policy does": inDialog(saysWhatAPolicyDoes),
    "derives the run limit": inDialog(derivesTheRunLimit),
    "shows the next ticks": inDialog(showsTheNextTicks),
    "says what is wrong at the field": inDialog(saysWhatIsWrong),
    "offers payload types": inDialog(offersPayloadTypes),
    "sums up what is not default": inDialog(summsUpWhatIsNotDefault),
    "says what a lock key means": inDialog(saysWhatALockKeyMeans),
    "asks for a time only to run each missed tick": inDialog(asksForATimeOnlyToRunEach),
    "says what is wrong with a number": inDialog(saysWhatIsWrongWithANumber),
    "is reached by keyboard": inDialog(isReachedByKeyboard),
    "names its fields for screen readers": inDialog(isNamed),
    "fits when it is narrow": fitsNarrowDialogs,
    "marks a node whose cron expression is bad": marksABadCronExpression,
    "keeps what is set behind More settings": keepsWhatIsSet,
    "says that the bridge is away, and stays usable": saysThatTheBridgeIsAway,
});
