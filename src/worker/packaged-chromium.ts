/**
 * Unpacks the Chromium from the npm package `@sparticuz/chromium` once into the user's cache. The package itself unpacks to
 * `/tmp/chromium` and runs any file it finds there: a partial one after a kill, or one that another user created.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const UNPACK = `import chromium from "@sparticuz/chromium"; process.stdout.write(await chromium.executablePath());`;
/** Unpacking usually lasts seconds. */
const UNPACK_MS = 600_000;
const UNFINISHED = /^chromium-.+\.[0-9a-f]{12}$/;

/**
 * Returns the path of the Chromium executable and unpacks it first if necessary. Safe with concurrent processes, and with
 * processes killed while unpacking.
 * @param cache folder for the unpacked files, which only the current user may write to
 * @throws when the package is not installed or the cache cannot be used
 */
export async function unpackChromium(cache = userCache()): Promise<string> {
  const folder = join(cache, `chromium-${await packageVersion()}`);
  const executable = join(folder, "chromium");
  if (existsSync(executable)) {
    await assertOwnedCache(cache);
    return executable;
  }
  const unpackFolder = `${folder}.${randomBytes(6).toString("hex")}`;
  await mkdir(unpackFolder, { recursive: true, mode: 0o700 });
  try {
    await assertOwnedCache(cache);
    await removeUnfinished(cache);
    const env = { PATH: process.env["PATH"], HOME: unpackFolder, TMPDIR: unpackFolder };
    const options = { cwd: import.meta.dirname, env, timeout: UNPACK_MS / 2, killSignal: "SIGKILL" } as const;
    await promisify(execFile)(process.execPath, ["--input-type=module", "-e", UNPACK], options);
    const unpacked = await open(join(unpackFolder, "chromium"));
    await unpacked.sync().finally(() => unpacked.close());
    // The rename is atomic. If another process was faster, its folder is equally valid.
    await rename(unpackFolder, folder).catch(async () => {
      if (existsSync(executable)) return;
      await rm(folder, { recursive: true, force: true });
      await rename(unpackFolder, folder);
    });
  } finally {
    await rm(unpackFolder, { recursive: true, force: true });
  }
  return executable;
}

/** Removes folders of killed processes, about 200 MB each. */
async function removeUnfinished(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!UNFINISHED.test(name)) continue;
    const path = join(cache, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    // Removal fails for folders that belong to another user or are in use.
    if (Date.now() - mtimeMs > UNPACK_MS) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** Checks that no other user can write to the cache and replace the executable. */
async function assertOwnedCache(cache: string): Promise<void> {
  const { uid, mode } = await stat(cache);
  const isOwnedByUser = process.getuid === undefined || uid === process.getuid();
  if (!isOwnedByUser || (mode & 0o022) !== 0)
    throw new Error(`${cache} must belong to this user and must not be writable by others. Chromium was not started.`);
}

function userCache(): string {
  return join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "satchel");
}

async function packageVersion(): Promise<string> {
  // The package does not export package.json.
  const manifest = new URL("../package.json", import.meta.resolve("@sparticuz/chromium"));
  return (JSON.parse(await readFile(fileURLToPath(manifest), "utf8")) as { version: string }).version;
}
