/** A bridge as a program without Node-RED calls it: HTTP, JSON, the token of the token file. */
import tokenFile from "../../node-red/lib/token-file.js";

const URL = process.env.SCHEDULE_BRIDGE_URL || "http://127.0.0.1:8765";

/**
 * Asks the bridge.
 * @param {"GET" | "PUT" | "POST" | "DELETE"} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>} the answer; undefined where the bridge refused because of how things stand (404, 409)
 * @throws {Error} with the bridge's sentence, when it refused for another reason
 */
export async function ask(method, path, body) {
    const headers = { Authorization: `Bearer ${tokenFile.readToken()}`, "Content-Type": "application/json" };
    const answer = await fetch(URL + path, { method, headers, body: body && JSON.stringify(body) });
    if (answer.status === 204) return {};
    const read = await answer.json();
    if (answer.ok) return read;
    if (answer.status === 404 || answer.status === 409) return undefined;
    throw new Error(`${method} ${path}: ${read.detail ?? read.title}`);
}
