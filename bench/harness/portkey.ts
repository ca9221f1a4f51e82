/** `@portkey-ai/gateway`, installed when it is first measured and kept in the cache folder: nobody else has use for its 95 packages. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const PACKAGE = "@portkey-ai/gateway";
const VERSION = "1.15.2";
const INSTALL_TIMEOUT_MS = 180_000;

/** The program to start, or why there is none. */
export async function installPortkey(): Promise<{ readonly entry: string } | { readonly missing: string }> {
  const cache = process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache");
  const folder = join(cache, `satchel-bench/portkey-${VERSION}`);
  const entry = join(folder, "node_modules", PACKAGE, "build/start-server.js");
  if (existsSync(entry)) return { entry };
  try {
    await mkdir(folder, { recursive: true });
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    const install = ["install", "--prefix", folder, ...quiet, `${PACKAGE}@${VERSION}`];
    await promisify(execFile)("npm", install, { timeout: INSTALL_TIMEOUT_MS });
  } catch (error) {
    const [line = ""] = (error as Error).message.split("\n").filter((text) => text.startsWith("npm error"));
    return { missing: `${PACKAGE}: it could not be installed. ${line}`.trim() };
  }
  return existsSync(entry) ? { entry } : { missing: `${PACKAGE}: version ${VERSION} has no ${entry}` };
}
