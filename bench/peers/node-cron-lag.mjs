/**
 * node-cron: `node node-cron-lag.mjs JOBS 0`. Its jobs are due at whole seconds. By default it leaves out what is more
 * than a second late; here that runs, to be counted.
 */
import cron from "node-cron";
import { dailyAt, measure } from "./lags.mjs";

const OPTIONS = { timezone: "UTC", missedExecutionTolerance: 120_000 };

measure((due, run) => cron.schedule(dailyAt(due), run, OPTIONS));
