/**
 * `npm run crash:long`: kills a bridge under traffic 1,000 times and judges what came of it.
 * Words after `--` go on to it: `npm run crash:long -- --kills 200 --seed 7 --record`.
 */
import { run, sayWhatFailed, setup, venvProgram } from "./setup.mjs";

await sayWhatFailed(() => {
    setup({ dev: true });
    run(venvProgram("python"), ["tests/crash/run.py", ...process.argv.slice(2)]);
});
