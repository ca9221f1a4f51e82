/**
 * The token that authenticates checkout workers: configured, or stored in the data directory for workers on the same
 * host.
 */
import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../platform/config/load.ts";

/** Tokens of workers and service. Each sends the first, and accepts all. */
export type WorkerTokens = readonly [string, ...string[]];

/** Returns the configured tokens or the stored one. Creates and stores one if there is none. */
export async function readWorkerTokens({
  WORKER_TOKEN: configured,
  DATA_DIR: dataDir,
}: Pick<Config, "WORKER_TOKEN" | "DATA_DIR">): Promise<WorkerTokens> {
  const [first, ...others] = configured;
  if (first !== undefined) return [first, ...others];
  const path = join(dataDir, "worker.token");
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(path, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const token = (await readFile(path, "utf8")).trim();
  if (token.length < 32) {
    throw new Error(`${path} does not contain a worker token. Delete the file; the next start creates a new one.`);
  }
  return [token];
}
