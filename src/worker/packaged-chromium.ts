/**
 * The Chromium that comes as a package, unpacked once into the user's own cache. The package itself unpacks to
 * `/tmp/chromium` and runs whatever it finds there: half a file after a kill, or what another user put.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const UNPACK = `import chromium from "@sparticuz/chromium"; process.stdout.write(await chromium.executablePath());`;
/** Seconds, as a rule. */
const UNPACK_MS = 600_000;
const UNFINISHED = /^chromium-.+\.[0-9a-f]{12}$/;

/**
 * @param cache where it is unpacked, and found the next time
 * @returns the path of the executable; any number of processes may ask at once, and be killed
 * @throws when the package is not installed, or the cache cannot be written
 */
export async function packagedChromium(cache = userCache()): Promise<string> {
  const folder = join(cache, `chromium-${await packageVersion()}`);
  const executable = join(folder, "chromium");
  if (existsSync(executable)) return executable;
  const own = `${folder}.${randomBytes(6).toString("hex")}`;
  await mkdir(own, { recursive: true, mode: 0o700 });
  await forgetBroken(cache);
  try {
    const env = { PATH: process.env["PATH"], HOME: own, TMPDIR: own };
    const options = { cwd: import.meta.dirname, env };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", UNPACK], options);
    if (basename(stdout) !== "chromium") throw new Error(`Chromium was unpacked elsewhere: ${stdout}`);
    // Whole, or not there. Another process may have been faster: its folder is as good.
    await rename(own, folder).catch((error: unknown) => {
      if (!existsSync(executable)) throw error;
    });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
  return executable;
}

/** What was killed on the way left two hundred megabytes each time. */
async function forgetBroken(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (!UNFINISHED.test(name)) continue;
    const path = join(cache, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > UNPACK_MS) await rm(path, { recursive: true, force: true });
  }
}

function userCache(): string {
  return join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "satchel");
}

async function packageVersion(): Promise<string> {
  // Its exports leave package.json out.
  const manifest = new URL("../package.json", import.meta.resolve("@sparticuz/chromium"));
  return (JSON.parse(await readFile(fileURLToPath(manifest), "utf8")) as { version: string }).version;
}
