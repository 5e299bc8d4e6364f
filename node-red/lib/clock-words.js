"use strict";

const DAY = 24 * 60 * 60 * 1000;

/**
 * An instant as briefly as it can be said: the time today, the weekday within a week, else the date.
 * @param {string} instant RFC 3339
 * @param {{now: number, timeZone: string, locale?: string}} place
 * @returns {string} such as "14:20", "14:20:05", "Fri 14:20", "3 Mar"
 */
function briefTime(instant, { now, timeZone, locale = "en-GB" }) {
    const date = new Date(instant);
    /** @param {Intl.DateTimeFormatOptions} options */
    const say = (options) => new Intl.DateTimeFormat(locale, { timeZone, ...options });
    const day = say({ year: "numeric", month: "numeric", day: "numeric" });
    const second = date.getUTCSeconds() === 0 ? undefined : "2-digit";
    const time = say({ hour: "2-digit", minute: "2-digit", second, hourCycle: "h23" }).format(date);
    if (day.format(date) === day.format(now)) return time;
    if (Math.abs(date.getTime() - now) >= 6 * DAY) return say({ day: "numeric", month: "short" }).format(date);
    return `${say({ weekday: "short" }).format(date)} ${time}`;
}

/**
 * An instant more briefly still: the minute today, the weekday within a week, else the date.
 * @param {string} instant RFC 3339
 * @param {{now: number, timeZone: string, locale?: string}} place
 * @returns {string} such as "14:20", "Fri", "3 Mar"
 */
function briefestTime(instant, place) {
    const [first, ...more] = briefTime(instant, place).split(" ");
    if (first.includes(":")) return first.slice(0, "14:20".length);
    return more[0]?.includes(":") ? first : [first, ...more].join(" ");
}

/**
 * @param {number} instant milliseconds since the epoch
 * @param {string} timeZone
 * @returns {string} the wall-clock time there, such as "2026-01-01T14:20:00"
 */
function localTime(instant, timeZone) {
    // Swedish dates are written the ISO way.
    return new Date(instant).toLocaleString("sv-SE", { timeZone }).replace(" ", "T");
}

module.exports = { briefTime, briefestTime, localTime };
