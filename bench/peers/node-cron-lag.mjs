/** node-cron: `node node-cron-lag.mjs JOBS 0`. Its jobs are due at whole seconds. */
import cron from "node-cron";
import { dailyAt, measure } from "./lags.mjs";

measure((due, run) => cron.schedule(dailyAt(due), run, { timezone: "UTC" }));
