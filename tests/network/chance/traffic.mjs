/** Clients with triggers of each policy that tick, are fired and commanded, and whose runs end after a while. */

import { until } from "../support/world.mjs";

/** Seconds. */
export const EVERY = 2;
const LONGEST_RUN_MS = 1_500;
const POLICIES = ["skip", "queue", "allow", "buffer", "cancel", "terminate"];
const CLIENTS = ["a", "b"];

export class Traffic {
    /** Every start of every session, in order. */
    starts = [];
    /** Starts of runs whose end the session had been told before. */
    zombies = [];
    /** The decisions that a client was answered with. */
    answered = [];
    asked = 0;
    #world;
    #chance;
    #stations = new Map();
    #sessions = 0;

    constructor(world, chance) {
        this.#world = world;
        this.#chance = chance;
    }

    get triggerIds() {
        return CLIENTS.flatMap((client) => triggersOf(client)).map(({ triggerId }) => triggerId);
    }

    /** Triggers that nothing but their schedule fires, each time for a run of its own. */
    get tickers() {
        return CLIENTS.map((client) => tickerOf(client).triggerId);
    }

    async start() {
        await Promise.all(CLIENTS.map((client) => this.#open(client).here()));
    }

    /** Nothing comes any more: waits until the clients are here and all runs have ended. */
    async rest() {
        await Promise.all([...this.#stations.values()].map((station) => station.untilHere()));
        const all = [...this.triggerIds, ...this.tickers];
        await Promise.all(all.map((triggerId) => this.#world.ask(`/v1/triggers/${triggerId}/pause`, "POST", {})));
        await until("all runs to end", async () => {
            const { starting, running, onHold, queued } = await this.#world.ask("/v1/workspaces/default");
            return starting + running + onHold + queued === 0;
        });
    }

    /** A client's process dies, and is started again. */
    killClient() {
        const client = this.#chance.of(CLIENTS);
        this.#stations.get(client).die();
        this.#open(client).client.here(declaredBy(client));
    }

    /** Somebody does something, whatever comes of it. */
    async act() {
        const act = this.#chance.weighted({ fire: 6, fireAsOperator: 2, command: 1 });
        await { fire: () => this.#fire(), fireAsOperator: () => this.#fireAsOperator(), command: () => this.#command() }[act]();
    }

    #open(client) {
        const session = `session ${(this.#sessions += 1)}`;
        const station = this.#world.station({ client, session, triggers: declaredBy(client) });
        station.onStart = ({ executionId }) => this.#started(station, executionId);
        this.#stations.set(client, station);
        return station;
    }

    #started(station, executionId) {
        this.starts.push(executionId);
        if (station.ends.some((end) => end.executionId === executionId)) this.zombies.push(executionId);
        setTimeout(() => station.finish(executionId), this.#chance.below(LONGEST_RUN_MS));
    }

    async #fire() {
        const station = this.#chance.of([...this.#stations.values()]);
        this.asked += 1;
        const decisions = await station.fire(this.#chance.of(this.triggerIds)).catch(() => []);
        this.answered.push(...decisions);
    }

    async #fireAsOperator() {
        this.asked += 1;
        const answer = await this.#world.fire(this.#chance.of(this.triggerIds)).catch(() => ({ decisions: [] }));
        this.answered.push(...answer.decisions);
    }

    async #command() {
        const executions = await this.#world.executions(this.#chance.of(this.triggerIds)).catch(() => []);
        const active = executions.filter(({ endedAt }) => !endedAt);
        if (active.length) await this.#world.command(this.#chance.of(["cancel", "terminate"]), this.#chance.of(active)).catch(() => {});
    }
}

const declaredBy = (client) => [...triggersOf(client), tickerOf(client)];

function tickerOf(client) {
    const schedule = { kind: "interval", every: EVERY };
    return { triggerId: `${client}-ticker`, overlapPolicy: "allow", maxConcurrent: 1000, schedule };
}

function triggersOf(client) {
    return POLICIES.map((overlapPolicy) => ({
        triggerId: `${client}-${overlapPolicy}`,
        overlapPolicy,
        maxConcurrent: 3,
        schedule: { kind: "interval", every: EVERY },
    }));
}
