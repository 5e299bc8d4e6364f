/**
 * `npm run bench`: measures ours and others side by side; `-- --only ROW`, `--rounds N`, `--record`, `--short`.
 * The others are installed into `.bench/`, each in an environment of its own.
 */
import { run, sayWhatFailed, setup, venvProgram } from "./setup.mjs";

await sayWhatFailed(() => {
    setup({ dev: true });
    run(venvProgram("python"), ["-m", "bench", ...process.argv.slice(2)]);
});
