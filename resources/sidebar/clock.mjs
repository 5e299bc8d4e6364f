/** The time of the Node-RED that is edited, which may be another than that of this computer. */
export class Clock {
    #ahead = 0;

    /** @param {number} now theirs, in milliseconds since the Unix epoch */
    set(now) {
        this.#ahead = now - Date.now();
    }

    get now() {
        return Date.now() + this.#ahead;
    }
}
