/**
 * `npm run bench`: measures ours and others side by side; `-- --only ROW`, `--rounds N`, `--record`, `--short`.
 * The others are set up too, those in Python each in an environment of its own under `.bench/`.
 */
import path from "node:path";
import { root, run, sayWhatFailed, setup, setupPeers, venvProgram } from "./setup.mjs";

await sayWhatFailed(() => {
    setup({ dev: true });
    const args = process.argv.slice(2);
    if (!args.includes("--short")) setupPeers();
    run(venvProgram("python"), ["-m", "bench", ...args], { env: { PYTHONPATH: path.join(root, "tests") } });
});
