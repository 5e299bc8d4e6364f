import js from "@eslint/js";
import html from "eslint-plugin-html";
import globals from "globals";

const rules = {
    ...js.configs.recommended.rules,
    complexity: ["error", 10],
    curly: ["error", "multi-line"],
    eqeqeq: "error",
    "max-lines": ["error", { max: 400, skipBlankLines: true }],
    "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
    "no-var": "error",
    "prefer-const": "error",
};

const OVERFLOWS = "Told to wait longer than 24.8 days, timers do not wait at all: use node-red/lib/timers.js.";

export default [
    { ignores: ["node_modules/", ".venv/", ".run/", ".bench/", "dist/", "build/"] },
    {
        files: ["**/*.js"],
        languageOptions: { sourceType: "commonjs", globals: globals.node },
        rules,
    },
    {
        files: ["**/*.mjs"],
        languageOptions: { sourceType: "module", globals: globals.node },
        rules,
    },
    {
        files: ["node-red/**/*.js"],
        ignores: ["node-red/lib/timers.js"],
        rules: {
            "no-restricted-globals": ["error", ...["setTimeout", "setInterval"].map((name) => ({ name, message: OVERFLOWS }))],
            "no-restricted-syntax": [
                "error",
                { selector: "CallExpression[callee.name='require'] > Literal[value=/^(node:)?timers/]", message: OVERFLOWS },
            ],
        },
    },
    {
        files: ["resources/**/*.js"],
        languageOptions: {
            sourceType: "script",
            globals: { ...globals.browser, $: "readonly", RED: "readonly" },
        },
    },
    {
        files: ["resources/**/*.mjs"],
        languageOptions: {
            sourceType: "module",
            globals: { ...globals.browser, $: "readonly", RED: "readonly" },
        },
    },
    {
        files: ["node-red/**/*.html"],
        plugins: { html },
        languageOptions: {
            sourceType: "script",
            globals: { ...globals.browser, $: "readonly", RED: "readonly" },
        },
        rules,
    },
];
