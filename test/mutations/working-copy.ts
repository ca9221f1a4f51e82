/** Temporary copy of the working tree: mutations never change the developer's files. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

export interface WorkingCopy {
  readonly folder: string;
  /** @throws {Error} if the patch does not apply */
  apply(patch: string): Promise<void>;
  revert(patch: string): Promise<void>;
  remove(): Promise<void>;
}

/** Folders that Git ignores and tests need: installed or generated, never patched. */
const LINKED = ["node_modules", "generated", "web/dist"];

/** Copies all files that Git tracks or would track, with uncommitted changes. Links installed and generated folders. */
export async function copyWorkingTree(root: string): Promise<WorkingCopy> {
  const listed = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], root);
  const folder = await realpath(await mkdtemp(join(tmpdir(), "satchel-mutations-")));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const files = new Set(listed.split("\0").filter((path) => path !== "" && existsSync(join(root, path))));
    for (const parent of new Set([...files, ...LINKED].map(dirname))) {
      await mkdir(join(folder, parent), { recursive: true });
    }
    await Promise.all([...files].map((path) => copyFile(join(root, path), join(folder, path))));
    for (const path of LINKED) await symlink(join(root, path), join(folder, path));
  } catch (error) {
    await remove();
    throw error;
  }
  const git = (...parameters: string[]) => run("git", ["apply", ...parameters], folder);
  return {
    folder,
    apply: async (patch) => void (await git(patch)),
    revert: async (patch) => void (await git("--reverse", patch)),
    remove,
  };
}

async function run(command: string, parameters: readonly string[], cwd: string): Promise<string> {
  // If the temporary folder is inside another repository, `git apply` would use that repository.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(cwd) };
  const { stdout } = await promisify(execFile)(command, [...parameters], { cwd, env, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}
