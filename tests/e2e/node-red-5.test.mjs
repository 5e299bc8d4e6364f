/** What Node-RED 4.1 is held to on the way, Node-RED 5 is held to here: it needs a newer Node.js. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { nodeFor } from "../../scripts/node-reds.mjs";
import { root } from "../../scripts/setup.mjs";

for (const name of ["runtime-facts", "tracking", "run-ends", "nodes", "attribution"]) {
    test(`tests/node-red/${name} on Node-RED 5`, () => {
        // Without its own name for it, a test runner within a test runner only reports upwards.
        const env = { ...process.env, NODE_RED_PACKAGE: "node-red-5", NODE_TEST_CONTEXT: undefined };
        const args = ["--test", "--test-reporter=tap", `tests/node-red/${name}.test.js`];
        const { status, stdout } = spawnSync(nodeFor(5), args, { cwd: root, env, encoding: "utf8", timeout: 120_000 });
        assert.equal(status, 0, stdout);
    });
}
