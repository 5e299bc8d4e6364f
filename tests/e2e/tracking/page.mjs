/** The table of the rows in docs/run-tracking.md. `UPDATE_DOCS=1` writes it. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../../scripts/setup.mjs";

const PAGE = path.join(root, "docs", "run-tracking.md");
const TABLE = /(?<=<!-- rows -->\n)[^]*(?=<!-- \/rows -->)/;

/** What the page must say of rows that have all come out right. */
function tableOf(rows) {
    const lines = rows.map(({ name, expected: { end, because, seen, late } }) => {
        const said = late ? `late: ${late}` : (because ?? "");
        return `| ${name} | ${end} | ${said} | ${seen} |`;
    });
    const head = "| flow | the run ends | said about it | before the end |\n| --- | --- | --- | --- |";
    return `${head}\n${lines.join("\n")}\n\n${rows.length} of ${rows.length} rows right.\n`;
}

/** The table as the page has it, and as it must be. */
export function pageAndTruth(rows) {
    const page = readFileSync(PAGE, "utf8");
    const truth = tableOf(rows);
    if (process.env.UPDATE_DOCS) writeFileSync(PAGE, page.replace(TABLE, () => truth));
    return [TABLE.exec(readFileSync(PAGE, "utf8"))[0], truth];
}
