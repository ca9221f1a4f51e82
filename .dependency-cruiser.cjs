/** Import rules between folders, read from the table in the README's architecture section. Type-only imports count. */
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

/** The composition root, which may import everything. */
const COMPOSITION = "^src/([^/]+\\.ts$|app/)";

/** Code that runs or is built without development dependencies. */
const RUN_TIME = "^((src|schema|rest-compat|mcp|web|cli)/|(lean|prisma\\.config)\\.ts$)";

/** A row of the table: folder, content, imports. */
const ROW = /^\| `([\w/-]+\/)` \| .+ \| (.+) \|$/gm;
const readme = readFileSync(join(__dirname, "README.md"), "utf8");
const table = new Map([...readme.matchAll(ROW)].map(([, folder, imports]) => [folder, imports]));
const domains = [...table.keys()].filter((folder) => /^src\/(?!app|worker|platform)/.test(folder));
const named = (text) => [...text.matchAll(/`([\w/-]+\/)`/g)].map(([, folder]) => folder);

const importRules = [...table]
  .filter(([folder]) => folder !== "src/app/")
  .map(([folder, imports]) => {
    const allowed = [folder, ...named(imports), ...(imports.includes("all domains") ? domains : [])];
    return {
      name: `imports-of-${folder.replaceAll("/", "-").slice(0, -1)}`,
      comment: `${folder} imports ${imports.replaceAll("`", "")} (README, "Architecture").`,
      severity: "error",
      from: { path: `^${folder}` },
      to: { path: "^(src|schema|rest-compat|mcp|web|sandbox|cli|bench|test)/", pathNot: `^(${allowed.join("|")})` },
    };
  });

module.exports = {
  forbidden: [
    { name: "no-circle", severity: "error", from: {}, to: { circular: true } },
    ...importRules,
    {
      name: "every-folder-is-in-the-table",
      comment: "A folder without a row in the README's table may neither import nor be imported.",
      severity: "error",
      from: {
        path: "^(src/[^/]+|schema|rest-compat|mcp|web|sandbox|cli)/",
        pathNot: `^(${[...table.keys()].join("|")})`,
      },
      to: {},
    },
    {
      name: "entry-points-start-the-app",
      severity: "error",
      from: { path: "^src/[^/]+\\.ts$" },
      to: { path: "^(schema|rest-compat|mcp|web|sandbox|cli|bench|test)/" },
    },
    {
      name: "only-entry-points-use-the-composition-root",
      severity: "error",
      from: { path: "^(src|schema|rest-compat|mcp|web|sandbox|cli)/", pathNot: COMPOSITION },
      to: { path: COMPOSITION },
    },
    {
      name: "app-is-no-client",
      severity: "error",
      from: { path: "^src/app/" },
      to: { path: "^(cli|bench|test)/" },
    },
    {
      name: "worker-knows-the-protocol-only",
      comment: "The worker is a separate process that communicates with the service only by the worker protocol.",
      severity: "error",
      from: { path: "^src/worker/" },
      to: { path: "^src/checkout/", pathNot: "^src/checkout/(worker-protocol/|merchant-pages/|money\\.ts$)" },
    },
    {
      name: "worker-loads-no-service-code",
      comment: "The worker loads only protocol modules that depend on zod alone, and the types of the others.",
      severity: "error",
      from: { path: "^src/worker/" },
      to: {
        path: "^src/checkout/worker-protocol/",
        pathNot: "/(card-entry|exploration|live-messages|question|recipe|slots)\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "clients-and-sandbox-use-no-generated-code",
      comment: "A counterparty that shares our code would share our bugs.",
      severity: "error",
      from: { path: "^(sandbox|cli)/" },
      to: { path: "^generated/" },
    },
    {
      name: "examples-import-packages-only",
      comment:
        "Each example is one file for developers to copy: it may import published packages, but no file of this repository.",
      severity: "error",
      from: { path: "^examples/" },
      to: { path: "^(?!node_modules/)", dependencyTypesNot: ["core"] },
    },
    {
      name: "nothing-imports-examples-tests-or-benchmarks",
      severity: "error",
      from: { pathNot: "^(test|bench)/" },
      to: { path: "^(examples|test|bench)/" },
    },
    {
      name: "unit-tests-start-no-service",
      comment: "A test that needs a service or a database is named *.service.test.ts.",
      severity: "error",
      from: {
        path: "^test/.*\\.test\\.ts$",
        pathNot: "\\.(service|sample|browser|process|judge)\\.test\\.ts$|^test/soak/",
      },
      to: {
        path: "^(test/support/(stack|satchel|satchel-process|worker-process|database|postgresql|browser)\\.ts$|src/app/(service|platform)\\.ts$|src/worker/browser\\.ts$)",
        reachable: true,
      },
    },
    {
      name: "service-tests-open-no-browser",
      comment: "A test that needs Chromium is named *.browser.test.ts.",
      severity: "error",
      from: { path: "\\.service\\.test\\.ts$" },
      to: { path: "^(test/support/browser|src/worker/browser)\\.ts$", reachable: true },
    },
    {
      name: "no-dev-dependency-at-run-time",
      comment: "`npm install --omit=dev` installs and runs everything but the sandbox.",
      severity: "error",
      from: { path: RUN_TIME },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-undeclared-dependency",
      comment: "A transitive dependency may disappear with the next version of the package that requires it.",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
    { name: "no-unresolvable", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    // Generated code follows its generator's rules.
    exclude: { path: "^(generated/prisma/|(rest-compat|mcp)/generated/|web/generated/|web/dist)" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".js", ".mjs", ".cjs", ".json"],
    },
  },
};
