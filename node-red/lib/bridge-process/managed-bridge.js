"use strict";

const { EventEmitter } = require("node:events");
const fs = require("node:fs");
const { backOff } = require("../back-off");
const { after } = require("../timers");
const { startBridge } = require("./bridge-process");
const { leaveCommandLine } = require("./command-line");
const { STEP, ensureInstalled } = require("./installation");
const { placesIn } = require("./places");
const { Trouble, troubleOf } = require("./trouble");

/** Milliseconds. A bridge that ran for `steady` and then ended is started as if for the first time. */
const TIMING = Object.freeze({
    setUp: { first: 15_000, most: 300_000 },
    start: { first: 500, most: 60_000 },
    steady: 60_000,
});

/**
 * @typedef {import("./installation").Surroundings} Surroundings
 * @typedef {{key: "installing" | import("./trouble").TroubleKey, values: Record<string, string | number>}} InTheWay
 * @typedef {(line: import("./bridge-process").Line) => void} Log
 * @typedef {{setUp: {first: number, most: number}, start: {first: number, most: number}, steady: number}} Timing
 */

/**
 * The bridge that a Node-RED runs for itself: set up on first use, started, started again when it ends.
 * It emits `change` when `url` or `inTheWay` changes, and `trouble` with what is in the way when that is worth a word
 * in the log.
 */
class ManagedBridge extends EventEmitter {
    #places;
    #surroundings;
    #log;
    #timing;
    /** @type {ReturnType<typeof startBridge> | undefined} */
    #process;
    /** @type {NodeJS.Timeout | undefined} */
    #timer;
    #isUnderWay = false;
    /** @type {AbortController | undefined} of the set-up that is under way */
    #setUp;
    #isCancelled = false;
    #hasBegun = false;
    #isStopped = false;
    #attempts = 0;
    #startedAt = 0;
    /** The last complaint of a bridge that is starting. */
    #complaint = "";
    #told = "";
    /** @type {string | undefined} where it can be reached */
    url;
    /** @type {InTheWay | undefined} why it cannot */
    inTheWay;

    /**
     * @param {string} userDir Node-RED's
     * @param {Surroundings} surroundings
     * @param {Log} log
     * @param {Partial<Timing>} [timing]
     */
    constructor(userDir, surroundings, log, timing = {}) {
        super();
        this.#places = placesIn(userDir, surroundings.platform);
        this.#surroundings = surroundings;
        this.#log = log;
        this.#timing = { ...TIMING, ...timing };
    }

    /** Its process, while there is one. */
    get pid() {
        return this.#process?.pid;
    }

    /** The base URLs at which it can be reached: one, or none. */
    get urls() {
        return this.url ? [this.url] : [];
    }

    /** @returns {string} "" before its first start */
    token() {
        try {
            return fs.readFileSync(this.#places.tokenFile, "utf8").trim();
        } catch {
            return "";
        }
    }

    /**
     * Begins to set it up and to start it, unless that is under way or done; also after the set-up was cancelled.
     * Never throws; see `inTheWay`.
     */
    start() {
        this.#isCancelled = false;
        this.#hasBegun = true;
        if (this.#isUnderWay || this.#isStopped) return;
        this.#isUnderWay = true;
        clearTimeout(this.#timer);
        this.#setUpAndStart().catch((error) => this.#failed(error));
    }

    /** As `start`, for what asks again and again: a set-up that a person cancelled stays so. */
    startUnlessCancelled() {
        if (!this.#isCancelled) this.start();
    }

    /** Whether it was ever told to start. */
    get hasBegun() {
        return this.#hasBegun;
    }

    /**
     * How far the set-up has come that is under way, if it can be cancelled still.
     * @returns {InTheWay["values"] | undefined}
     */
    get progress() {
        return this.#setUp && this.inTheWay?.key === "installing" ? this.inTheWay.values : undefined;
    }

    /**
     * Cancels the set-up that is under way; the next `start` begins it anew.
     * @returns {boolean} false where there is none
     */
    cancelSetUp() {
        if (!this.progress) return false;
        this.#isCancelled = true;
        this.#setUp?.abort();
        return true;
    }

    /** Ends it for good, in an orderly way. */
    stop() {
        this.#isStopped = true;
        clearTimeout(this.#timer);
        this.#process?.stop();
    }

    /**
     * Waits until it runs, or until it is known that it will not run at once.
     * @param {number} limit milliseconds
     * @returns {Promise<void>}
     */
    settled(limit) {
        if (this.url || this.inTheWay) return Promise.resolve();
        return new Promise((resolve) => {
            const settle = () => {
                clearTimeout(timer);
                this.off("change", settle);
                resolve();
            };
            const timer = after(limit, settle);
            this.on("change", settle);
        });
    }

    async #setUpAndStart() {
        await this.#install();
        if (this.#isStopped) return;
        leaveCommandLine(this.#places, this.#surroundings);
        this.#complaint = "";
        this.#startedAt = Date.now();
        this.#process = startBridge(this.#places, this.#surroundings, {
            onListening: (url) => this.#listens(url),
            onLine: (line) => this.#hear(line),
            onEnd: () => this.#ended(),
        });
    }

    async #install() {
        const steps = Object.keys(STEP).length;
        const setUp = new AbortController();
        this.#setUp = setUp;
        const onStep = (/** @type {number} */ step) => {
            // What is installed is started at once: there is nothing to cancel any more.
            if (step === STEP.START) this.#setUp = undefined;
            this.#become({ key: "installing", values: { step, steps } });
        };
        await ensureInstalled(this.#places, this.#surroundings, onStep, setUp.signal);
    }

    /** @param {string} url */
    #listens(url) {
        this.#told = "";
        this.#become(undefined, url);
    }

    /** @param {import("./bridge-process").Line} line */
    #hear(line) {
        if (line.level !== "info" && line.level !== "debug") this.#complaint = line.message;
        this.#log(line);
    }

    #ended() {
        this.#process = undefined;
        if (Date.now() - this.#startedAt > this.#timing.steady) this.#attempts = 0;
        if (this.url) this.#become(undefined);
        else this.#inTrouble(new Trouble("startFailed", { message: this.#complaint }));
        this.#again(this.#timing.start);
    }

    /** @param {Error} error */
    #failed(error) {
        this.#inTrouble(troubleOf(error, this.#places.home));
        this.#again(this.#timing.setUp);
    }

    /** @param {InstanceType<typeof Trouble>} trouble */
    #inTrouble({ key, values }) {
        this.#become({ key, values });
        if (key !== this.#told) this.emit("trouble", { key, values });
        this.#told = key;
    }

    /** @param {{first: number, most: number}} bounds */
    #again(bounds) {
        this.#isUnderWay = false;
        if (this.#isStopped || this.#isCancelled) return;
        this.#attempts += 1;
        this.#timer = after(backOff(this.#attempts, bounds), () => this.start()).unref();
    }

    /**
     * @param {InTheWay | undefined} inTheWay
     * @param {string} [url]
     */
    #become(inTheWay, url) {
        this.inTheWay = inTheWay;
        this.url = url;
        this.emit("change");
    }
}

module.exports = { ManagedBridge };
