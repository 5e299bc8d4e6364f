/**
 * `npm run bench`: measures ours and others side by side; `-- --only ROW`, `--rounds N`, `--record`, `--short`.
 * The others are set up too, those in Python each in an environment of its own under `.bench/`.
 * `npm run bench:bridges`: measures several bridges on one PostgreSQL, beside nobody.
 */
import path from "node:path";
import { root, run, sayWhatFailed, setup, setupPeers, venvProgram } from "./setup.mjs";

await sayWhatFailed(() => {
    setup({ dev: true });
    const args = process.argv.slice(2);
    const ofBridges = args[0] === "bridges";
    if (!ofBridges && !args.includes("--short")) setupPeers();
    const asked = ofBridges ? ["bench.bridges", ...args.slice(1)] : ["bench", ...args];
    run(venvProgram("python"), ["-m", ...asked], { env: { PYTHONPATH: path.join(root, "tests") } });
});
