/** A house that lives through everything at once, and what is wrong with it afterwards. */
import { inHouse, until } from "../support/house.mjs";
import { INSPECTABLE } from "../support/inspector.mjs";
import { chance, shuffled } from "./chance.mjs";
import { faultsOf, leftOver } from "./faults.mjs";
import { flowsOf, still } from "./flows.mjs";
import { insides } from "./insides.mjs";
import { readJournal, fillWith } from "./journal.mjs";
import { growths, look, megabytes } from "./memory.mjs";
import { isStill, recordOf, Stretches } from "./record.mjs";
import { TO_BRIDGE, TO_FLOWS, Upheavals } from "./upheavals.mjs";
import { openWorld } from "./world.mjs";

/** From this on a life tells whether memory grows. */
const LONG_S = 600;
const ENDS_WITHIN_MS = 120_000;
const LOOKS_AT_REST = 10;
const LOOKS_APART_MS = 2000;
const PAUSED = "soak1-trigger";
const sleep = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const isTrigger = ({ type }) => type === "schedule-trigger";

class Life {
    #stretches = new Stretches();
    /** How often each thing was done. */
    #done = {};

    constructor(house, plan, flows) {
        this.house = house;
        this.plan = plan;
        this.flows = flows;
        this.random = chance(plan.seed);
        this.upheavals = new Upheavals(house, flows, this.random);
    }

    async live() {
        await this.#untilDeclared();
        const before = await insides(this.house.nodeRed);
        const paused = await this.#pauseOne();
        await this.upheavals.begin();
        const beganAt = Date.now();
        const memory = await this.#throughUpheavals();
        await this.upheavals.end();
        const stoppedAt = Date.now();
        const releasing = await this.#untilStill();
        // A Function node keeps the last message that it had, until it is deployed again.
        await this.upheavals.end();
        const after = await this.#insidesAtRest(before);
        const record = await recordOf(this.house, this.#stretches);
        const journal = readJournal(this.house.userDir);
        const ticking = this.flows.filter((node) => isTrigger(node) && node.scheduleKind === "interval").map(({ id }) => id);
        const times = { beganAt, stoppedAt, isLong: this.plan.seconds >= LONG_S };
        return { ...record, ...times, journal, ticking, releasing, paused, before, after, memory, upheavals: this.#done };
    }

    /** What is kept once what a deploy does in passing, such as timers of its connections, is over; a leak stays. */
    async #insidesAtRest(before) {
        for (let look = 1; ; look += 1) {
            const after = await insides(this.house.nodeRed);
            if (look === LOOKS_AT_REST || leftOver({ before, after }).length === 0) return after;
            await sleep(LOOKS_APART_MS);
        }
    }

    async #untilDeclared() {
        const count = this.flows.filter(isTrigger).length;
        const declared = async () => (await this.house.ask("/v1/triggers?limit=1000")).triggers.length === count;
        await until("the triggers to be declared", declared);
    }

    async #pauseOne() {
        const { triggerId } = await this.house.trigger(PAUSED);
        await this.house.ask(`/v1/triggers/${triggerId}/pause`, "POST");
        return this.house.trigger(PAUSED);
    }

    /** One thing after the other, in an order of chance, until the time is over. */
    async #throughUpheavals() {
        const { seconds, pauseMs, tell = () => {} } = this.plan;
        const began = Date.now();
        const time = () => (Date.now() - began) / seconds / 1000;
        const memory = [];
        do {
            for (const act of this.#round(time() >= 0.5)) {
                await sleep(pauseMs);
                await this.#do(act);
                memory.push({ time: time(), ...(await look(this.house)) });
                tell(`${act}, ${megabytes(memory.at(-1).nodeRed)} MB`);
            }
        } while (time() < 1);
        return memory;
    }

    /** In the second half the bridge is left alone, so that its memory can be compared. */
    #round(isLate) {
        return shuffled(this.random, isLate ? TO_FLOWS : [...TO_FLOWS, ...TO_BRIDGE]);
    }

    async #do(act) {
        try {
            await this.upheavals[act]();
        } catch (error) {
            error.message = `${act}: ${error.message}`;
            throw error;
        }
        this.#done[act] = (this.#done[act] ?? 0) + 1;
        await this.#stretches.look(this.house);
    }

    /**
     * A buffered firing waits for the next one, so each slot is emptied by one more.
     * @returns {Promise<Set<string>>} the ids of those that did
     */
    async #untilStill() {
        await until("everything to end", () => isStill(this.house), ENDS_WITHIN_MS);
        const holding = (await this.#stretches.look(this.house)).filter(({ buffered }) => buffered.length > 0);
        const fire = ({ triggerId }) => this.house.ask(`/v1/triggers/${triggerId}/fire`, "POST");
        const answers = await Promise.all(holding.map(fire));
        await until("what was buffered to end", () => isStill(this.house), ENDS_WITHIN_MS);
        await sleep(1000);
        return new Set(answers.flatMap(({ decisions }) => decisions.map(({ firingId }) => firingId)));
    }
}

/**
 * Lives a life.
 * @param {object} plan
 * @param {4 | 5} plan.version of Node-RED
 * @param {number} plan.triggers
 * @param {number} plan.seconds of load; every round of upheavals is lived to its end
 * @param {number} plan.pauseMs between two of them
 * @param {number} plan.seed
 * @param {(line: string) => void} [plan.tell] told each of them
 * @returns {Promise<object>} the record, what was counted, and `faults`: sentences
 */
export async function soak(plan) {
    const flows = flowsOf(plan.triggers);
    const world = await openWorld(chance(plan.seed));
    const env = { ...INSPECTABLE, ...world.env };
    let lived;
    try {
        await inHouse({ version: plan.version, flows: still(flows), env, fill: fillWith(plan.seed) }, async (house) => {
            lived = await new Life(house, plan, flows).live();
        });
    } finally {
        world.close();
    }
    return { ...lived, faults: [...faultsOf(lived), ...growths(lived)] };
}
