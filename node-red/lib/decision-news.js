"use strict";

const { LatestSet } = require("./latest");

/**
 * @typedef {import("./firing-trail").Decision & {decidedAt: string}} Decision
 * @typedef {object} Question the fires of a trigger that are under way
 * @property {number} open how many
 * @property {Map<string, any>} messages that fired, by firing, as far as they were decided
 * @property {Decision[]} decisions what was heard or answered meanwhile
 */

/**
 * Tells decisions once each, with the message whose firing was decided, so that whoever sent it can be answered. The
 * stream may tell a decision before the fire is answered that it is about; it then waits for the answer, which may in
 * turn be the only one to tell it.
 */
class DecisionNews {
    #told = new LatestSet();
    /** @type {Map<string, Question>} by trigger id */
    #questions = new Map();
    #tell;

    /** @param {(decision: Decision, message: any) => void} tell */
    constructor(tell) {
        this.#tell = tell;
    }

    /** @param {string} triggerId that is about to be fired */
    ask(triggerId) {
        const question = this.#questions.get(triggerId) ?? { open: 0, messages: new Map(), decisions: [] };
        question.open += 1;
        this.#questions.set(triggerId, question);
    }

    /**
     * A fire was answered, or will not be.
     * @param {string} triggerId
     * @param {Decision[]} decisions none where nobody knows
     * @param {any} message that fired, or undefined
     */
    answered(triggerId, decisions, message) {
        const question = /** @type {Question} */ (this.#questions.get(triggerId));
        for (const decision of decisions) question.messages.set(decision.firingId, message);
        question.decisions.push(...decisions);
        question.open -= 1;
        if (question.open > 0) return;
        this.#questions.delete(triggerId);
        for (const decision of question.decisions) this.#tellOnce(decision, question.messages.get(decision.firingId));
    }

    /**
     * The stream tells a decision.
     * @param {Decision} decision
     * @param {any} message that fired, where it is known and waits for a run still
     */
    heard(decision, message) {
        const question = this.#questions.get(decision.triggerId);
        if (!question) {
            this.#tellOnce(decision, message);
            return;
        }
        if (message) question.messages.set(decision.firingId, message);
        question.decisions.push(decision);
    }

    /**
     * @param {Decision} decision
     * @param {any} message
     */
    #tellOnce(decision, message) {
        const { firingId, decision: verdict, decidedAt } = decision;
        if (this.#told.add(`${firingId} ${verdict} ${decidedAt}`)) this.#tell(decision, message);
    }
}

module.exports = { DecisionNews };
