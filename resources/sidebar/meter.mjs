/** How much of a workspace's capacity is in use, a box a run; a run that is starting fills half of its box. */
import { make } from "./dom.mjs";

/** More boxes than these are one bar. */
const MOST_BOXES = 12;

/** @param {{running: number, starting: number, maxConcurrentExecutions: number}} workspace with a limit */
export function meter({ running, starting, maxConcurrentExecutions: limit }) {
    if (limit > MOST_BOXES) return bar((running + starting) / limit);
    const boxes = Array.from({ length: limit }, (_, index) => {
        const look = index < running ? "full" : index < running + starting ? "starting" : "free";
        return make("span", { class: `schedules-box schedules-${look}` });
    });
    return make("span", { class: "schedules-meter", "aria-hidden": "true" }, ...boxes);
}

function bar(share) {
    const filled = make("span", { style: `width: ${Math.min(100, share * 100)}%` });
    return make("span", { class: "schedules-meter schedules-long", "aria-hidden": "true" }, filled);
}
