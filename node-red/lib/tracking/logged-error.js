"use strict";

/**
 * The error in an entry of Node-RED's log. Node-RED's debug sidebar hears of an entry first, and leaves the errors in it
 * as JSON.
 * @param {{format?: string, msg: any}} entry
 * @returns {any} an Error or what a node said in place of one
 */
function loggedError({ format = "", msg }) {
    if (typeof msg !== "string" || !/error/i.test(format)) return msg;
    const said = JSON.parse(msg);
    return said.data ?? said;
}

module.exports = { loggedError };
