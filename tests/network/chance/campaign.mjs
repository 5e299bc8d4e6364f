/** Traffic and mischief for a while, then quiet, then the verdict. */
import { setTimeout as pause } from "node:timers/promises";
import { World } from "../support/world.mjs";
import { Chance } from "./chance.mjs";
import { judge } from "./judge.mjs";
import { Mischief } from "./mischief.mjs";
import { Traffic } from "./traffic.mjs";

const LONGEST_PAUSE_MS = 250;
const LONGEST_PEACE_MS = 1_500;

/**
 * @param {{seed: number, seconds: number}} wanted
 * @returns {Promise<{wrong: Record<string, string[]>, figures: Record<string, number>}>}
 */
export async function campaign({ seed, seconds }) {
    const world = await World.open({ limits: { ping_every: 1 } });
    try {
        return await under(world, new Chance(seed), seconds);
    } finally {
        await world.close();
    }
}

async function under(world, chance, seconds) {
    const traffic = new Traffic(world, chance);
    const mischief = new Mischief(world, traffic, chance);
    await traffic.start();
    mischief.start();
    const end = Date.now() + seconds * 1000;
    await Promise.all([
        repeatedly(end, chance, LONGEST_PAUSE_MS, () => traffic.act()),
        repeatedly(end, chance, LONGEST_PEACE_MS, () => mischief.strike()),
    ]);
    mischief.stop();
    await traffic.rest();
    const { wrong, executions, decisions } = await judge(world, traffic);
    return { wrong, figures: figuresOf(seconds, traffic, mischief, { wrong, executions, decisions }) };
}

async function repeatedly(end, chance, longestPause, act) {
    while (Date.now() < end) {
        await pause(chance.below(longestPause));
        await act();
    }
}

function figuresOf(seconds, traffic, mischief, { wrong, executions, decisions }) {
    const faults = Object.entries(mischief.counts).sort(([a], [b]) => a.localeCompare(b));
    return {
        seconds,
        faults: faults.reduce((sum, [, count]) => sum + count, 0),
        ...Object.fromEntries(faults.map(([kind, count]) => [`faults: ${WORDS[kind]}`, count])),
        "firings asked for": traffic.asked,
        decisions,
        executions,
        "starts that came out": traffic.starts.length,
        ...Object.fromEntries(Object.entries(wrong).map(([kind, cases]) => [kind, cases.length])),
    };
}

/** What was done, in words for people. */
const WORDS = {
    delay: "delayed",
    twice: "delivered twice",
    overtake: "overtaken",
    lose: "lost, and the connection cut",
    cutBehind: "connection cut behind a message",
    cut: "connection cut",
    tearFromClient: "reset in the middle of a frame of the client",
    tearFromBridge: "reset in the middle of a frame of the bridge",
    mute: "bytes go nowhere",
    garble: "bytes that are no frame",
    refuse: "502 to everything",
    killClient: "client restarted",
    killBridge: "bridge killed",
};
