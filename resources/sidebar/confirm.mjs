/** Asks once before a run is terminated, where the run is listed. */
import { button, make } from "./dom.mjs";
import { short } from "./words.mjs";

/**
 * @param {HTMLElement} line of the run
 * @param {string} executionId
 * @param {(key: string, values?: object) => string} say
 * @param {() => void} act
 */
export function confirmTermination(line, executionId, say, act) {
    if (line.querySelector(".schedules-confirm")) return;
    const back = document.activeElement;
    const close = () => {
        box.remove();
        back?.focus();
    };
    const yes = () => {
        close();
        act();
    };
    const buttons = make(
        "div",
        { class: "schedules-verbs" },
        button({ text: say("confirm.no"), act: close }),
        button({ text: say("verb.terminate"), class: "schedules-grave", act: yes }),
    );
    const escape = (event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        close();
    };
    const sentence = make("div", { id: `schedules-confirm-${executionId}` }, say("confirm.terminate", { run: short(executionId) }));
    const box = make("div", { class: "schedules-confirm", role: "alertdialog", "aria-labelledby": sentence.id, on: { keydown: escape } }, sentence, buttons);
    line.append(box);
    buttons.querySelector("button").focus();
}
