/** Node-RED's admin routes: each wants its permission, on a real Node-RED with users (security.md). */
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { freePort, makeUserDir, startNodeRed } from "../../scripts/processes.mjs";
import { root } from "../../scripts/setup.mjs";
import { VERSIONS } from "./support/house.mjs";

const LIB = path.join(root, "node-red");
const { addRoutes } = createRequire(import.meta.url)("../../node-red/lib/admin-routes.js");

/** Who is who by their bearer token, in place of a login. */
const SETTINGS = `module.exports = {
    adminAuth: {
        type: "credentials",
        users: [],
        tokens: async (token) => ({
            reader: { username: "reader", permissions: ["schedule-trigger.read"] },
            writer: { username: "writer", permissions: ["schedule-trigger.write"] },
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

test("each route names a permission: write for what changes something", () => {
    assert.ok(ROUTES.length >= 3);
    for (const { method, route, permission } of ROUTES) {
        const reads = method === "get" || route.endsWith("/preview");
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
