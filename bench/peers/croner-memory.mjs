/** croner: the bytes that one armed job takes. `node --expose-gc croner-memory.mjs JOBS`. */
import { Cron } from "croner";

const jobs = Number(process.argv[2]);
const work = () => {};
const kept = [new Cron("0 0 0 1 1 *", work)];
globalThis.gc();
const before = process.memoryUsage().heapUsed;
for (let number = 0; number < jobs; number += 1) kept.push(new Cron("0 0 0 1 1 *", work));
globalThis.gc();
console.log(JSON.stringify({ bytes: (process.memoryUsage().heapUsed - before) / jobs }));
process.exit(kept.length === jobs + 1 ? 0 : 1);
