/** People who log in: one who may do everything, and one who may only read. */

export const PASSWORD = "secret";
const HASH = "$2b$08$sM6laIyomWM31Tu/1eksYeAnsA4u34GQKzl/RFQ8KOhHP/70YLWtK";

const users = [
    { username: "writer", password: HASH, permissions: "*" },
    { username: "reader", password: HASH, permissions: "read" },
];

/** Settings of a Node-RED that they log in to. */
export const WITH_USERS = { adminAuth: { type: "credentials", users } };
