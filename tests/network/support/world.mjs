/** A bridge in a process of its own, the network before it, and clients behind that. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before } from "node:test";
import { freePort, startBridge, until } from "../../../scripts/processes.mjs";
import { root, venvProgram } from "../../../scripts/setup.mjs";
import { Proxy } from "./proxy.mjs";
import { Station } from "./station.mjs";

export { until };

const COMMAND = [venvProgram("python"), "-m", "network.bridge"];

/** Short enough not to wait for, long enough for a busy machine. */
const LIMITS = { ping_every: 2, takeover_ping_seconds: 2 };

const isOver = ({ endedAt }) => endedAt !== null;

export class World {
    static #count = 0;
    #stations = [];
    #number = (World.#count += 1);

    /** @param {{limits?: object, settings?: object, diesBefore?: string}} [wanted] as `tests/network/bridge.py` reads it */
    static async open(wanted = {}) {
        const world = new World();
        world.folder = mkdtempSync(path.join(tmpdir(), "network-"));
        world.port = await freePort();
        await world.startBridge(wanted);
        world.proxy = await new Proxy(world.bridge.url).start();
        return world;
    }

    /** Another network before the same bridge, for clients and triggers of other names. */
    async beside() {
        const world = new World();
        world.bridge = this.bridge;
        world.proxy = await new Proxy(this.bridge.url).start();
        world.isGuest = true;
        return world;
    }

    /** A trigger that no other world declares. */
    trigger(config = {}, name = "t") {
        return { triggerId: `${name}${this.#number}`, ...config };
    }

    /** Starts the bridge, with the same store if there was one, at the same port. */
    async startBridge({ limits = {}, settings = {}, diesBefore } = {}) {
        const test = JSON.stringify({ limits: { ...LIMITS, ...limits }, settings, diesBefore });
        const env = { NETWORK_TEST: test, PYTHONPATH: path.join(root, "tests") };
        this.bridge = await startBridge({ folder: this.folder, port: this.port, env, command: COMMAND });
    }

    /** Takes away all that the bridge knew, but its token. */
    loseStore() {
        for (const end of ["", "-wal", "-shm", ".lock"]) rmSync(path.join(this.folder, `bridge.db${end}`), { force: true });
    }

    /** Where clients reach the bridge: through the proxy. */
    get urls() {
        return [this.proxy.url];
    }

    /** A client. */
    station(wanted) {
        const client = `client${this.#number}`;
        const station = new Station({ urls: this.urls, token: this.bridge.token }, { client, ...wanted });
        this.#stations.push(station);
        return station;
    }

    /** Asks the bridge past the proxy, as an operator on its machine does. */
    async ask(route, method = "GET", body = undefined, headers = {}) {
        const authorization = `Bearer ${this.bridge.token}`;
        const json = body && { "content-type": "application/json" };
        const request = { method, headers: { authorization, ...json, ...headers }, body: body && JSON.stringify(body) };
        const answer = await fetch(this.bridge.url + route, request);
        if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${await answer.text()}`);
        return answer.json();
    }

    fire(trigger, body = {}, headers = {}) {
        return this.ask(`/v1/triggers/${trigger}/fire`, "POST", body, headers);
    }

    untilDeclared({ triggerId }) {
        return until(`${triggerId} to be declared`, async () => {
            const { triggers } = await this.ask("/v1/triggers?limit=1000");
            return triggers.some((each) => each.triggerId === triggerId && !each.detached);
        });
    }

    /** Another run of a client goes all its way, so that all that was said to it before has arrived. */
    async untilAllArrived(station) {
        const marker = this.trigger({}, "after");
        station.client.here([...station.triggers, marker]);
        station.triggers = [...station.triggers, marker];
        await this.untilDeclared(marker);
        await this.fire(marker.triggerId);
        const { executionId } = await this.untilIn(marker.triggerId, "running");
        await station.untilStartedIs(executionId);
        station.finish(executionId);
        station.starts = station.starts.filter((started) => started !== executionId);
    }

    /** Ends an execution as an operator does. */
    command(verb, { executionId }) {
        return this.ask(`/v1/executions/${executionId}/${verb}`, "POST", {});
    }

    /** A trigger's executions, oldest first. */
    async executions(trigger) {
        return (await this.ask(`/v1/executions?limit=1000&triggerId=${trigger}`)).executions.reverse();
    }

    /** All of a trigger's executions or decisions, however many. */
    async all(things, triggerId) {
        const found = [];
        for (let more = ""; more !== undefined; ) {
            const page = await this.ask(`/v1/${things}?limit=1000&triggerId=${triggerId}${more}`);
            found.push(...page[things]);
            more = page.nextCursor ? `&cursor=${encodeURIComponent(page.nextCursor)}` : undefined;
        }
        return found;
    }

    /** A trigger's decisions, oldest first. */
    async decisions(trigger) {
        return (await this.ask(`/v1/decisions?limit=1000&triggerId=${trigger}`)).decisions.reverse();
    }

    /** Waits for an execution of a trigger in a state. */
    untilIn(trigger, ...states) {
        const found = async () => (await this.executions(trigger)).find(({ state }) => states.includes(state));
        return until(`an execution of ${trigger} to be ${states.join(" or ")}`, found);
    }

    /** Waits until nothing of a trigger is active, and holds its executions to these ends: "state" or "state reason". */
    async endsAs(trigger, ...ends) {
        const over = async () => {
            const executions = await this.executions(trigger);
            return executions.length >= ends.length && executions.every(isOver) && executions;
        };
        const executions = await until(`${ends.length} executions of ${trigger} to end`, over);
        assert.deepEqual(executions.map(inWords), ends);
        return executions;
    }

    async close() {
        for (const { client } of this.#stations) client.close();
        await this.proxy?.close();
        if (this.isGuest) return;
        await this.bridge.stop();
        rmSync(this.folder, { recursive: true, force: true });
    }
}

function inWords({ state, reason }) {
    return reason && reason !== state ? `${state} ${reason}` : state;
}

/** Lives in a world of its own, and closes it whatever happens. */
export async function inWorld(wanted, act) {
    return live(await World.open(wanted), act);
}

/** A bridge for all tests of a file, and a network of its own for each of them. */
export function oneBridge(wanted) {
    /** @type {World} */
    let host;
    before(async () => (host = await World.open(wanted)));
    after(() => host?.close());
    return (act) => async () => live(await host.beside(), act);
}

/** Closes a world at the end, whatever happens in it. */
export async function live(world, act) {
    try {
        await act(world);
    } catch (error) {
        error.message += `\n--- bridge\n${world.bridge.lines.slice(-20).join("\n")}`;
        throw error;
    } finally {
        await world.close();
    }
}
