/** The service on a PostgreSQL database of its own, with a chain to look payments up on. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxEndpoints } from "../../sandbox/endpoints.ts";
import type { SatchelHello, SatchelOptions } from "../servers/satchel.ts";
import { type Child, startChild } from "./child.ts";
import type { Opened } from "./opened.ts";
import { createDatabase } from "./postgresql.ts";
import { startBenchSandbox } from "./sandbox.ts";

export interface BenchService {
  readonly process: Child<SatchelHello>;
  readonly baseUrl: string;
  readonly databaseUrl: string;
  /** A header for each account's token. */
  readonly tokenHeaders: readonly Record<string, string>[];
  readonly sandbox: SandboxEndpoints;
}

/** @param env settings of the service beside those of every bench */
export async function openService(
  opened: Opened,
  serverUrl: string,
  accounts: number,
  env: Readonly<Record<string, string>> = {},
): Promise<BenchService> {
  const database = opened.add(await createDatabase(serverUrl), ({ drop }) => drop());
  const { endpoints } = opened.add(await startBenchSandbox(), ({ stop }) => stop());
  const dataDir = opened.add(await mkdtemp(join(tmpdir(), "satchel-bench-")), (path) =>
    rm(path, { recursive: true, force: true }),
  );
  const options: SatchelOptions = { databaseUrl: database.url, dataDir, accounts, sandbox: endpoints, env };
  const child = opened.add(
    await startChild<SatchelHello>("satchel", { args: [JSON.stringify(options)], isService: true }),
    ({ stop }) => stop(),
  );
  const { baseUrl, accounts: made } = child.hello;
  const tokenHeaders = made.map(({ token }) => ({ "x-service-token": token }));
  return { process: child, baseUrl, databaseUrl: database.url, tokenHeaders, sandbox: endpoints };
}
