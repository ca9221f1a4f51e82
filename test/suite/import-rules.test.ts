/** Compares the README's table of folders with existing imports, and the import rules with imports that they must reject. */
import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, posix } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

interface Paths {
  readonly path?: string;
  readonly pathNot?: string;
}
interface Rule {
  readonly name: string;
  readonly from: Paths;
  readonly to: Paths;
}
const { forbidden } = createRequire(import.meta.url)("../../.dependency-cruiser.cjs") as { forbidden: Rule[] };
const importRules = forbidden.filter(({ to }) => Object.keys(to).every((key) => key === "path" || key === "pathNot"));

const matches = ({ path, pathNot }: Paths, file: string) =>
  (path === undefined || new RegExp(path).test(file)) && (pathNot === undefined || !new RegExp(pathNot).test(file));
const findViolatedRules = (from: string, to: string) =>
  importRules.filter((rule) => matches(rule.from, from) && matches(rule.to, to)).map(({ name }) => name);

/** Returns all imports between files of the repository, as `[importing file, imported file]`. */
function readImports(): [string, string][] {
  const files = globSync("{src,schema,rest-compat,mcp,web,sandbox,cli}/**/*.{ts,tsx}", { cwd: ROOT });
  return files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(/(?:from|import\() ?"(\.{1,2}\/[^"]+)"/g)].map(
      ([, specifier = ""]): [string, string] => [file, posix.join(posix.dirname(file), specifier)],
    ),
  );
}

test("every import that the README's table lists exists", () => {
  const imports = readImports();
  const rows = readFileSync(join(ROOT, "README.md"), "utf8").matchAll(/^\| `([\w/-]+\/)` \| .+ \| (`.+) \|$/gm);
  const listed = [...rows].flatMap(([, from = "", cell = ""]) =>
    [...cell.matchAll(/`([\w/-]+\/)`/g)].map(([, to = ""]) => ({ from, to })),
  );
  expect(listed.length).toBeGreaterThan(20);
  const isUsed = (row: { readonly from: string; readonly to: string }) =>
    imports.some(([from, to]) => from.startsWith(row.from) && to.startsWith(row.to));
  expect(listed.filter((row) => !isUsed(row))).toEqual([]);
});

test("every folder has a row in the README's table", () => {
  const [{ from }] = forbidden.filter(({ name }) => name === "every-folder-is-in-the-table") as [Rule];
  expect([...new Set(readImports().flat())].filter((file) => matches(from, file))).toEqual([]);
  expect(matches(from, "src/new-domain/file.ts")).toBe(true);
});

test("no existing import violates a rule", () => {
  expect(readImports().filter(([from, to]) => findViolatedRules(from, to).length > 0)).toEqual([]);
});

test.each([
  ["a domain imports the schema", "src/payments/pay.ts", "schema/context.ts"],
  ["a domain imports the REST layer", "src/oauth/grants.ts", "rest-compat/register.ts"],
  ["a domain imports the pages", "src/mail/threads.ts", "web/app/paths.ts"],
  ["a domain imports the sandbox", "src/trade/dex.ts", "sandbox/endpoints.ts"],
  ["the platform imports the schema", "src/platform/graphql/register.ts", "schema/schema.ts"],
  ["a lower domain imports a higher one", "src/wallet/ledger.ts", "src/payments/pay.ts"],
  ["a domain imports the composition root", "src/checkout/deps.ts", "src/app/platform.ts"],
  ["the platform imports a domain", "src/platform/jobs/queue.ts", "src/accounts/viewer.ts"],
  ["an entry point imports the schema", "src/main.ts", "schema/schema.ts"],
  ["the schema imports the REST layer", "schema/errors.ts", "rest-compat/register.ts"],
  ["the REST layer imports a domain", "rest-compat/register.ts", "src/wallet/ledger.ts"],
  ["the REST layer imports a resolver", "rest-compat/register.ts", "schema/payments/sign-payment.ts"],
  ["a page imports a domain", "web/app/main.tsx", "src/accounts/viewer.ts"],
  ["the sandbox imports the service", "sandbox/main.ts", "src/platform/errors.ts"],
  ["the sandbox imports generated code", "sandbox/main.ts", "generated/prisma/client.ts"],
  ["the command line imports the schema", "cli/main.ts", "schema/schema.ts"],
  ["the worker imports the state of an order", "src/worker/worker.ts", "src/checkout/orders/states.ts"],
  ["the service imports a test", "src/main.ts", "test/support/stack.ts"],
])("reports a violation if %s", (_what, from, to) => {
  expect(findViolatedRules(from, to)).not.toEqual([]);
});
