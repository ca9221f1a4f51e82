/** The service with its own PostgreSQL database and a sandbox chain. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxEndpoints } from "../../sandbox/endpoints.ts";
import { openDatabase } from "../../src/platform/database/connection.ts";
import { migrate } from "../../src/platform/database/migrate.ts";
import type { SatchelHello, SatchelOptions } from "../servers/satchel.ts";
import { type Child, startChild } from "./child.ts";
import { createDatabase } from "./postgresql.ts";
import type { Resources } from "./resources.ts";
import { startBenchSandbox } from "./sandbox.ts";

export interface BenchService {
  readonly process: Child<SatchelHello>;
  readonly baseUrl: string;
  readonly databaseUrl: string;
  /** Token header of each account. */
  readonly tokenHeaders: readonly Record<string, string>[];
  readonly sandbox: SandboxEndpoints;
}

/**
 * Starts the service.
 * @param env additional environment variables of the service
 * @param fill adds rows to the migrated database before the service starts
 */
export async function openService(
  resources: Resources,
  serverUrl: string,
  accounts: number,
  env: Readonly<Record<string, string>> = {},
  fill?: (databaseUrl: string) => Promise<void>,
): Promise<BenchService> {
  const database = resources.add(await createDatabase(serverUrl), ({ drop }) => drop());
  if (fill) {
    const db = await openDatabase({ databaseUrl: database.url, dataDir: "" });
    await migrate(db).finally(() => db.close());
    await fill(database.url);
  }
  const { endpoints } = resources.add(await startBenchSandbox(), ({ stop }) => stop());
  const dataDir = resources.add(await mkdtemp(join(tmpdir(), "satchel-bench-")), (path) =>
    rm(path, { recursive: true, force: true }),
  );
  const options: SatchelOptions = { databaseUrl: database.url, dataDir, accounts, sandbox: endpoints, env };
  const child = resources.add(
    await startChild<SatchelHello>("satchel", { args: [JSON.stringify(options)], isService: true }),
    ({ stop }) => stop(),
  );
  const { baseUrl, accounts: created } = child.hello;
  const tokenHeaders = created.map(({ token }) => ({ "x-service-token": token }));
  return { process: child, baseUrl, databaseUrl: database.url, tokenHeaders, sandbox: endpoints };
}
