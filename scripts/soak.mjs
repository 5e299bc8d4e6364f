/**
 * `npm run soak`: many triggers, a real Node-RED, a real bridge, and everything that may happen to them.
 * `--record` keeps the figures in docs/reliability.md.
 */
import { parseArgs } from "node:util";
import { figuresOf } from "../tests/e2e/soak/figures.mjs";
import { soak } from "../tests/e2e/soak/life.mjs";
import { run, sayWhatFailed, setup, venvProgram } from "./setup.mjs";

const { values } = parseArgs({
    options: {
        "node-red": { type: "string", default: "4" },
        seconds: { type: "string", default: "600" },
        triggers: { type: "string", default: "50" },
        seed: { type: "string", default: String(Date.now() % 2 ** 31) },
        record: { type: "boolean", default: false },
    },
});
const plan = {
    version: Number(values["node-red"]),
    seconds: Number(values.seconds),
    triggers: Number(values.triggers),
    seed: Number(values.seed),
    pauseMs: 2000,
    tell: (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
};

function record(figures) {
    const pairs = Object.entries(figures).map(([name, value]) => `${name}=${value}`);
    run(venvProgram("python"), ["-m", "tests.reliability", "soak", `Node-RED ${plan.version}`, ...pairs]);
}

await sayWhatFailed(async () => {
    setup({ dev: true });
    console.log(`Node-RED ${plan.version}, ${plan.triggers} triggers, ${plan.seconds} s, seed ${plan.seed}`);
    const lived = await soak(plan);
    const figures = { seed: plan.seed, seconds: plan.seconds, ...figuresOf(lived) };
    for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value}`);
    if (lived.faults.length) throw new Error(lived.faults.join("\n"));
    if (values.record) record(figures);
});
