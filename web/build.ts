/**
 * Builds the pages into `web/dist`. Runs when packages are installed, and at start if a source file is newer than the build.
 * `node web/build.ts` builds and prints the size of the largest initial load.
 */
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const WEB = import.meta.dirname;
export const DIST = join(WEB, "dist");
const COMPRESSIBLE = /\.(js|css|svg)$/;

/** Compressed sizes of the scripts and styles that a page loads before it renders. */
export interface InitialLoad {
  readonly scriptBytes: number;
  readonly styleBytes: number;
}

type Manifest = Record<
  string,
  { file: string; imports?: string[]; css?: string[]; isEntry?: boolean; isDynamicEntry?: boolean }
>;

/** Builds the pages if the build is missing or older than the sources. */
export async function ensureBuilt(onProgress: (message: string) => void): Promise<void> {
  if (await isUpToDate()) return;
  onProgress("Building the pages");
  await build();
}

/** Builds into a new directory, and replaces `web/dist` only after success. */
export async function build(): Promise<InitialLoad> {
  const { default: config } = await import("./vite.config.ts");
  const { build: bundle } = await import("vite");
  const outDir = `${DIST}.${process.pid}`;
  try {
    await runAsProduction(() =>
      bundle({ ...config, configFile: false, build: { ...config.build, outDir, emptyOutDir: true } }),
    );
    await compressAll(join(outDir, "assets"));
    const load = await largestInitialLoad(outDir);
    await replaceDist(outDir);
    return load;
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

/** Replaces `web/dist` by renaming, because a running service may serve files from it. With concurrent builds, either may win. */
async function replaceDist(outDir: string): Promise<void> {
  const previousDir = `${outDir}.earlier`;
  await rename(DIST, previousDir).catch(ignoreErrors("ENOENT"));
  await rename(outDir, DIST).catch(ignoreErrors("ENOTEMPTY", "EEXIST"));
  await rm(previousDir, { recursive: true, force: true });
}

const ignoreErrors =
  (...codes: readonly string[]) =>
  (error: NodeJS.ErrnoException) => {
    if (!codes.includes(error.code ?? "")) throw error;
  };

/** Runs `work` with NODE_ENV=production and restores it. Vite reads NODE_ENV: a build started by tests would contain React's development version. */
async function runAsProduction<Result>(work: () => Promise<Result>): Promise<Result> {
  const previous = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  try {
    return await work();
  } finally {
    if (previous === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = previous;
  }
}

/** Returns the largest initial load among the pages of a build. */
export async function largestInitialLoad(dist: string = DIST): Promise<InitialLoad> {
  const manifest = JSON.parse(await readFile(join(dist, ".vite/manifest.json"), "utf8")) as Manifest;
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry);
  const pages = Object.keys(manifest).filter((key) => manifest[key]?.isDynamicEntry && key.includes("-page."));
  const loads = await Promise.all(
    [...pages, null].map(async (page) => {
      const files = filesOf(manifest, page === null ? entries : [...entries, page]);
      const sized = await Promise.all(
        files.map(async (file) => [file, await compressedBytes(join(dist, file))] as const),
      );
      const sum = (end: string) => sized.reduce((all, [file, bytes]) => (file.endsWith(end) ? all + bytes : all), 0);
      return { scriptBytes: sum(".js"), styleBytes: sum(".css") };
    }),
  );
  return loads.reduce((most, load) => (load.scriptBytes > most.scriptBytes ? load : most));
}

function filesOf(manifest: Manifest, keys: readonly string[], seen = new Set<string>()): string[] {
  for (const key of keys) {
    const chunk = manifest[key];
    if (!chunk || seen.has(chunk.file)) continue;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) seen.add(file);
    filesOf(manifest, chunk.imports ?? [], seen);
  }
  return [...seen];
}

async function compressedBytes(file: string): Promise<number> {
  return (await stat(`${file}.br`)).size;
}

/** Writes a brotli and a gzip copy of each text file, so that requests need no compression. */
async function compressAll(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => COMPRESSIBLE.test(name));
  await Promise.all(
    names.map(async (name) => {
      const content = await readFile(join(folder, name));
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.byteLength };
      await Promise.all([
        promisify(brotliCompress)(content, { params }).then((bytes) => writeFile(join(folder, `${name}.br`), bytes)),
        promisify(gzip)(content, { level: 9 }).then((bytes) => writeFile(join(folder, `${name}.gz`), bytes)),
      ]);
    }),
  );
}

async function isUpToDate(): Promise<boolean> {
  const builtMs = (await stat(join(DIST, "index.html")).catch(() => null))?.mtimeMs;
  return builtMs !== undefined && builtMs >= (await newestSourceMs(WEB));
}

async function newestSourceMs(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true });
  const times = await Promise.all(
    entries
      .filter(({ name }) => !name.startsWith("dist") && !name.endsWith(".md"))
      .map((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? newestSourceMs(path) : stat(path).then(({ mtimeMs }) => mtimeMs);
      }),
  );
  return Math.max(0, ...times);
}

if (import.meta.main) {
  const { scriptBytes, styleBytes } = await build();
  const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} KB`;
  process.stdout.write(
    `Built the pages. Largest initial load: ${kilobytes(scriptBytes)} of JavaScript, ${kilobytes(styleBytes)} of CSS.\n`,
  );
}
