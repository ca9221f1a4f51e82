/** An installed Chromium has its socket below the temporary folders of worker and order. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { launchBrowser } from "../../src/worker/browser.ts";

/** As long as the folders of a worker and of its order (`worker-folder.ts`, `order-processes.ts`). */
const NESTED = "satchel-w-4194304-XXXXXX/o-XXXXXX";
const NO_BROWSER = { chromiumPath: "/bin/false", allowLoopback: true };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "t"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function useTemporary(path: string): void {
  mkdirSync(path, { recursive: true });
  vi.stubEnv("TMPDIR", path);
}

it("refuses a TMPDIR that leaves no space for the socket", async () => {
  useTemporary(join(folder, "a".repeat(80)));
  await expect(launchBrowser(NO_BROWSER)).rejects.toThrow("TMPDIR is too long");
});

it("leaves space for the socket below the folder of a test run", async () => {
  const length = join("/dev/shm/st-4194304-XXXXXX", NESTED).length;
  useTemporary(join(folder, "x".repeat(length - folder.length - 1)));
  await expect(launchBrowser(NO_BROWSER)).rejects.not.toThrow("TMPDIR");
});

it("leaves space for the socket below /tmp", async () => {
  const parent = folder.slice("/tmp".length).length;
  useTemporary(join(folder, NESTED.slice(parent)));
  await expect(launchBrowser(NO_BROWSER)).rejects.not.toThrow("TMPDIR");
});
