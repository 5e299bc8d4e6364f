/** The flows of the sidebar's pictures, and what happens to them before the pictures are taken. */
import { until } from "../tests/e2e/support/house.mjs";

const TAB = { id: "tab", type: "tab", label: "Schedules" };
const BRIDGE = { id: "house", type: "schedule-bridge", name: "this house", mode: "managed", workspaceId: "default", maxConcurrentExecutions: 5 };

/** Quick runs of different lengths, some of which fail, until one goes on. */
const WORK = (quick, fails) => `
const run = (context.get("run") || 0) + 1;
context.set("run", run);
msg.delay = run > ${quick} ? 3600000 : 150 + ((run * run * 137) % 900);
if (${fails} && run % 4 === 0) throw new Error("404 from the store");
return msg;`;

let row = 0;

/** A trigger whose runs take their time: so many are quick, the others go on. */
function worker(id, name, quick, { fails = false, ...settings } = {}) {
    const y = 60 + 60 * row++;
    const base = { z: TAB.id, y };
    return [
        {
            ...{ id, type: "schedule-trigger", ...base, x: 150, name, bridge: BRIDGE.id, scheduleKind: "interval", every: 10, everyUnit: "minutes" },
            ...{ wires: [[`${id} work`], []], ...settings },
        },
        { id: `${id} work`, type: "function", ...base, x: 370, name: "work", func: WORK(quick, fails), outputs: 1, wires: [[`${id} wait`]] },
        {
            ...{ id: `${id} wait`, type: "delay", ...base, x: 530, pauseType: "delayv", timeout: "1", timeoutUnits: "seconds" },
            ...{ rate: "1", nbRateUnits: "1", rateUnits: "second", randomFirst: "1", randomLast: "5", randomUnits: "seconds", wires: [[]] },
        },
    ];
}

export function schedulesFlow() {
    row = 0;
    return [
        TAB,
        BRIDGE,
        ...worker("images", "classify images", 7),
        ...worker("prices", "fetch prices", 9, { overlapPolicy: "allow", maxConcurrent: 3 }),
        ...worker("issues", "sync issues per repository", 0, { overlapPolicy: "queue", lockKeys: ["acme/shop", "acme/docs", "acme/web"] }),
        ...worker("index", "rebuild index", 5, { overlapPolicy: "queue" }),
        ...worker("report", "nightly report", 99, { fails: true, scheduleKind: "cron", cron: "0 2 * * *" }),
        ...worker("mail", "mail digest", 99),
        ...worker("export", "export", 99, { scheduleKind: "cron", cron: "0 25 * * 6" }),
    ];
}

/** How often each trigger is fired, one run after the other, and then until its runs go on. */
const PAST = { images: 7, prices: 9, index: 5, report: 9, mail: 6 };
const PRESENT = { index: 3, images: 3, prices: 2 };
/** Fired last of all, when the others have left room for one of its runs. */
const LAST = "issues";

async function fire(house, id) {
    const { triggerId } = await house.trigger(id);
    await house.ask(`/v1/triggers/${triggerId}/fire`, "POST");
}

/** Milliseconds between two firings of a trigger, so that a timeline tells them apart. */
const APART_MS = 2_000;
const pause = () => new Promise((resolve) => setTimeout(resolve, APART_MS));

async function fireOneByOne(house, id, times) {
    for (let run = 1; run <= times; run += 1) {
        await pause();
        await fire(house, id);
        const ended = async () => (await house.executions(id)).filter(({ endedAt }) => endedAt).length === run;
        await until(`the end of run ${run} of ${id}`, ended, 20_000);
    }
}

/** Lets happen what the pictures show. */
export async function live(house) {
    await Promise.all(Object.entries(PAST).map(([id, times]) => fireOneByOne(house, id, times)));
    await house.ask(`/v1/triggers/${(await house.trigger("mail")).triggerId}/pause`, "POST");
    for (let round = 0; round < Math.max(...Object.values(PRESENT)); round += 1) {
        await pause();
        for (const [id, times] of Object.entries(PRESENT)) if (round < times) await fire(house, id);
    }
    const oneIsLeft = async () => (await house.ask("/v1/workspaces/default")).running === BRIDGE.maxConcurrentExecutions - 1;
    await until("a workspace in which one more run has room", oneIsLeft, 20_000);
    await fire(house, LAST);
}
