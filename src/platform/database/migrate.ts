/** Applies standard Prisma migrations with the WebAssembly build of Prisma's schema engine, without a binary download. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bindMigrationAwareSqlAdapterFactory } from "@prisma/driver-adapter-utils";
import { type MigrationList, SchemaEngine } from "@prisma/schema-engine-wasm";
import type { Database } from "./connection.ts";

const PRISMA_FOLDER = join(import.meta.dirname, "../../../prisma");
const MIGRATIONS_FOLDER = join(PRISMA_FOLDER, "migrations");
const NO_FILTER = { externalTables: [], externalEnums: [] };

/** Applies the missing migrations and returns their names. Nodes that start concurrently wait for each other. */
export async function migrate(db: Database): Promise<string[]> {
  const migrationsList = await readMigrations();
  return await withEngine(db, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
    return appliedMigrationNames;
  });
}

/** Returns the SQL that migrates from the migrations to `schema.prisma`; empty if they match. Requires an empty database. */
export async function pendingSchemaChange(db: Database): Promise<string> {
  const schema = { path: "schema.prisma", content: await readFile(join(PRISMA_FOLDER, "schema.prisma"), "utf8") };
  const migrations = await readMigrations();
  return await withEngine(db, async (engine) => {
    const { stdout } = await engine.diff({
      from: { tag: "migrations", ...migrations },
      to: { tag: "schemaDatamodel", files: [schema] },
      script: true,
      exitCode: null,
      filters: NO_FILTER,
    });
    return (stdout ?? "").replaceAll(/^-- This is an empty migration\.\s*$/gm, "").trim();
  });
}

/** Writes the pending schema change as a new migration folder. Returns its name, or null if nothing is pending. */
export async function createMigration(db: Database, name: string): Promise<string | null> {
  const script = await pendingSchemaChange(db);
  if (!script) return null;
  const stamp = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const folder = join(MIGRATIONS_FOLDER, `${stamp}_${name}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "migration.sql"), `${script}\n`);
  await writeFile(join(MIGRATIONS_FOLDER, "migration_lock.toml"), 'provider = "postgresql"\n');
  return `${stamp}_${name}`;
}

async function readMigrations(): Promise<MigrationList> {
  const entries = await readdir(MIGRATIONS_FOLDER, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
  const migrationDirectories = await Promise.all(
    names.map(async (path) => ({
      path,
      migrationFile: {
        path: "migration.sql",
        content: { tag: "ok" as const, value: await readFile(join(MIGRATIONS_FOLDER, path, "migration.sql"), "utf8") },
      },
    })),
  );
  return {
    baseDir: MIGRATIONS_FOLDER,
    lockfile: { path: "migration_lock.toml", content: 'provider = "postgresql"\n' },
    shadowDbInitScript: "",
    migrationDirectories,
  };
}

async function withEngine<Result>(db: Database, run: (engine: SchemaEngine) => Promise<Result>): Promise<Result> {
  const schema = { path: "schema.prisma", content: await readFile(join(PRISMA_FOLDER, "schema.prisma"), "utf8") };
  return await db.withMigrationAdapter(async (factory) => {
    const adapter = bindMigrationAwareSqlAdapterFactory(factory);
    const engine = await SchemaEngine.new({ datamodels: [[schema.path, schema.content]] }, () => {}, adapter);
    try {
      return await run(engine);
    } finally {
      engine.free();
    }
  });
}
