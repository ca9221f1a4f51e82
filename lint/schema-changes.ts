/**
 * Compares the GraphQL schema with the released one. A change that breaks clients must be named in the newest section of
 * CHANGELOG.md by its schema coordinate, such as `Wallet.balance`. Prints each other one and exits with 1.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CriticalityLevel, diff } from "@graphql-inspector/core";
import { buildSchema } from "graphql";

const ROOT = join(import.meta.dirname, "..");
const RELEASED = "schema/released.graphql";

/**
 * Returns the breaking changes from the released schema that the changelog does not name, each with its coordinate.
 * @param changelog Markdown whose first section of level 2 is that of the next release
 */
export async function findUnnamedBreakingChanges(
  releasedSdl: string,
  currentSdl: string,
  changelog: string,
): Promise<string[]> {
  const section = changelog.split(/^## /m)[1] ?? "";
  const named = new Set([...section.matchAll(/`([^`\n]+)`/g)].map(([, text]) => text));
  const changes = await diff(buildSchema(releasedSdl), buildSchema(currentSdl));
  return changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .map(({ path = "", message }) => ({ coordinate: toCoordinate(path), message }))
    .filter(({ coordinate }) => !named.has(coordinate))
    .map(({ coordinate, message }) => `${coordinate}: ${message}`);
}

/** Returns the schema coordinate of a path: `Type.field(argument:)` for `Type.field.argument`, `@directive(argument:)`. */
function toCoordinate(path: string): string {
  const parts = path.split(".");
  const hasArgument = parts.length === (path.startsWith("@") ? 2 : 3);
  return hasArgument ? `${parts.slice(0, -1).join(".")}(${parts.at(-1)}:)` : path;
}

if (import.meta.main) {
  if (!existsSync(join(ROOT, RELEASED))) {
    process.stderr.write(
      `${RELEASED} does not exist. Nothing was compared. Copy schema/schema.graphql to it when a version is released.\n`,
    );
    process.exit(1);
  }
  const [released = "", current = "", changelog = ""] = [RELEASED, "schema/schema.graphql", "CHANGELOG.md"].map(
    (path) => readFileSync(join(ROOT, path), "utf8"),
  );
  const unnamed = await findUnnamedBreakingChanges(released, current, changelog);
  for (const change of unnamed) process.stdout.write(`${change}\n`);
  if (unnamed.length > 0) {
    process.stderr.write(
      `${unnamed.length} breaking changes. Undo each, or name its coordinate in backticks in the newest section of CHANGELOG.md.\n`,
    );
    process.exitCode = 1;
  }
}
