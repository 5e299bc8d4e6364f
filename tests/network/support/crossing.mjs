/** Something on its way from one side to the other: it goes on once it was passed, lost or let others by. */
export class Crossing {
    /**
     * @param {"client" | "bridge"} from
     * @param {string} kind
     * @param {any} content a frame, or a call's body
     * @param {{deliver(times: number): void, cut(): void}} carrier
     */
    constructor(from, kind, content, carrier) {
        Object.assign(this, { from, kind, content });
        this.carrier = carrier;
        this.settled = new Promise((resolve) => (this.settle = resolve));
    }

    /** @param {number} [times] more than once: a duplicate */
    pass(times = 1) {
        this.carrier.deliver(times);
        this.settle();
    }

    /** Never arrives; its connection is cut, as a network that loses something cuts it in the end. */
    lose() {
        this.carrier.cut();
        this.settle();
    }

    /** Arrives, and nothing after it: the connection is cut behind it. */
    passAndCut() {
        this.pass();
        this.carrier.cut();
    }

    /** Lets what follows overtake it; it can be passed later. */
    letOthersBy() {
        this.settle();
    }
}
