"use strict";

/** The commands of `msg.schedule.do`. */
const COMMANDS = Object.freeze(["pause", "resume", "runNow", "cancel", "terminate"]);

/**
 * What a message asks of a trigger.
 * @typedef {{source: "input", payload?: unknown, lockKey?: string, priority?: number}} MessageFiring
 * @typedef {"pause" | "resume" | "runNow" | "cancel" | "terminate"} Command
 * @typedef {{command: Command, executionId?: string}} Commanding `executionId` is for cancel and terminate alone
 * @typedef {Commanding | {unknownCommand: unknown} | {firing: MessageFiring}} Input
 */

/**
 * Reads a message into a trigger: a command where `msg.schedule` is there, else a firing.
 * @param {any} message
 * @param {unknown} configuredKey the lock key that the node's own setting finds in the message
 * @returns {Input}
 */
function readInput(message, configuredKey) {
    if (message.schedule !== undefined) return readCommand(message.schedule);
    const lockKey = message.lockKey ?? configuredKey;
    const priority = message.priority === undefined ? undefined : Number(message.priority);
    const key = lockKey === undefined || lockKey === null ? undefined : String(lockKey);
    return { firing: { source: "input", payload: message.payload, lockKey: key, priority } };
}

/**
 * @param {any} schedule
 * @returns {Input}
 */
function readCommand(schedule) {
    const { do: command, executionId } = schedule ?? {};
    if (!COMMANDS.includes(command)) return { unknownCommand: command };
    return executionId === undefined || executionId === null ? { command } : { command, executionId: String(executionId) };
}

module.exports = { COMMANDS, readInput };
