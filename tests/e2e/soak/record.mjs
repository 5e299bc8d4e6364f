/** Gathers what a bridge has recorded, while it happens and at the end. */

/** All pages of a list, oldest first. */
async function all(house, name) {
    const found = [];
    let cursor = "";
    do {
        const page = await house.ask(`/v1/${name}?limit=1000${cursor}`);
        found.push(...page[name]);
        cursor = page.nextCursor && `&cursor=${page.nextCursor}`;
    } while (cursor);
    return found.reverse();
}

/** The missed stretches of all triggers. A trigger shows its latest ones only, so they are looked at now and then. */
export class Stretches {
    /** By trigger id, then by the first tick missed. */
    byTrigger = new Map();

    async look(house) {
        const { triggers } = await house.ask("/v1/triggers?limit=1000");
        for (const { triggerId, missed } of triggers) {
            const known = this.byTrigger.get(triggerId) ?? new Map();
            for (const stretch of missed) known.set(stretch.from, stretch);
            this.byTrigger.set(triggerId, known);
        }
        return triggers;
    }
}

/** The record of a house in which nothing goes on any more. */
export async function recordOf(house, stretches) {
    const triggers = await stretches.look(house);
    const [executions, decisions] = await Promise.all([all(house, "executions"), all(house, "decisions")]);
    return { triggers, executions, decisions, stretches: stretches.byTrigger };
}

/** Whether anything is active. */
export async function isStill(house) {
    const { triggers } = await house.ask("/v1/triggers?limit=1000");
    return triggers.every(({ active, delayed }) => active.length === 0 && delayed.length === 0);
}
