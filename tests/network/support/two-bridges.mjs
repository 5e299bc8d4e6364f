/** Two bridges on one PostgreSQL, and clients that know the addresses of both. */
import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Child, freePort, startBridge, until } from "../../../scripts/processes.mjs";
import { root, venvProgram } from "../../../scripts/setup.mjs";
import { live, World } from "./world.mjs";

const LEASE_SECONDS = "3";

/** A world without a proxy. Whoever asks past the clients asks the bridge that is `asked`. */
class TwoBridges extends World {
    bridges = [];
    asked = 0;
    #ports = [];
    #token = randomBytes(32).toString("base64url");
    #database;

    static async open() {
        const world = new TwoBridges();
        world.folder = mkdtempSync(path.join(tmpdir(), "network-"));
        const env = { PYTHONPATH: path.join(root, "tests") };
        world.#database = new Child("The database", venvProgram("python"), ["-m", "databases"], { env });
        for (const number of [0, 1]) {
            world.#ports.push(await freePort());
            await world.start(number);
        }
        return world;
    }

    get bridge() {
        return this.bridges[this.asked];
    }

    get urls() {
        return this.bridges.map(({ url }) => url);
    }

    /** Starts one of them, for the first time or again. */
    async start(number) {
        const folder = path.join(this.folder, String(number));
        mkdirSync(folder, { recursive: true });
        writeFileSync(path.join(folder, "token"), this.#token, { mode: 0o600 });
        const env = { SCHEDULE_BRIDGE_DATABASE: await this.#url(), SCHEDULE_BRIDGE_LEASE_SECONDS: LEASE_SECONDS };
        this.bridges[number] = await startBridge({ folder, port: this.#ports[number], env });
    }

    #url() {
        return until("the database", async () => {
            this.#database.assertRunning();
            return this.#database.lines.find((line) => line.startsWith("postgresql://"));
        });
    }

    async close() {
        for (const bridge of this.bridges) await bridge.stop();
        await super.close();
        await this.#database.stop();
    }
}

/** Lives with two bridges, and closes them whatever happens. */
export async function inHouseOfTwo(act) {
    return live(await TwoBridges.open(), act);
}
