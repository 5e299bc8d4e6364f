/** What the rows talk to: an HTTP server, a quick and a slow TCP server. */
import { createServer as createHttp } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createTcp } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { LATE_MS } from "./row.mjs";

async function listening(server) {
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return String(server.address().port);
}

const answerAfter = (milliseconds) => (socket) => {
    socket.on("error", () => {}); // Node-RED may stop first
    socket.on("data", (data) => setTimeout(() => socket.write(data), milliseconds));
};

/** Opens the world; its addresses are the environment of the Node-RED that asks. */
export async function openWorld() {
    const http = createHttp((_request, response) => setTimeout(() => response.end("ok"), 300));
    const [quick, slow] = [createTcp(answerAfter(0)), createTcp(answerAfter(LATE_MS))];
    const folder = mkdtempSync(path.join(tmpdir(), "schedule-trigger-"));
    const env = {
        HTTP_URL: `http://127.0.0.1:${await listening(http)}/`,
        TCP_PORT: await listening(quick),
        SLOW_TCP_PORT: await listening(slow),
        LINES_FILE: path.join(folder, "lines.txt"),
        NO_FILE: path.join(folder, "none.txt"),
    };
    const close = () => {
        http.closeAllConnections();
        for (const server of [http, quick, slow]) server.close();
        rmSync(folder, { recursive: true, force: true });
    };
    return { env, close };
}
