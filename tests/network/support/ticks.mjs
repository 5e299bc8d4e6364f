/** Every tick of the past has one firing, or lies in one missed stretch. */

/**
 * Which ticks are lost or doubled, in words.
 * @param {import("./world.mjs").World} world
 * @param {string} triggerId an interval trigger each of whose ticks makes an execution
 * @param {number} every seconds
 */
export async function unaccounted(world, triggerId, every) {
    const step = every * 1000;
    const executions = await world.all("executions", triggerId);
    const fired = executions.filter(({ source }) => source === "schedule").map(({ scheduledAt }) => Date.parse(scheduledAt));
    const { missed } = await world.ask(`/v1/triggers/${triggerId}`);
    const passedOver = missed.flatMap(({ from, count }) => Array.from({ length: count }, (_, k) => Date.parse(from) + k * step));
    const ticks = [...fired, ...passedOver].sort((a, b) => a - b);
    const early = executions.filter(({ createdAt, scheduledAt }) => createdAt < scheduledAt);
    return [
        ...ticks.flatMap((at, k) => (k === 0 || at === ticks[k - 1] + step ? [] : [`${triggerId}: after ${ticks[k - 1]} comes ${at}`])),
        ...early.map(({ executionId }) => `${executionId} came before its tick`),
    ];
}
