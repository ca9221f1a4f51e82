/**
 * The Chromium that comes as a package, unpacked once into the user's own cache. The package itself unpacks to
 * `/tmp/chromium` and runs whatever it finds there: half a file after a kill, or what another user put.
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
/** Seconds, as a rule. */
const UNPACK_MS = 600_000;
const UNFINISHED = /^chromium-.+\.[0-9a-f]{12}$/;

/**
 * @param cache where it is unpacked, and found the next time
 * @returns the path of the executable; any number of processes may ask at once, and be killed
 * @throws when the package is not installed, or the cache cannot be written, or can be by others
 */
export async function packagedChromium(cache = userCache()): Promise<string> {
  const folder = join(cache, `chromium-${await packageVersion()}`);
  const executable = join(folder, "chromium");
  if (existsSync(executable)) {
    await assertOwn(cache);
    return executable;
  }
  const own = `${folder}.${randomBytes(6).toString("hex")}`;
  await mkdir(own, { recursive: true, mode: 0o700 });
  try {
    await assertOwn(cache);
    await forgetBroken(cache);
    const env = { PATH: process.env["PATH"], HOME: own, TMPDIR: own };
    const options = { cwd: import.meta.dirname, env, timeout: UNPACK_MS / 2, killSignal: "SIGKILL" } as const;
    await promisify(execFile)(process.execPath, ["--input-type=module", "-e", UNPACK], options);
    const unpacked = await open(join(own, "chromium"));
    await unpacked.sync().finally(() => unpacked.close());
    // Whole, or not there. Another process may have been faster: its folder is as good.
    await rename(own, folder).catch(async () => {
      if (existsSync(executable)) return;
      await rm(folder, { recursive: true, force: true });
      await rename(own, folder);
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
    // What cannot be removed is another user's, or in use.
    if (Date.now() - mtimeMs > UNPACK_MS) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** What others may write to, they may have put their own program into. */
async function assertOwn(cache: string): Promise<void> {
  const { uid, mode } = await stat(cache);
  const isOurs = process.getuid === undefined || uid === process.getuid();
  if (!isOurs || (mode & 0o022) !== 0) throw new Error(`${cache} must be this user's, and nobody else's to write to.`);
}

function userCache(): string {
  return join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "satchel");
}

async function packageVersion(): Promise<string> {
  // Its exports leave package.json out.
  const manifest = new URL("../package.json", import.meta.resolve("@sparticuz/chromium"));
  return (JSON.parse(await readFile(fileURLToPath(manifest), "utf8")) as { version: string }).version;
}
