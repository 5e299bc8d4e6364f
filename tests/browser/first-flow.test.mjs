/** An author's first flow, from the empty canvas to the run, by mouse and keyboard. */
import assert from "node:assert/strict";
import { tab } from "../e2e/support/nodes.mjs";
import { until } from "../e2e/support/house.mjs";
import { onBoth } from "./support/both.mjs";

const ids = {};

async function drawFlow({ editor }) {
    const at = (x, y) => ({ x, y });
    const trigger = await editor.place("schedule-trigger", at(200, 160));
    const finish = await editor.place("schedule-finish", at(460, 100));
    const shows = await editor.place("debug", at(460, 220));
    await editor.wire(trigger, 1, shows);
    await editor.wire(trigger, 2, shows);
    ids[editor.url] = { trigger, finish, shows };
}

/** Fills in every field that is shown for a cron schedule; more settings included. */
async function editEveryField({ editor }) {
    const dialog = await editor.edit(ids[editor.url].trigger);
    await dialog.type("name", "fetch prices");
    await dialog.choose("scheduleKind", "Cron");
    await dialog.type("cron", "*/2 * * * * *");
    await dialog.type("timezone", "Europe/Berlin");
    await dialog.choose("overlapPolicy", "Allow");
    await dialog.type("maxConcurrent", "2");
    await dialog.type("maxRunMinutes", "45");
    await dialog.chooseType("payload", "JSON");
    await dialog.typeTyped("payload", '{"shop": 7}');
    await dialog.more();
    await dialog.chooseWorkflow("A workflow with a name");
    await dialog.type("workflowId", "prices");
    await dialog.type("priority", "7");
    await dialog.choose("catchUp", "Run each, up to 100");
    await dialog.type("catchUpWindowSeconds", "600");
    await dialog.finishOnly.check();
    await dialog.next.getByText("Next").waitFor();
    assert.equal(await dialog.description.textContent(), "Every 2 seconds");
    assert.match(await dialog.next.textContent(), /^Next (\w+ )?\d\d:\d\d:\d\d(, (\w+ )?\d\d:\d\d:\d\d){4}$/);
    await dialog.done();
}

async function deployAndSeeTheRun({ house, editor }) {
    const { trigger } = ids[editor.url];
    await editor.showDebug();
    await editor.deploy();
    await editor.untilStatus(trigger, { fill: "blue", shape: "dot", text: "running 2/2" });
    await editor.debugMessage("{ shop: 7 }");
    const { configuration } = await house.trigger(trigger);
    const typed = {
        name: "fetch prices",
        workflowId: "prices",
        schedule: { kind: "cron", expression: "*/2 * * * * *", timezone: "Europe/Berlin" },
        overlapPolicy: "allow",
        maxConcurrent: 2,
        maxRunMinutes: 45,
        payload: { shop: 7 },
    };
    for (const [name, value] of Object.entries(typed)) assert.deepEqual(configuration[name], value, name);
    editor.troubles.assertNone({ previews: [400] });
}

async function reopenAndFindEveryValue({ editor }) {
    const dialog = await editor.edit(ids[editor.url].trigger);
    await dialog.more();
    const values = {};
    for (const name of await dialog.shown()) values[name] = await dialog.field(name).inputValue();
    assert.ok(await dialog.finishOnly.isChecked());
    assert.ok(!(await dialog.field("fireAtStart").isChecked()));
    delete values.fireAtStart;
    assert.deepEqual(values, {
        name: "fetch prices",
        scheduleKind: "cron",
        cron: "*/2 * * * * *",
        timezone: "Europe/Berlin",
        overlapPolicy: "allow",
        maxConcurrent: "2",
        maxRunMinutes: "45",
        workflowId: "prices",
        priority: "7",
        delaySeconds: "0",
        catchUp: "all",
        catchUpWindowSeconds: "600",
        bridge: "_ADD_",
    });
    assert.equal(await dialog.field("payload").inputValue(), '{"shop": 7}');
    await dialog.cancel();
}

async function cancelAndChangeNothing({ editor }) {
    const id = ids[editor.url].trigger;
    const dialog = await editor.edit(id);
    await dialog.type("name", "something else");
    await dialog.choose("scheduleKind", "Interval");
    await dialog.choose("overlapPolicy", "Skip");
    await dialog.cancel();
    assert.equal(await editor.node(id).locator(".red-ui-flow-node-label").textContent(), "fetch prices");
    assert.ok(await editor.page.locator("#red-ui-header-button-deploy.disabled").isVisible(), "there is nothing to deploy");
}

/** The flow gets the finish node that alone ends its runs; those that had none before are given up. */
async function wireTheFinish({ house, editor }) {
    const { trigger, finish } = ids[editor.url];
    await editor.wire(trigger, 1, finish);
    await editor.deploy();
    await house.cancelAll(trigger);
    const ended = async () => (await house.executions(trigger)).some(({ state }) => state === "completed");
    await until("a completed run", ended);
    editor.troubles.assertNone({ previews: [400] });
}

/** A bridge at an address, made from the trigger's dialog, and a workspace of its own there. */
async function nameABridge({ house, editor }) {
    const { trigger } = ids[editor.url];
    const dialog = await editor.edit(trigger);
    await dialog.more();
    const bridge = await dialog.addBridge();
    await bridge.choose("mode", "A bridge at an address");
    await bridge.type("name", "laboratory");
    await bridge.type("url", house.bridge.url);
    await bridge.type("token", house.bridge.token);
    await bridge.type("workspaceId", "lab");
    await bridge.type("maxConcurrentExecutions", "3");
    await bridge.add();
    const set = ["workflow prices", "priority 7", "missed ticks run each", "ends by a finish node", "bridge laboratory"];
    await dialog.summary.filter({ hasText: set.join(" · ") }).waitFor();
    await dialog.next.getByText("Deploy the bridge's configuration first.").waitFor();
    await dialog.done();
    await editor.deploy();
    const moved = async () => (await house.trigger(trigger))?.configuration.workspaceId === "lab";
    await until("the trigger in its new workspace", moved);
    const isLimited = async () => (await house.ask("/v1/workspaces/lab")).maxConcurrentExecutions === 3;
    await until("the limit of the workspace", isLimited);
    editor.troubles.assertNone({ previews: [400, 404] });
}

onBoth("a first flow", [tab("empty")], {
    "is drawn from the palette": drawFlow,
    "is edited field by field": editEveryField,
    "runs when it is deployed, as it was typed": deployAndSeeTheRun,
    "keeps every value": reopenAndFindEveryValue,
    "is not changed by a cancelled dialog": cancelAndChangeNothing,
    "ends its runs at a finish node": wireTheFinish,
    "goes to a bridge that its dialog has added": nameABridge,
});
