"use strict";

/** Loads what the editor loads, without an editor: the parts that touch no page. */
const path = require("node:path");

/**
 * @param {...string} names of files in resources/
 * @returns {any} the window that they leave their parts on
 */
function loadResources(...names) {
    const window = /** @type {any} */ (globalThis);
    window.window = window;
    for (const name of names) require(path.join("../../../resources", name));
    return window;
}

module.exports = { loadResources };
