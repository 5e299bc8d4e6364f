"use strict";

/**
 * Sets a workspace's limit of runs; where the bridge is away it is set at the next connection.
 * @param {InstanceType<typeof import("./bridge-calls").BridgeCalls>} calls
 * @param {{workspaceId: string, maxConcurrentExecutions?: number}} wanted without a number: the workspace is left alone
 * @param {(sentence: string) => void} onRefused the bridge does not accept it
 */
async function setLimit(calls, { workspaceId, maxConcurrentExecutions }, onRefused) {
    if (maxConcurrentExecutions === undefined) return;
    try {
        await calls.setLimit(workspaceId, maxConcurrentExecutions);
    } catch (error) {
        const { problem, message } = /** @type {InstanceType<typeof import("./bridge-error").BridgeError>} */ (error);
        if (problem === "refused") onRefused(message);
    }
}

module.exports = { setLimit };
