/** Node-RED's admin routes: each wants its permission, on a real Node-RED with users (security.md). */
import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { freePort, makeUserDir, startNodeRed } from "../../scripts/processes.mjs";
import { root } from "../../scripts/setup.mjs";
import { VERSIONS } from "./support/house.mjs";

const LIB = path.join(root, "node-red");
const { addRoutes } = createRequire(import.meta.url)("../../node-red/lib/admin-routes.js");

const SECRET = "a-token-that-nobody-is-told-of-0123456789";

/** Who is who by their bearer token, in place of a login. */
const SETTINGS = `module.exports = {
    adminAuth: {
        type: "credentials",
        users: [],
        tokens: async (token) => ({
            reader: { username: "reader", permissions: ["schedule-trigger.read"] },
            writer: { username: "writer", permissions: ["schedule-trigger.write"] },
            owner: { username: "owner", permissions: ["*"] },
            stranger: { username: "stranger", permissions: ["flows.read", "nodes.read"] },
        })[token] ?? null,
    },
};
`;

/** The routes that the package registers, each with the permission that it names first. */
function registeredRoutes() {
    const routes = [];
    const add = (method) => (route, guard) => routes.push({ method, route, permission: guard?.permission });
    const httpAdmin = new Proxy({}, { get: (_, method) => add(String(method)) });
    const auth = { needsPermission: (permission) => Object.assign(() => {}, { permission }) };
    const settings = { available: () => false, get: () => undefined };
    const hooks = { add: () => {}, remove: () => {} };
    addRoutes({ httpAdmin, auth, settings, hooks, events: new EventEmitter(), nodes: {}, log: {}, comms: {}, _: String });
    return routes;
}

const ROUTES = registeredRoutes();

test("no other file of the package registers a route", () => {
    const files = readdirSync(LIB, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
    const registering = files.filter((file) => readFileSync(path.join(LIB, file), "utf8").includes("httpAdmin"));
    assert.deepEqual(registering, [path.join("lib", "admin-routes.js")]);
});

/** What is asked with a body, and changes nothing. */
const QUESTIONS = ["/schedule-trigger/preview", "/schedule-trigger/:id/replay"];

test("each route names a permission: write for what changes something", () => {
    assert.ok(ROUTES.length >= 3);
    for (const { method, route, permission } of ROUTES) {
        const reads = method === "get" || QUESTIONS.includes(route);
        assert.equal(permission, `schedule-trigger.${reads ? "read" : "write"}`, `${method} ${route}`);
    }
});

for (const version of VERSIONS) {
    describe(`Node-RED ${version} with users`, () => {
        const folder = mkdtempSync(path.join(tmpdir(), "schedule-trigger-"));
        let nodeRed;

        before(async () => {
            makeUserDir(folder, []);
            writeFileSync(path.join(folder, "more-settings.js"), SETTINGS);
            const bridge = { url: "http://127.0.0.1:9", tokenFile: path.join(folder, "no-token") };
            nodeRed = await startNodeRed({ version, userDir: folder, port: await freePort(), bridge });
        });

        after(async () => {
            await nodeRed?.stop();
            rmSync(folder, { recursive: true, force: true });
        });

        async function statusFor(token, { method, route }) {
            const headers = { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) };
            const body = method === "get" ? undefined : "{}";
            const url = nodeRed.url + route.replace(/:\w+/g, "x");
            return (await fetch(url, { method: method.toUpperCase(), headers, body })).status;
        }

        async function ask(route, body) {
            const headers = { "Content-Type": "application/json", Authorization: "Bearer owner" };
            const request = { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body) };
            return fetch(nodeRed.url + route, request);
        }

        test("a token is told to nobody, only that there is one", async () => {
            const node = { id: "b1", type: "schedule-bridge", url: "http://127.0.0.1:9", credentials: { token: SECRET } };
            assert.equal((await ask("/flows", [node])).status, 204);
            assert.deepEqual(await (await ask("/credentials/schedule-bridge/b1")).json(), { has_token: true });
            const told = await (await ask("/flows")).text();
            const kept = readdirSync(folder).filter((file) => file.endsWith(".json"));
            const files = kept.map((file) => readFileSync(path.join(folder, file), "utf8"));
            assert.ok(kept.includes("flows_cred.json"));
            for (const text of [told, ...files, nodeRed.lines.join("\n")]) assert.ok(!text.includes(SECRET));
        });

        test("no route asks an address that the browser names", async () => {
            let asked = 0;
            const elsewhere = createServer((_, response) => response.end(String((asked += 1)))).listen(0, "127.0.0.1");
            await once(elsewhere, "listening");
            const url = `http://127.0.0.1:${elsewhere.address().port}`;
            const wanted = { url, bridge: url, bridgeUrl: url, mode: "interval", every: 1, unit: "minutes" };
            for (const { method, route } of ROUTES.filter(({ method }) => method !== "get")) {
                const at = route.replace(/:\w+/g, encodeURIComponent(url));
                const headers = { "Content-Type": "application/json", Authorization: "Bearer owner" };
                await fetch(nodeRed.url + at, { method: method.toUpperCase(), headers, body: JSON.stringify(wanted) });
            }
            assert.equal(asked, 0);
            elsewhere.close();
        });

        for (const route of ROUTES) {
            const { method, route: at, permission } = route;
            test(`${method} ${at}: whoever may ${permission}, and nobody else`, async () => {
                const allowed = permission.endsWith(".read") ? "reader" : "writer";
                const others = ["reader", "writer", "stranger", "nobody", undefined].filter((who) => who !== allowed);
                for (const who of others) assert.equal(await statusFor(who, route), 401, String(who));
                assert.notEqual(await statusFor(allowed, route), 401);
            });
        }
    });
}
