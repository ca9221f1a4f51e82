/**
 * `npm run migrate`: applies missing migrations to the configured database.
 * `npm run migrate -- --create <name>`: writes a migration for the changes in `schema.prisma`.
 */
import { parseArgs } from "node:util";
import { readConfig } from "./platform/config/load.ts";
import { openDatabase } from "./platform/database/connection.ts";
import { createMigration, migrate } from "./platform/database/migrate.ts";
import { runCommand } from "./platform/run-command.ts";

const { values } = parseArgs({ options: { create: { type: "string" } } });

await runCommand(async () => {
  const lines = values.create === undefined ? await applyMissing() : await create(values.create);
  process.stdout.write(`${lines.join("\n")}\n`);
  return 0;
});

async function applyMissing(): Promise<string[]> {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = readConfig({ isCommand: true });
  const db = await openDatabase({ databaseUrl, dataDir, poolSize: 2 });
  const applied = await migrate(db).finally(() => db.close());
  return applied.length > 0 ? applied.map((name) => `Applied ${name}`) : ["The database is up to date"];
}

async function create(name: string): Promise<string[]> {
  const scratch = await openDatabase({ dataDir: "memory://" });
  const written = await createMigration(scratch, name).finally(() => scratch.close());
  return [written === null ? "schema.prisma has no changes to migrate" : `Created prisma/migrations/${written}`];
}
