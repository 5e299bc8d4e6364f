/** What is known of a trigger's past: its latest page, as it is told anew, and the older ones that were asked for. */
import { united } from "./story.mjs";

export class Past {
    decisions = [];
    executions = [];
    /** Where the next older page begins; null where there is none. */
    cursors = { decisions: null, executions: null };
    #hasOlder = false;

    /**
     * The latest page, which takes the place of what it was before.
     * @param {{decisions: object[], executions: object[], older: object[], cursors: object}} answer `older` are active
     *   executions from before the page
     */
    latest({ decisions, executions, older, cursors }) {
        // What has moved on to older pages meanwhile is kept, but for what was active: that may have ended.
        const kept = this.#hasOlder ? this : new Past();
        this.decisions = united([decisions, kept.decisions], "firingId");
        this.executions = united([executions, older, kept.executions.filter(({ endedAt }) => endedAt)], "executionId");
        if (!this.#hasOlder) this.cursors = cursors;
    }

    /** @param {{decisions: object[], executions: object[], cursors: object}} page that was asked for */
    older({ decisions, executions, cursors }) {
        this.#hasOlder = true;
        this.decisions = united([this.decisions, decisions], "firingId");
        this.executions = united([this.executions, executions], "executionId");
        this.cursors = cursors;
    }
}
