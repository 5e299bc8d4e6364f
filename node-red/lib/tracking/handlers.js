"use strict";

/** Node-RED tells handlers that say when they have done by their number of parameters. */
const ACKNOWLEDGING = 3;

/**
 * A Node-RED node, as far as its handlers go.
 * @typedef {{_inputCallback?: Function | null, _inputCallbacks?: Function[] | null}} Handling
 */

/**
 * @param {Handling} node
 * @returns {boolean} whether it will say when it has done with a message
 */
function acknowledges({ _inputCallback, _inputCallbacks }) {
    const handlers = _inputCallbacks ?? [_inputCallback];
    return handlers.some((handler) => handler?.length === ACKNOWLEDGING);
}

/**
 * Watches the next call of a node's only handler. A node whose handler throws never says that it has done, and the
 * error that Node-RED makes of that looks like one that the node reported while it goes on.
 * @param {Handling} node
 * @param {() => void} onThrow
 */
function watchNextCall(node, onThrow) {
    const handler = node._inputCallback;
    if (!handler) return;
    node._inputCallback = function (/** @type {unknown[]} */ ...parameters) {
        node._inputCallback = handler;
        try {
            return handler.apply(this, parameters);
        } catch (error) {
            onThrow();
            throw error;
        }
    };
}

module.exports = { acknowledges, watchNextCall };
