"use strict";

/** How long nothing must be in flight: Catch and Complete nodes get their messages after a node has done. */
const SETTLE_MS = 100;

/**
 * @typedef {InstanceType<typeof import("./tracked-run").TrackedRun>} TrackedRun
 */

/** Judges whether a run that fell silent stays so. There is one timer a run at most, however often it falls silent. */
class Silence {
    #later;
    #onSilence;

    /**
     * @param {(act: () => void, milliseconds: number) => void} later acts once that time has passed
     * @param {(run: TrackedRun) => void} onSilence
     */
    constructor(later, onSilence) {
        this.#later = later;
        this.#onSilence = onSilence;
    }

    /** @param {TrackedRun} run that has nothing in flight any more */
    suspect(run) {
        run.silences += 1;
        run.silentSince = Date.now();
        if (!run.isSuspected) this.#time(run);
    }

    /** @param {TrackedRun} run */
    #time(run) {
        const { silences } = run;
        run.isSuspected = true;
        this.#later(() => this.#judge(run, silences), SETTLE_MS);
    }

    /**
     * @param {TrackedRun} run
     * @param {number} silences how often it had fallen silent when the time began
     */
    #judge(run, silences) {
        run.isSuspected = false;
        if (!run.isActive || !run.isSilent) return;
        if (run.silences === silences) this.#onSilence(run);
        else this.#time(run);
    }
}

module.exports = { Silence, SETTLE_MS };
