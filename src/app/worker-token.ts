/** What checkout workers show to be let in: configured, or kept beside the service for workers of the same machine. */
import { randomBytes } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../platform/config/load.ts";

/** Reads it, and makes it where there is none yet. */
export async function readWorkerToken({
  WORKER_TOKEN: configured,
  DATA_DIR: dataDir,
}: Pick<Config, "WORKER_TOKEN" | "DATA_DIR">): Promise<string> {
  if (configured !== undefined) return configured;
  const path = join(dataDir, "worker.token");
  await mkdir(dataDir, { recursive: true });
  try {
    await writeFile(path, randomBytes(32).toString("hex"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const token = (await readFile(path, "utf8")).trim();
  if (token.length < 32) throw new Error(`${path} does not hold a worker's token. Delete it, and a new one is made.`);
  return token;
}
