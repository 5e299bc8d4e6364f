/**
 * `npm run upheaval:long`: three bridges on one PostgreSQL, whatever can befall them, and what came of it.
 * Words after `--` go on to it: `npm run upheaval:long -- --minutes 5 --seed 7 --record`.
 */
import { run, sayWhatFailed, setup, venvProgram } from "./setup.mjs";

await sayWhatFailed(() => {
    setup({ dev: true });
    run(venvProgram("python"), ["tests/crash/run_upheavals.py", ...process.argv.slice(2)]);
});
