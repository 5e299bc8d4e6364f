/** The editor in German and Japanese: whatever it shows of ours is said in that language. */
import assert from "node:assert/strict";
import { until } from "../e2e/support/house.mjs";
import { finish, tab, trigger } from "../e2e/support/nodes.mjs";
import { onBoth } from "./support/both.mjs";
import { Schedules } from "./support/schedules.mjs";

const FLOW = [
    tab("first"),
    trigger("trigger", "first", { name: "prices", every: 10, everyUnit: "minutes", endsOnSilence: false, overlapPolicy: "queue", x: 200, y: 100 }),
    { id: "guard", z: "first", type: "schedule-guard", x: 420, y: 60, wires: [[], []] },
    { ...finish("finish", "first"), x: 420, y: 140 },
];

/** What a reader of each language would look for. */
const LANGUAGES = {
    de: {
        policy: "Einreihen",
        hint: /wartet auf das Ende des aktiven/,
        next: /^Nächste Termine: /,
        picture: /Termine, 9 Läufe/,
        summary: /Ende durch einen finish-Node/,
        status: "eingereiht, läuft 1",
        help: "Die Bilder zeigen sieben Termine",
        helpOfFinish: "Beendet den Lauf der Nachricht",
        helpOfGuard: "Fragt, ob der Lauf",
        helpOfBridge: "Wo die Bridge ist",
        sidebar: /eingereiht/,
        facts: "alle 10 min · Einreihen · default",
        sections: ["Aktiv", "Wartend", "Entscheidungen"],
    },
    ja: {
        policy: "キュー",
        hint: /現在の実行の終了を待ちます/,
        next: /^次回 /,
        picture: /予定時刻 12回、実行 9件/,
        summary: /終了 finishノードによる/,
        status: "待機あり、実行中 1",
        help: "図は左から右へ7回の予定時刻を",
        helpOfFinish: "メッセージの実行を終了し",
        helpOfGuard: "実行がまだ有効かどうか",
        helpOfBridge: "scheduleノードの判定を行う",
        sidebar: /待機/,
        facts: "10分ごと · キュー · default",
        sections: ["実行中", "待機", "判定"],
    },
};

/** A key of a catalogue where its text should be, or a value that was not filled in. */
const UNSAID = /\bschedule(s|-trigger|-finish|-guard|-bridge)\.[a-z]|__\w+__|undefined|NaN/;

/** All that a part of the page says, to the eye and to a screen reader. */
function wordsIn(locator) {
    return locator.evaluate((element) => {
        const spoken = ["title", "aria-label", "placeholder", "alt"];
        const said = [...element.querySelectorAll("*")].flatMap((each) => spoken.map((name) => each.getAttribute(name)));
        return [element.textContent, ...said.filter(Boolean)];
    });
}

async function assertAllIsSaid(locator, what) {
    for (const words of await wordsIn(locator)) assert.doesNotMatch(words, UNSAID, what);
}

/** The help of a node, read in the sidebar. */
async function readHelp(editor, dialog, words) {
    await dialog.help(words);
    await assertAllIsSaid(editor.page.locator(".red-ui-help:visible").first(), words);
}

async function theDialogSpeaks(editor, says) {
    const dialog = await editor.edit("trigger");
    const chosen = dialog.field("overlapPolicy").locator("option:checked");
    assert.equal(await chosen.textContent(), says.policy);
    await dialog.policy.filter({ hasText: says.hint }).waitFor();
    await dialog.next.filter({ hasText: says.next }).waitFor();
    await dialog.picture.says(says.picture);
    await dialog.summary.filter({ hasText: says.summary }).waitFor();
    await dialog.more();
    await assertAllIsSaid(dialog.form, "the dialog");
    await readHelp(editor, dialog, says.help);
    await thePicturesOfTheHelpAreThere(editor);
    const bridge = await dialog.addBridge();
    await readHelp(editor, bridge, says.helpOfBridge);
    await assertAllIsSaid(editor.page.locator("#node-config-dialog-edit-form"), "the dialog of a bridge");
    await bridge.cancel();
    await dialog.cancel();
}

async function thePicturesOfTheHelpAreThere(editor) {
    const pictures = editor.page.locator(".red-ui-help:visible img.schedule-trigger-policy-picture");
    const widths = () => pictures.evaluateAll((images) => images.map(({ naturalWidth }) => naturalWidth));
    const areThere = async () => (await widths()).length === 6 && (await widths()).every((width) => width > 0);
    await until("the picture of each policy", areThere);
}

async function theOtherDialogsSpeak(editor, says) {
    for (const [id, words] of [
        ["finish", says.helpOfFinish],
        ["guard", says.helpOfGuard],
    ]) {
        const dialog = await editor.edit(id);
        await assertAllIsSaid(dialog.form, id);
        await readHelp(editor, dialog, words);
        await dialog.cancel();
    }
}

async function theCanvasSpeaks(editor, says) {
    for (let presses = 0; presses < 2; presses += 1) await editor.press("trigger");
    await editor.untilStatus("trigger", { text: says.status });
}

async function theSidebarSpeaks(editor, says) {
    const schedules = new Schedules(editor);
    await schedules.show();
    await schedules.untilRow("prices", says.sidebar);
    await assertAllIsSaid(schedules.root, "the list");
    await schedules.row("prices").locator("button").last().click();
    for (const section of says.sections) await schedules.details.getByRole("heading", { name: section }).waitFor();
    await schedules.details.getByText(says.facts).waitFor();
    await schedules.decisions.first().waitFor();
    await assertAllIsSaid(schedules.root, "an opened trigger");
}

for (const lang of Object.keys(LANGUAGES)) {
    const parts = {
        "the dialog of the trigger, with its help and the pictures in it": theDialogSpeaks,
        "the dialogs of the other nodes": theOtherDialogsSpeak,
        "the statuses on the canvas": theCanvasSpeaks,
        "the sidebar": theSidebarSpeaks,
    };
    const spoken = Object.entries(parts).map(([what, speaks]) => [what, ({ editor }) => speaks(editor, LANGUAGES[lang])]);
    onBoth(`the editor speaks ${lang}`, FLOW, { ...Object.fromEntries(spoken), "nothing goes wrong": ({ editor }) => editor.troubles.assertNone() }, lang);
}
