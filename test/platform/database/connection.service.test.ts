// @module-tag postgresql
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../src/platform/database/connection.ts";
import { DataDirLockedError, lockDataDir } from "../../../src/platform/database/data-dir-lock.ts";
import { migrate, pendingSchemaChange } from "../../../src/platform/database/migrate.ts";
import { createTestDatabase } from "../../support/database.ts";
import { copyEmbeddedTemplate } from "../../support/template.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "satchel-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("the embedded database", () => {
  it("locks its folder until it is closed", async () => {
    await copyEmbeddedTemplate(inject("embeddedTemplate"), folder);
    const first = await openDatabase({ dataDir: folder });
    await expect(openDatabase({ dataDir: folder })).rejects.toThrow(DataDirLockedError);
    await first.executeSql("CREATE TABLE stored (n int); INSERT INTO stored VALUES (7)");
    await first.close();
    const second = await openDatabase({ dataDir: folder });
    expect(await second.query({ name: "stored", text: "SELECT n FROM stored" }, [])).toEqual([{ n: 7 }]);
    await second.close();
  });

  it("releases the lock when its process is killed", async () => {
    const module = JSON.stringify(join(import.meta.dirname, "../../../src/platform/database/data-dir-lock.ts"));
    // Collects what nothing refers to: the lock must not depend on a reference that its holder retains.
    const script = `import(${module}).then(({ lockDataDir }) => { lockDataDir(${JSON.stringify(folder)}); gc(); console.log("locked"); setInterval(() => {}, 1000); })`;
    const child = spawn(process.execPath, ["--expose-gc", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    expect(() => lockDataDir(folder)).toThrow(DataDirLockedError);
    child.kill("SIGKILL");
    await once(child, "exit");
    lockDataDir(folder)();
  });
});

describe("query on both databases", () => {
  it("returns bigint as bigint, numeric as text and timestamps as Date", async () => {
    const { db, close } = await createTestDatabase();
    const text = `SELECT 9007199254740993::bigint AS big, 0.1::numeric(78, 1) AS number, to_timestamp(0) AS at,
      '{"a":[1]}'::jsonb AS json, ARRAY['x'] AS list, DATE '2026-11-20' AS day, NULL::text AS nothing`;
    expect(await db.query({ name: "types", text }, [])).toEqual([
      {
        big: 9007199254740993n,
        number: "0.1",
        at: new Date(0),
        json: { a: [1] },
        list: ["x"],
        day: "2026-11-20",
        nothing: null,
      },
    ]);
    await close();
  });
});

it("applies migrations once, and they result in exactly the schema of schema.prisma", async () => {
  const db = await openDatabase({ dataDir: "memory://" });
  expect(await pendingSchemaChange(db)).toBe("");
  expect(await migrate(db)).not.toEqual([]);
  expect(await migrate(db)).toEqual([]);
  await db.close();
});

it("applies a migration script as a whole or not at all", async () => {
  const { db, close } = await createTestDatabase();
  try {
    const run = (script: string) =>
      db.withMigrationAdapter(async (factory) => (await factory.connect()).executeScript(script));
    await expect(run("CREATE TABLE half (n int); SELECT 1 / 0; CREATE TABLE other (n int)")).rejects.toThrow();
    await run("CREATE TABLE whole (n int); -- a comment; with a semicolon\nINSERT INTO whole VALUES (1);");
    const { rows } = await db.executeSql("SELECT to_regclass('half') AS half, to_regclass('whole')::text AS whole");
    expect(rows).toEqual([{ half: null, whole: "whole" }]);
  } finally {
    await close();
  }
});
