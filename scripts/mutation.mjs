/**
 * `npm run mutation`: makes deliberate faults in a copy of the core, one after the other, and says
 * which test catches each. Words after `--` choose some of them: `npm run mutation -- R15`.
 */
import { run, sayWhatFailed, setup, venvProgram } from "./setup.mjs";

await sayWhatFailed(() => {
    setup({ dev: true });
    run(venvProgram("python"), ["tests/mutation/run.py", ...process.argv.slice(2)]);
});
