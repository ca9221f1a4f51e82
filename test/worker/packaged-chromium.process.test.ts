/** The Chromium of the package, unpacked by several at once and by one that is killed on the way. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { packagedChromium } from "../../src/worker/packaged-chromium.ts";

const cache = mkdtempSync(join(tmpdir(), "satchel-test-chromium-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

const UNPACK = `
  const { packagedChromium } = await import(${JSON.stringify(new URL("../../src/worker/packaged-chromium.ts", import.meta.url).href)});
  await packagedChromium(${JSON.stringify(cache)});`;

it("is whole, whoever unpacks it and is killed", async () => {
  const killed = spawn(process.execPath, ["--input-type=module", "-e", UNPACK], { detached: true, stdio: "ignore" });
  const isUnpacking = () => readdirSync(cache).some((name) => existsSync(join(cache, name, "chromium")));
  await expect.poll(isUnpacking, { interval: 10 }).toBe(true);
  process.kill(-(killed.pid ?? 0), "SIGKILL");
  await once(killed, "exit");
  const [left = ""] = readdirSync(cache);
  utimesSync(join(cache, left), 0, 0);

  const [first, second] = await Promise.all([packagedChromium(cache), packagedChromium(cache)]);
  expect(second).toBe(first);
  expect(first.startsWith(cache)).toBe(true);
  expect(readdirSync(cache)).toEqual([basename(dirname(first))]);
  const { stdout } = await promisify(execFile)(first, ["--version", "--no-sandbox"]);
  expect(stdout).toMatch(/Chrom\w+ \d+\./);
});
