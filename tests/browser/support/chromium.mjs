/** A real Chromium: an installed one where there is one, else the one that npm brings. */
import { spawnSync } from "node:child_process";
import { chmodSync, createReadStream, createWriteStream, existsSync, linkSync, mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import { chromium } from "playwright-core";
import { root } from "../../../scripts/setup.mjs";

const INSTALLED = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const FLAGS = ["--disable-background-networking", "--disable-component-update", "--no-first-run", "--no-pings"];

/** The first of these programs that runs. */
function firstThatRuns(programs) {
    return programs.find((program) => spawnSync(program, ["--version"]).status === 0);
}

/** Unpacks the Chromium of the npm package (Linux, x64), once for each installation of it. */
async function unpackedChromium() {
    const packed = path.join(path.dirname(createRequire(import.meta.url).resolve("@sparticuz/chromium")), "..", "bin");
    const folder = path.join(root, "node_modules", ".cache", "schedule-trigger");
    const program = path.join(folder, "chromium");
    if (existsSync(program)) return program;
    mkdirSync(folder, { recursive: true });
    // Test files run at once: none may see what another has half unpacked, or replace what another runs by now, since
    // Chromium starts itself again by its name.
    const own = `${program}-${process.pid}`;
    await pipeline(createReadStream(path.join(packed, "chromium.br")), createBrotliDecompress(), createWriteStream(own));
    chmodSync(own, 0o755);
    try {
        linkSync(own, program);
    } catch (error) {
        if (error.code !== "EEXIST") throw error;
    } finally {
        rmSync(own);
    }
    return program;
}

/** The program of a Chromium or Chrome; `CHROMIUM_PATH` names one. */
async function findChromium() {
    return process.env.CHROMIUM_PATH ?? firstThatRuns(INSTALLED) ?? unpackedChromium();
}

let program;
const chromiumProgram = () => (program ??= findChromium());

/** Starts Chromium, without a window. */
export async function launchChromium() {
    return chromium.launch({ executablePath: await chromiumProgram(), chromiumSandbox: false, args: FLAGS });
}
