/** Flow files in few words. */

// Without a place on the canvas Node-RED takes a node for a configuration node.
const PLACE = { x: 100, y: 100 };
const DEFAULTS = { ...PLACE, scheduleKind: "interval", everyUnit: "seconds", wires: [[], []] };

export const tab = (id) => ({ id, type: "tab", label: id });

export const trigger = (id, z, settings) => ({ id, z, type: "schedule-trigger", name: id, ...DEFAULTS, ...settings });

export const debug = (id, z) => ({
    ...PLACE,
    id,
    z,
    type: "debug",
    active: true,
    tosidebar: true,
    complete: "true",
    targetType: "full",
    wires: [],
});

export const finish = (id, z, wires = []) => ({ ...PLACE, id, z, type: "schedule-finish", outcome: "auto", wires: [wires] });

export const work = (id, z, seconds, wires) => ({
    ...PLACE,
    id,
    z,
    type: "delay",
    pauseType: "delay",
    timeout: String(seconds),
    timeoutUnits: "seconds",
    wires: [wires],
});
