/** croner: `node croner-lag.mjs JOBS SPREAD_SECONDS`. Jobs at one instant recur daily, spread ones are for one date. */
import { Cron } from "croner";
import { dailyAt, measure } from "./lags.mjs";

measure((due, run) => {
    const isWhole = due % 1000 === 0 && Number(process.argv[3]) === 0;
    return isWhole ? new Cron(dailyAt(due), { timezone: "UTC" }, run) : new Cron(new Date(due), run);
});
