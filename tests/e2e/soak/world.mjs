/** What the flows talk to: a server that answers, is slow, fails, or hangs up. */
import { createServer } from "node:http";

const SLOW_MS = 1500;

function answer(random, response) {
    const luck = random();
    if (luck < 0.1) response.destroy();
    else if (luck < 0.2) response.writeHead(500).end("no");
    else setTimeout(() => response.end("yes"), SLOW_MS * random());
}

/** Opens it; its address is in the environment of the Node-RED that asks. */
export async function openWorld(random) {
    const server = createServer((_request, response) => answer(random, response));
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const close = () => {
        server.closeAllConnections();
        server.close();
    };
    return { env: { HTTP_URL: `http://127.0.0.1:${server.address().port}/` }, close };
}
