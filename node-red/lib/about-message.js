"use strict";

/**
 * What output 2 says of a message that fired: it has all that the message has but its payload, so that whoever sent
 * that can be answered, as by an HTTP Response node. It is a message of no run, not even of the one that fired.
 * @param {any} message undefined where none fired, or where it is not known any more
 * @param {object} payload
 * @returns {object}
 */
function aboutMessage(message, payload) {
    const about = { ...message, payload };
    delete about.run;
    delete about._msgid;
    return about;
}

module.exports = { aboutMessage };
