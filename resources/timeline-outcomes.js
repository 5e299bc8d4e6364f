/**
 * What can come of a firing and of a run, in the order of the legend, each with its hue: blue ran, amber waits, grey did
 * not run, red ended badly. The same words as in the bridge's own pictures.
 *
 * The files named timeline-* share `window.ScheduleTimeline`; in which order they are loaded is not known, so that each
 * looks for what the others bring only when it is called.
 */
(function () {
    const HUES = {
        started: "run",
        expected: "run",
        skipped: "none",
        dropped: "none",
        missed: "none",
        queued: "wait",
        merged: "wait",
        held: "wait",
        delayed: "wait",
        onHold: "wait",
        completed: "run",
        cancelled: "bad",
        terminated: "bad",
        expired: "bad",
        interrupted: "bad",
        failed: "bad",
    };

    /** How a run ended that something else cut off; its successor begins on another lane. */
    const CUTS = ["cancelled", "terminated", "expired"];

    Object.assign((window.ScheduleTimeline ??= {}), { HUES, CUTS });
})();
