/** Which triggers the list shows, in which order: pure, so that it can be tried without a page. */

/**
 * @param {{id: string, label: string, flow: string, bridge: string}[]} triggers `label` is what people know them by
 * @param {{text: string, flow: string}} filter `flow` is "" for all flows
 */
export function chosen(triggers, { text, flow }) {
    const words = text.trim().toLocaleLowerCase();
    return triggers
        .filter((trigger) => flow === "" || trigger.flow === flow)
        .filter(({ label }) => label.toLocaleLowerCase().includes(words))
        .sort((one, other) => one.label.localeCompare(other.label) || one.id.localeCompare(other.id));
}

/**
 * Triggers below their bridges, which are in the order of their workspaces; a bridge none of whose triggers is chosen
 * is left out. Triggers whose bridge is missing come last.
 * @template {{id: string, workspaceId: string, name: string}} Bridge
 * @param {Bridge[]} bridges
 * @param {{bridge: string}[]} triggers
 * @returns {{bridge?: Bridge, triggers: object[]}[]}
 */
export function grouped(bridges, triggers) {
    const inOrder = [...bridges].sort((one, other) => one.workspaceId.localeCompare(other.workspaceId) || one.name.localeCompare(other.name));
    const groups = inOrder.map((bridge) => ({ bridge, triggers: triggers.filter((trigger) => trigger.bridge === bridge.id) }));
    const known = new Set(bridges.map(({ id }) => id));
    const strays = triggers.filter((trigger) => !known.has(trigger.bridge));
    return [...groups, { triggers: strays }].filter((group) => group.triggers.length > 0);
}
