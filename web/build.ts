/**
 * Builds the pages into `web/dist`. Runs when packages are installed, and again at start when a source is newer than what
 * was built. `node web/build.ts` builds and prints what a visitor loads.
 */
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const WEB = import.meta.dirname;
export const DIST = join(WEB, "dist");
const COMPRESSIBLE = /\.(js|css|svg)$/;

/** Script and style that the heaviest page loads first, compressed, in bytes. */
export interface FirstLoad {
  readonly scriptBytes: number;
  readonly styleBytes: number;
}

type Manifest = Record<
  string,
  { file: string; imports?: string[]; css?: string[]; isEntry?: boolean; isDynamicEntry?: boolean }
>;

/** Builds when there is no build, or an older one than the sources. */
export async function ensureBuilt(onProgress: (message: string) => void): Promise<void> {
  if (await isFresh()) return;
  onProgress("Building the pages");
  await build();
}

/** Builds beside what is there, and replaces it only when all went well. */
export async function build(): Promise<FirstLoad> {
  const { default: config } = await import("./vite.config.ts");
  const { build: bundle } = await import("vite");
  const outDir = `${DIST}.${process.pid}`;
  try {
    await asProduction(() =>
      bundle({ ...config, configFile: false, build: { ...config.build, outDir, emptyOutDir: true } }),
    );
    await compressAll(join(outDir, "assets"));
    const load = await firstLoad(outDir);
    await replaceBy(outDir);
    return load;
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

/** Takes the earlier build away whole, as somebody may be served from it. Of two that build at once either will do. */
async function replaceBy(outDir: string): Promise<void> {
  const earlier = `${outDir}.earlier`;
  await rename(DIST, earlier).catch(unless("ENOENT"));
  await rename(outDir, DIST).catch(unless("ENOTEMPTY", "EEXIST"));
  await rm(earlier, { recursive: true, force: true });
}

const unless =
  (...codes: readonly string[]) =>
  (error: NodeJS.ErrnoException) => {
    if (!codes.includes(error.code ?? "")) throw error;
  };

/** Vite goes by NODE_ENV, and sets it: a build that tests begin would be React's for development. */
async function asProduction<Result>(work: () => Promise<Result>): Promise<Result> {
  const given = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  try {
    return await work();
  } finally {
    if (given === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = given;
  }
}

/** What the heaviest page of a build loads before it shows. */
export async function firstLoad(dist: string = DIST): Promise<FirstLoad> {
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

/** Every file once more as brotli and gzip, so that no request waits for a compressor. */
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

async function isFresh(): Promise<boolean> {
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
    `Built the pages: the heaviest loads ${kilobytes(scriptBytes)} of script and ${kilobytes(styleBytes)} of style.\n`,
  );
}
