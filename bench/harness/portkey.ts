/**
 * `@portkey-ai/gateway`, installed by its first measurement and stored in the cache folder. It is no dependency of the repository,
 * because only this benchmark uses its 95 packages.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const PACKAGE = "@portkey-ai/gateway";
const VERSION = "1.15.2";
const INSTALL_TIMEOUT_MS = 180_000;

/** Returns the path of the program, or the reason that it is missing. */
export async function installPortkey(): Promise<{ readonly entry: string } | { readonly missing: string }> {
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const folder = join(cache, `satchel-bench/portkey-${VERSION}`);
  const entry = join(folder, "node_modules", PACKAGE, "build/start-server.js");
  if (existsSync(entry)) return { entry };
  try {
    await mkdir(folder, { recursive: true });
    const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const install = ["install", "--prefix", folder, ...options, `${PACKAGE}@${VERSION}`];
    await promisify(execFile)("npm", install, { timeout: INSTALL_TIMEOUT_MS });
  } catch (error) {
    const [line = ""] = (error as Error).message.split("\n").filter((text) => text.startsWith("npm error"));
    return { missing: `${PACKAGE}: installation failed. ${line}`.trim() };
  }
  return existsSync(entry) ? { entry } : { missing: `${PACKAGE}: version ${VERSION} does not contain ${entry}` };
}
