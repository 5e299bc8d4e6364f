/**
 * `npm run network:long`: a bad network for ten minutes, or `--minutes N`. `--seed N` repeats a run, `--record` keeps
 * the figures in docs/reliability.md.
 */
import { parseArgs } from "node:util";
import { campaign } from "../tests/network/chance/campaign.mjs";
import { run, sayWhatFailed, setup, venvProgram } from "./setup.mjs";

/** Seconds of a round; each has a bridge and a seed of its own. */
const ROUND = 60;

const { values } = parseArgs({
    options: { minutes: { type: "string", default: "10" }, seed: { type: "string" }, record: { type: "boolean" } },
});

/** Adds the figures of a round to those of the rounds before it. */
function add(sum, figures) {
    for (const [what, count] of Object.entries(figures)) sum[what] = (sum[what] ?? 0) + count;
}

await sayWhatFailed(async () => {
    setup({ dev: true });
    const first = Number(values.seed ?? Date.now() % 2 ** 32);
    const sum = {};
    let faulty = 0;
    for (let round = 0; round < Number(values.minutes); round += 1) {
        const seed = first + round;
        const { wrong, figures } = await campaign({ seed, seconds: ROUND });
        add(sum, figures);
        const cases = Object.entries(wrong).flatMap(([kind, each]) => each.map((one) => `${kind}: ${one}`));
        console.log(`seed ${seed}: ${figures.faults} faults, ${figures["starts that came out"]} starts, ${cases.length} wrong`);
        for (const one of cases) console.log(`  ${one}`);
        faulty += cases.length;
    }
    console.log(JSON.stringify({ seed: first, ...sum }, null, 4));
    if (values.record) {
        const figures = Object.entries({ seeds: `${first} and the following`, ...sum }).map(([what, count]) => `${what}=${count}`);
        run(venvProgram("python"), ["-m", "tests.reliability", "network", "At random", ...figures]);
    }
    if (faulty) throw new Error(`${faulty} things went wrong.`);
});
