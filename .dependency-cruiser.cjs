/** Which way each room may look, as the README's architecture section draws it. Type-only imports count. */

/** What puts the parts together: it alone sees everything. */
const COMPOSITION = "^src/([^/]+\\.ts$|app/)";

/** What runs or is built without development dependencies. */
const RUN_TIME = "^((src|schema|rest-compat|web|cli)/|(lean|prisma\\.config)\\.ts$)";

/** Each domain and the domains it may lean on. */
const DOMAINS = {
  accounts: [],
  wallet: ["accounts"],
  oauth: ["accounts"],
  payments: ["accounts", "wallet"],
  gateway: ["accounts", "wallet", "payments"],
  trade: ["accounts", "wallet", "payments"],
  agents: ["accounts", "wallet"],
  mail: ["accounts", "agents"],
  events: ["accounts"],
  checkout: ["accounts", "agents"],
};

const domainRules = Object.entries(DOMAINS).map(([domain, below]) => ({
  name: `${domain}-leans-one-way`,
  comment: `src/${domain} may use ${["itself", ...below, "platform"].join(", ")}, and no other domain.`,
  severity: "error",
  from: { path: `^src/${domain}/` },
  to: { path: "^src/", pathNot: `^src/(${[domain, ...below, "platform"].join("|")})/` },
}));

module.exports = {
  forbidden: [
    { name: "no-circle", severity: "error", from: {}, to: { circular: true } },
    ...domainRules,
    {
      name: "worker-is-on-its-own",
      comment:
        "It drives checkouts in a process of its own, and knows of the service what they say to each other: as types.",
      severity: "error",
      from: { path: "^src/worker/" },
      to: {
        path: "^src/",
        pathNot: "^src/(worker/|platform/|checkout/worker-protocol/|checkout/shop-pages/|checkout/money\\.ts$)",
      },
    },
    {
      name: "worker-leaves-the-service-behind",
      comment: "Of the protocol it runs what zod alone stands behind.",
      severity: "error",
      from: { path: "^src/worker/" },
      to: {
        path: "^src/checkout/worker-protocol/",
        pathNot: "/(recipe|exploration|live-messages)\\.ts$",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "platform-knows-no-domain",
      severity: "error",
      from: { path: "^src/platform/" },
      to: { path: "^src/", pathNot: "^src/platform/" },
    },
    {
      name: "src-looks-no-higher",
      comment: "Nothing in src knows how it is asked; only the composition root connects the rooms.",
      severity: "error",
      from: { path: "^src/", pathNot: COMPOSITION },
      to: { path: "^(schema|rest-compat|web|sandbox|cli|bench|test)/" },
    },
    {
      name: "nobody-uses-the-composition-root",
      severity: "error",
      from: { path: "^(src|schema|rest-compat|web|sandbox|cli)/", pathNot: COMPOSITION },
      to: { path: COMPOSITION },
    },
    {
      name: "schema-leans-on-domains",
      severity: "error",
      from: { path: "^schema/" },
      to: { path: "^(rest-compat|web|sandbox|cli|bench|test)/" },
    },
    {
      name: "rest-compat-knows-documents-only",
      comment: "Routes speak GraphQL: a domain or a resolver is out of reach.",
      severity: "error",
      from: { path: "^rest-compat/" },
      to: { path: "^(src|schema|web|sandbox|cli|bench|test)/", pathNot: "^src/platform/" },
    },
    {
      name: "web-knows-documents-only",
      severity: "error",
      from: { path: "^web/" },
      to: { path: "^(src|schema|rest-compat|sandbox|bench|test)/" },
    },
    {
      name: "sandbox-shares-nothing",
      comment: "A counterparty that shares our code would share our bugs.",
      severity: "error",
      from: { path: "^sandbox/" },
      to: { path: "^(src|schema|rest-compat|web|cli|generated|bench|test)/" },
    },
    {
      name: "cli-speaks-http-only",
      comment: "It meets the service as any other client does.",
      severity: "error",
      from: { path: "^cli/" },
      to: { path: "^(src|schema|rest-compat|web|sandbox|generated|bench|test)/" },
    },
    {
      name: "nothing-leans-on-tests-or-benchmarks",
      severity: "error",
      from: { pathNot: "^(test|bench)/" },
      to: { path: "^(test|bench)/" },
    },
    {
      name: "unit-tests-start-no-service",
      comment: "A test that needs a service or a database is named *.service.test.ts.",
      severity: "error",
      from: { path: "^test/.*\\.test\\.ts$", pathNot: "\\.(service|browser|process|judge)\\.test\\.ts$|^test/soak/" },
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
      comment: "A package that another one installs may be gone with its next version.",
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
    // Generated code is held together by its generator.
    exclude: { path: "^(generated/prisma/|rest-compat/generated/|web/generated/|web/dist)" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".js", ".mjs", ".cjs", ".json"],
    },
  },
};
