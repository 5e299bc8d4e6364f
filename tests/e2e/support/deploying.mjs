/** Flows that are at work when they are deployed again, and what the record says of their runs. */
import assert from "node:assert/strict";
import { inHouse, until, VERSIONS } from "./house.mjs";
import { debug, finish, tab, trigger, work } from "./nodes.mjs";

/** Seconds that a run takes: longer than what a test does meanwhile. */
export const LONG = 60;

/** A tab whose trigger ticks every two seconds and whose run is at work for long, in the node `NAME-work`. */
export const busy = (name, settings = {}) => [
    tab(`${name}-tab`),
    trigger(name, `${name}-tab`, {
        every: 2,
        maxRunMinutes: 5,
        endsOnSilence: false,
        wires: [[`${name}-work`], [`${name}-else`]],
        ...settings,
    }),
    work(`${name}-work`, `${name}-tab`, LONG, [`${name}-finish`]),
    finish(`${name}-finish`, `${name}-tab`),
    debug(`${name}-else`, `${name}-tab`),
];

export const without = (flows, ...ids) => flows.filter(({ id }) => !ids.includes(id));
export const changed = (flows, id, change) => flows.map((node) => (node.id === id ? { ...node, ...change } : node));

const latest = async (house, node) => (await house.executions(node)).findLast(({ startedAt }) => startedAt);

/** Waits for a run of a node that is under way. */
export const running = (house, node) =>
    until(`a run of ${node}`, async () => {
        const found = await latest(house, node);
        return found?.state === "running" && found;
    });

export const state = async (house, { executionId }) => (await house.ask(`/v1/executions/${executionId}`)).state;

export const isDetached = async (house, node) => (await house.trigger(node)).detached;

export const untilInterrupted = (house, run) =>
    until("the run to be interrupted", async () => (await state(house, run)) === "interrupted");

export const untilDetached = (house, node) => until(`${node} to be detached`, () => isDetached(house, node));

export const untilBack = (house, node) => until(`${node} to be back`, async () => !(await isDetached(house, node)));

/** Nothing of these triggers starts for longer than two of their ticks. */
export async function assertNothingStarts(house, ...nodes) {
    const starts = async () => {
        const all = await Promise.all(nodes.map((node) => house.executions(node)));
        return all.flat().filter(({ startedAt }) => startedAt).length;
    };
    const before = await starts();
    await new Promise((resolve) => setTimeout(resolve, 5000));
    assert.equal(await starts(), before);
}

/** Lives through one part after the other in a house of each version. */
export function liveOnBoth(t, wanted, parts) {
    const onVersion = (version) =>
        t.test(`on Node-RED ${version}`, () =>
            inHouse({ version, ...wanted }, async (house) => {
                for (const part of parts) await part(house, version);
            }),
        );
    return Promise.all(VERSIONS.map(onVersion));
}
