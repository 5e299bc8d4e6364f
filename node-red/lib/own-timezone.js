"use strict";

/** @returns {string} the time zone of this Node-RED, which stands in for the time zone "" of a trigger */
function ownTimezone() {
    return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

module.exports = { ownTimezone };
