/** What the editor offers to learn from: the examples of the Import dialog, the help of each node. */
import assert from "node:assert/strict";
import { example, exampleNames } from "../../scripts/examples.mjs";
import { finish, tab, trigger } from "../e2e/support/nodes.mjs";
import { until } from "../e2e/support/house.mjs";
import { assertNoBarrier } from "./support/axe.mjs";
import { onBoth } from "./support/both.mjs";

const FLOW = [
    tab("first"),
    trigger("trigger", "first", { scheduleKind: "none", x: 200, y: 100 }),
    { ...finish("finish", "first"), outcome: undefined, x: 420, y: 100 },
];

const imported =
    (name) =>
    async ({ editor }) => {
        await editor.importExample(name);
        assert.deepEqual(await editor.warnings(), []);
    };

/** A part for each example: on a busy machine it is of use to know at which of them a run stands. */
const IMPORTS = Object.fromEntries(exampleNames().map((name) => [`by the example “${name}”, which imports without a warning`, imported(name)]));

async function deployEveryExample({ editor }) {
    await editor.deploy();
    assert.deepEqual(await editor.warnings(), []);
}

/** An example's tab has its name, with a capital. Today may be one of the example's holidays. */
async function runEveryExample({ house, editor }) {
    await house.press("holiday-ends");
    for (const name of exampleNames()) {
        await editor.goTo(name[0].toUpperCase() + name.slice(1));
        const { id, scheduleKind } = example(name).find(({ type }) => type === "schedule-trigger");
        const started = async () => (await house.executions(id)).some(({ startedAt }) => startedAt);
        await until(`a run of the example ${name}`, started);
        if (scheduleKind === "interval") await editor.untilStatus(id, { text: /running|queued|on hold|next/ });
    }
    editor.troubles.assertNone();
}

async function assertHelp(dialog, firstWords) {
    const text = await dialog.help(firstWords);
    await assertNoBarrier(dialog.page, ".red-ui-help");
    for (const title of ["Inputs", "Outputs", "Details", "References"]) assert.ok(text.includes(title), title);
}

async function helpWithEveryNode({ editor }) {
    await editor.goTo("first");
    const dialog = await editor.edit("trigger");
    await assertHelp(dialog, "Starts a run of the flow on a schedule");
    await dialog.more();
    const bridge = await dialog.addBridge();
    await assertHelp(bridge, "Where the bridge is that decides");
    await assertNoBarrier(editor.page, "#node-config-dialog-edit-form > .form-row");
    await bridge.cancel();
    await dialog.cancel();
    const other = await editor.edit("finish");
    assert.equal(await other.field("outcome").inputValue(), "auto", "though the flow says nothing of it");
    await assertHelp(other, "Ends the run of the message");
    await assertNoBarrier(editor.page, "#dialog-form > .form-row");
    await other.cancel();
    editor.troubles.assertNone();
}

onBoth("the editor teaches", FLOW, {
    ...IMPORTS,
    "by examples that are deployed without a warning": deployEveryExample,
    "by examples that run": runEveryExample,
    "by the help of every node": helpWithEveryNode,
});
