/**
 * `npm run fuzz:long`: malformed requests and bodies for ten minutes, or `-- --seconds N`.
 * `-- --record` keeps the figures in docs/reliability.md, `-- --seed N` repeats a run.
 */
import path from "node:path";
import { root, run, sayWhatFailed, setup, venvProgram } from "./setup.mjs";

await sayWhatFailed(() => {
    setup({ dev: true });
    const env = { PYTHONPATH: path.join(root, "tests") };
    run(venvProgram("python"), ["-m", "fuzz", ...process.argv.slice(2)], { env });
});
