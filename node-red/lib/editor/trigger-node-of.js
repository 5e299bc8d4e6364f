"use strict";

/**
 * @param {any} RED
 * @param {string} id
 * @returns {any} the node of a deployed trigger; undefined for what is none
 */
function triggerNode(RED, id) {
    const node = RED.nodes.getNode(id);
    return node?.type === "schedule-trigger" ? node : undefined;
}

module.exports = { triggerNode };
