"use strict";

const { BridgeError } = require("../bridge-error");
const { localTime } = require("../clock-words");
const { readNumber } = require("../numbers");
const { ownTimezone } = require("../own-timezone");
const { Reader, schedule, overlap, passage } = require("../trigger-config");
const { withDefaults } = require("../trigger-defaults");
const { bridgeForEditor } = require("./bridge-for-editor");
const { triggerNode } = require("./trigger-node-of");

/** What a picture shows, and one more: where it ends. */
const TICKS = 51;
/** So much longer than what lies between two ticks is a run where nothing is known of it: long enough to overlap. */
const USUAL_OVERLAP = 1.4;
const TRIGGER = "t";

/** @typedef {{at: string, local: string, clockChange: boolean}} Tick */

/**
 * The next ticks of a trigger that is being edited, and what it would do at them, as the bridge computes both.
 * @param {any} RED
 * @param {{body: any}} request the properties of the node, and `runSeconds`: how long a run takes, if that is known
 */
async function preview(RED, { body }) {
    const properties = withDefaults(body);
    const reader = new Reader();
    /** @type {any} */
    const wanted = schedule(properties, reader, ownTimezone());
    if (reader.complaints.length > 0) throw unsound(RED, reader.complaints[0]);
    if (wanted.kind === "interval") wanted.anchor = triggerNode(RED, body.id)?.trigger.gridOf(wanted.every);
    const ask = await bridgeForEditor(RED, body.bridge);
    const now = Date.now();
    const from = new Date(now).toISOString();
    const answer = await ask("POST", "/v1/schedules/preview", { schedule: wanted, count: TICKS, from });
    const shown = inZone(answer, wanted.kind === "cron" ? undefined : ownTimezone());
    return { ...shown, picture: await picture(RED, ask, { properties, wanted, now, ticks: answer.ticks }) };
}

/**
 * Readies an answer for the editor: a schedule without a zone is shown in Node-RED's own.
 * @param {{timezone: string, ticks: Tick[]}} answer
 * @param {string | undefined} ownZone undefined where the schedule has a zone, in which the bridge has said the times
 */
function inZone(answer, ownZone) {
    const timezone = ownZone ?? answer.timezone;
    const today = localTime(Date.now(), timezone).slice(0, "2026-01-01".length);
    if (!ownZone) return { ...answer, today };
    const ticks = answer.ticks.map((tick) => ({ ...tick, local: localTime(Date.parse(tick.at), timezone) }));
    return { ...answer, timezone, ticks, today };
}

/**
 * @param {any} RED
 * @param {import("../trigger-config").Complaint} complaint
 */
function unsound(RED, { key, values }) {
    return new BridgeError(RED._(`schedule-trigger.mistake.${key}`, values), { status: 422 });
}

/**
 * What the trigger would do: the simulator's events, times in seconds after `start`; or why that cannot be said. Without
 * either some setting is bad, or there are no ticks.
 * @param {any} RED
 * @param {import("./bridge-for-editor").Asking} ask
 * @param {{properties: any, wanted: object, now: number, ticks: Tick[]}} what
 */
async function picture(RED, ask, { properties, wanted, now, ticks }) {
    const reader = new Reader();
    // Any key stands for the one that the environment holds.
    const gates = passage(properties, reader, { evaluate: () => "key" });
    const trigger = { triggerId: TRIGGER, schedule: wanted, ...overlap(properties, reader), ...gates };
    const runSeconds = readNumber(properties.runSeconds) || usualRun(ticks);
    if (reader.complaints.length > 0 || ticks.length === 0) return { start: now, runSeconds };
    const end = endOf(ticks, runSeconds);
    const scenario = {
        start: new Date(now).toISOString(),
        // The tick at which it ends is none of the picture.
        until: (end - 1 - now) / 1000,
        triggers: [trigger],
        runs: { [TRIGGER]: { durationSeconds: runSeconds } },
    };
    try {
        return { start: now, runSeconds, end, events: await ask("POST", "/v1/simulate", scenario) };
    } catch (error) {
        if (error instanceof BridgeError && error.status) return { start: now, runSeconds, message: error.message };
        throw error;
    }
}

/**
 * @param {Tick[]} ticks
 * @returns {number} seconds; a minute where there is but one tick
 */
function usualRun(ticks) {
    const gaps = ticks.slice(1).map(({ at }, index) => Date.parse(at) - Date.parse(ticks[index].at));
    const middle = gaps.sort((one, other) => one - other)[Math.floor(gaps.length / 2)];
    return middle === undefined ? 60 : (middle * USUAL_OVERLAP) / 1000;
}

/**
 * @param {Tick[]} ticks
 * @param {number} runSeconds
 * @returns {number} milliseconds; the last tick is where the picture ends, unless the schedule ends there itself
 */
function endOf(ticks, runSeconds) {
    const [first, last] = [Date.parse(ticks[0].at), Date.parse(ticks[ticks.length - 1].at)];
    if (ticks.length === TICKS) return last;
    return last + Math.max((last - first) / Math.max(ticks.length - 1, 1), runSeconds * 2000);
}

module.exports = { preview };
