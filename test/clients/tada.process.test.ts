/** gql.tada: its types of the schema compile, and infer the types of three screens. */
import { execFile } from "node:child_process";
import { copyFile, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const run = promisify(execFile);

it("infers the types of three screens from the schema", async () => {
  const folder = await mkdtemp(join(tmpdir(), "satchel-tada-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await copyFile(join(ROOT, "schema/schema.graphql"), join(folder, "schema.graphql"));
  await copyFile(join(import.meta.dirname, "tada-screens.ts.txt"), join(folder, "screens.ts"));
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true },
    ...{ target: "esnext", module: "nodenext", types: [] },
    plugins: [{ name: "gql.tada/ts-plugin", schema: "./schema.graphql", tadaOutputLocation: "./introspection.d.ts" }],
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["screens.ts"] }));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await run(join(ROOT, "node_modules/.bin/gql.tada"), ["generate-output"], { cwd: folder });
  const compiled = run(join(ROOT, "node_modules/.bin/tsc"), ["-p", folder]).catch(({ stdout }) => ({ stdout }));
  expect((await compiled).stdout).toBe("");
});
