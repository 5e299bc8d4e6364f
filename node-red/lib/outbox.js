"use strict";

/**
 * What must reach the bridge: claims and ends. Each is kept until it is answered, and is sent again, in its order
 * and under its id, on every connection.
 */
class Outbox {
    #last = 0;
    /** @type {Map<number, {frame: {type: string, id: number}, answered: (reply: any) => void}>} */
    #waiting = new Map();

    /** @returns {number} an id that no other frame of this client has */
    nextId() {
        return ++this.#last;
    }

    /**
     * Keeps a frame.
     * @param {{type: string, [key: string]: unknown}} frame
     * @param {(reply: any) => void} [answered] told the reply, once
     * @returns {{type: string, id: number}} the frame with its id, to be sent
     */
    add(frame, answered = () => {}) {
        const id = this.nextId();
        const numbered = { ...frame, id };
        this.#waiting.set(id, { frame: numbered, answered });
        return numbered;
    }

    /**
     * Takes in a reply; one to a frame that is not waiting (answered before) is passed over.
     * @param {{re: number, [key: string]: unknown}} reply
     */
    settle(reply) {
        const entry = this.#waiting.get(reply.re);
        if (!entry) return;
        this.#waiting.delete(reply.re);
        entry.answered(reply);
    }

    /** @returns {{type: string, id: number}[]} what waits for an answer, in order */
    get frames() {
        return [...this.#waiting.values()].map(({ frame }) => frame);
    }
}

module.exports = { Outbox };
