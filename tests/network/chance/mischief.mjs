/** What a bad network does to what crosses it, and a bad day to the processes at its ends; all of it counted. */

const TO_A_CROSSING = { pass: 100, delay: 10, twice: 4, overtake: 2, lose: 1.5, cutBehind: 1.5 };
const TO_ALL = { cut: 3, tearFromClient: 2, tearFromBridge: 2, mute: 2, garble: 1, refuse: 2, killClient: 1, killBridge: 1 };
const LONGEST_DELAY_MS = 300;
const REFUSED_MS = 700;

const later = (milliseconds, act) => setTimeout(act, milliseconds);

const CROSSING = {
    pass: (crossing) => crossing.pass(),
    delay: (crossing, milliseconds) => later(milliseconds, () => crossing.pass()),
    twice: (crossing) => crossing.pass(2),
    overtake: (crossing, milliseconds) => {
        crossing.letOthersBy();
        later(milliseconds, () => crossing.pass());
    },
    lose: (crossing) => crossing.lose(),
    cutBehind: (crossing) => crossing.passAndCut(),
};

const WIRE = {
    cut: (wire) => wire.cut(),
    tearFromClient: (wire) => wire.tear("client"),
    tearFromBridge: (wire) => wire.tear("bridge"),
    mute: (wire) => wire.mute(),
    garble: (wire, from) => wire.garble(from),
};

export class Mischief {
    counts = {};
    #world;
    #traffic;
    #chance;

    constructor(world, traffic, chance) {
        this.#world = world;
        this.#traffic = traffic;
        this.#chance = chance;
    }

    start() {
        this.#world.proxy.onCrossing = (crossing) => this.#meddle(crossing);
    }

    /** The network is well again. */
    stop() {
        this.#world.proxy.onCrossing = (crossing) => crossing.pass();
        this.#world.proxy.refusal = undefined;
        for (const wire of this.#world.proxy.wires) wire.cut(); // one that is mute would be noticed late
    }

    /** Does something bad to a connection or a process. */
    async strike() {
        const what = this.#chance.weighted(TO_ALL);
        const wire = this.#chance.of(this.#world.proxy.wires);
        if (what in WIRE && !wire) return;
        this.#count(what);
        if (what in WIRE) WIRE[what](wire, this.#chance.of(["client", "bridge"]));
        else await this.#byName[what]();
    }

    #byName = {
        refuse: () => {
            this.#world.proxy.refusal = 502;
            this.#world.proxy.cut();
            later(REFUSED_MS, () => (this.#world.proxy.refusal = undefined));
        },
        killClient: () => this.#traffic.killClient(),
        killBridge: async () => {
            await this.#world.bridge.kill("SIGKILL");
            await this.#world.startBridge();
        },
    };

    #meddle(crossing) {
        const what = this.#chance.weighted(TO_A_CROSSING);
        if (what !== "pass") this.#count(what);
        CROSSING[what](crossing, this.#chance.below(LONGEST_DELAY_MS));
    }

    #count(what) {
        this.counts[what] = (this.counts[what] ?? 0) + 1;
    }
}
