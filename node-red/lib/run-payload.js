"use strict";

const { STATIC_PAYLOADS } = require("./trigger-config");

/**
 * The payload of a run's first message: what the bridge decided, or what the trigger makes when the run starts.
 * @param {import("./runs").Offer} offer
 * @param {{payload: string, payloadType: string}} properties
 * @param {(value: string, type: string) => Promise<unknown>} evaluate Node-RED's value of a typed input
 * @returns {Promise<unknown>} rejected when it cannot be made
 */
async function runPayload(offer, { payload, payloadType }, evaluate) {
    if (offer.payload !== null && offer.payload !== undefined) return offer.payload;
    if (payloadType === "date") return Date.parse(offer.scheduledAt);
    return STATIC_PAYLOADS.has(payloadType) ? null : evaluate(payload, payloadType);
}

module.exports = { runPayload };
