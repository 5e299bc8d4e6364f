/** Who may only read sees no verb and no pencil, and the routes refuse what is not shown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { inHouse, VERSIONS } from "../e2e/support/house.mjs";
import { tab, trigger, work } from "../e2e/support/nodes.mjs";
import { launchChromium } from "./support/chromium.mjs";
import { Editor } from "./support/editor.mjs";
import { Schedules } from "./support/schedules.mjs";
import { PASSWORD, WITH_USERS } from "./support/users.mjs";

const FLOW = [
    tab("tab"),
    trigger("images", "tab", { scheduleKind: "none", fireAtStart: true, wires: [["work"], []] }),
    work("work", "tab", 600, []),
];

/** What nobody may do who may only read. */
const WRITES = [
    ["POST", "schedule-trigger/images/run"],
    ["POST", "schedule-trigger/triggers/images/pause"],
    ["POST", "schedule-trigger/triggers/images/resume"],
    ["POST", "schedule-trigger/triggers/images/executions/x/cancel"],
    ["POST", "schedule-trigger/triggers/images/executions/x/terminate"],
    ["PUT", "schedule-trigger/workspaces/managed"],
];

const READS = ["schedule-trigger/triggers", "schedule-trigger/triggers/images", "schedule-trigger/triggers/images/history"];

async function tokenOf(house, username) {
    const body = new URLSearchParams({ client_id: "node-red-admin", grant_type: "password", scope: "", username, password: PASSWORD });
    const answer = await fetch(`${house.nodeRed.url}/auth/token`, { method: "POST", body });
    const { access_token: token } = await answer.json();
    return token;
}

async function statusOf(house, method, route, token) {
    const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${house.nodeRed.url}/${route}`, { method, headers, body: method === "GET" ? undefined : "{}" });
    return answer.status;
}

async function refusesWhatIsNotAllowed(house) {
    const reader = await tokenOf(house, "reader");
    for (const [method, route] of WRITES) {
        assert.equal(await statusOf(house, method, route), 401, route);
        assert.equal(await statusOf(house, method, route, reader), 401, route);
    }
    for (const route of READS) {
        assert.equal(await statusOf(house, "GET", route), 401, route);
        assert.equal(await statusOf(house, "GET", route, reader), 200, route);
    }
    const writer = await tokenOf(house, "writer");
    assert.equal(await statusOf(house, "POST", "schedule-trigger/triggers/images/executions/x/cancel", writer), 404);
    assert.equal(await statusOf(house, "POST", "schedule-trigger/triggers/nowhere/pause", writer), 404);
    assert.equal(await statusOf(house, "PUT", "schedule-trigger/workspaces/nowhere", writer), 422);
}

async function seenBy(browser, house, username) {
    const editor = await Editor.open(browser, house, { login: { username, password: PASSWORD } });
    const schedules = new Schedules(editor);
    await schedules.show();
    await schedules.untilRow("images", "running 1");
    const pencils = await schedules.root.getByRole("button", { name: "Change the limit" }).count();
    await schedules.open("images");
    await schedules.untilLines("Active", 1);
    const verbs = await schedules.details.locator(".schedules-verbs button:visible").allTextContents();
    editor.troubles.assertNone();
    await editor.close();
    return { pencils, verbs: verbs.map((verb) => verb.trim()) };
}

test("the sidebar keeps to what a person may do", { concurrency: true }, async (t) => {
    const browser = await launchChromium();
    t.after(() => browser.close());
    const runs = VERSIONS.map((version) =>
        t.test(`on Node-RED ${version}`, () =>
            inHouse({ version, flows: FLOW, settings: WITH_USERS }, async (house) => {
                assert.deepEqual(await seenBy(browser, house, "reader"), { pencils: 0, verbs: [] });
                assert.deepEqual(await seenBy(browser, house, "writer"), { pencils: 1, verbs: ["Run now", "Pause", "Cancel", "Terminate"] });
                await refusesWhatIsNotAllowed(house);
            }),
        ),
    );
    await Promise.all(runs);
});
