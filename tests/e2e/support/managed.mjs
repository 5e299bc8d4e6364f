/** A Node-RED that runs a bridge of its own. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { fillUserDir, makeUserDir } from "../../../scripts/processes.mjs";
import { root } from "../../../scripts/setup.mjs";
import { House } from "./house.mjs";

const WINDOWS = process.platform === "win32";

/** Nothing that names another bridge. */
const ALONE = {
    SCHEDULE_BRIDGE_URL: undefined,
    SCHEDULE_BRIDGE_TOKEN: undefined,
    SCHEDULE_BRIDGE_TOKEN_FILE: undefined,
    SCHEDULE_BRIDGE_PYTHON: undefined,
};

function npm(args, cwd) {
    return promisify(execFile)("npm", [...args, "--silent", "--no-audit", "--no-fund"], { cwd, shell: WINDOWS });
}

/** Packs this clone as it is published; gives the tarball's path. */
export async function pack(folder) {
    await npm(["pack", "--pack-destination", folder], root);
    return path.join(
        folder,
        readdirSync(folder).find((file) => file.endsWith(".tgz")),
    );
}

/** A Node-RED with a user directory that has only the package and some flows. */
export class ManagedHouse extends House {
    /**
     * @param {{version: 4 | 5, flows: object[], tarball?: string, env?: object, settings?: object}} wanted without a
     *     tarball: this clone
     */
    static async open({ version, flows, tarball, env, settings = {} }) {
        const house = new ManagedHouse();
        house.version = version;
        house.env = { ...ALONE, ...env };
        house.folder = mkdtempSync(path.join(tmpdir(), "schedule-trigger-"));
        house.userDir = path.join(house.folder, "node-red");
        await house.#fill(flows, tarball);
        house.changeSettings(settings);
        await house.restart();
        return house;
    }

    async #fill(flows, tarball) {
        if (!tarball) {
            makeUserDir(this.userDir, flows);
            return;
        }
        mkdirSync(this.userDir);
        await npm(["install", tarball], this.userDir);
        fillUserDir(this.userDir, flows);
    }

    restart() {
        return this.startNodeRed(this.version, this.env);
    }

    /** The bridge that runs now, by the address that it leaves beside its token; undefined while none runs. */
    get bridge() {
        try {
            const read = (name) => readFileSync(path.join(this.userDir, "schedule-bridge", name), "utf8");
            return { ...JSON.parse(read("address")), token: read("token").trim() };
        } catch {
            return undefined;
        }
    }

    async close() {
        await this.stopNodeRed();
        rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    }
}

/** Opens a house for a test, and closes it whatever happens. */
export async function inManagedHouse(wanted, act) {
    const house = await ManagedHouse.open(wanted);
    try {
        await act(house);
    } catch (error) {
        error.message += `\n--- Node-RED ${wanted.version}\n${house.nodeRed.lines.slice(-40).join("\n")}`;
        throw error;
    } finally {
        await house.close();
    }
}
