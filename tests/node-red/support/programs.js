"use strict";

const fs = require("node:fs");
const path = require("node:path");

/**
 * Puts shell scripts into a folder.
 * @param {string} folder
 * @param {Record<string, string>} programs by name
 */
function writePrograms(folder, programs) {
    for (const [name, script] of Object.entries(programs)) {
        fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    }
}

/**
 * A Python that is good for being found, whatever it then does as a module.
 * @param {string} asModule a shell script
 */
const pythonThat = (asModule) => `[ "$1" = -m ] || { echo 3.12; exit; }\n${asModule}`;

module.exports = { writePrograms, pythonThat };
