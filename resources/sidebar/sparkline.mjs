/** The last runs of a trigger at a glance: a bar each, as high as it took long; a bad end is red and has a cap. */
import { make } from "./dom.mjs";
import { runTime, runTimes } from "./words.mjs";

const NAMESPACE = "http://www.w3.org/2000/svg";
const PLACES = 10;
const BAR = 4;
const STEP = 5.6;
const HEIGHT = 18;
const LEAST = 3;

function draw(parent, tag, attributes) {
    const element = document.createElementNS(NAMESPACE, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    parent.append(element);
    return element;
}

/** One run: its bar, and the cap of a bad end. */
function drawRun(svg, run, place, longest) {
    const isBad = run.outcome !== "completed";
    const room = HEIGHT - 3;
    const height = Math.max(LEAST, longest > 0 ? (runTime(run) / longest) * room : LEAST);
    const x = place * STEP;
    draw(svg, "rect", { class: isBad ? "schedules-bad" : "schedules-good", x, y: HEIGHT - height, width: BAR, height });
    if (isBad) draw(svg, "rect", { class: "schedules-bad", x: x - 0.6, y: HEIGHT - height - 2.6, width: BAR + 1.2, height: 1.4 });
}

/**
 * @param {object[]} runs newest first
 * @param {(key: string, values?: object) => string} say
 * @returns {HTMLElement}
 */
export function sparkline(runs, say) {
    const words = runs.length > 0 ? runTimes(runs, say) : say("noRuns");
    const svg = document.createElementNS(NAMESPACE, "svg");
    svg.setAttribute("width", PLACES * STEP);
    svg.setAttribute("height", HEIGHT);
    const longest = Math.max(...runs.map(runTime), 0);
    const shown = [...runs].reverse();
    for (let place = 0; place < PLACES - shown.length; place += 1) {
        draw(svg, "rect", { class: "schedules-none", x: place * STEP, y: HEIGHT - 1.5, width: BAR, height: 1.5 });
    }
    shown.forEach((run, index) => drawRun(svg, run, PLACES - shown.length + index, longest));
    return make("span", { class: "schedules-sparkline", role: "img", title: words, "aria-label": words }, svg);
}
