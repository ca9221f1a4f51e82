/** Unpacking the packaged Chromium concurrently and after an interrupted attempt. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { unpackChromium } from "../../src/worker/packaged-chromium.ts";

const cache = mkdtempSync(join(tmpdir(), "satchel-test-chromium-"));
afterAll(() => rmSync(cache, { recursive: true, force: true }));

const UNPACK = `
  const { unpackChromium } = await import(${JSON.stringify(new URL("../../src/worker/packaged-chromium.ts", import.meta.url).href)});
  await unpackChromium(${JSON.stringify(cache)});`;

it("is complete after concurrent unpacking and a killed process", async () => {
  const killed = spawn(process.execPath, ["--input-type=module", "-e", UNPACK], { detached: true, stdio: "ignore" });
  const isUnpacking = () => readdirSync(cache).some((name) => existsSync(join(cache, name, "chromium")));
  await expect.poll(isUnpacking, { interval: 10 }).toBe(true);
  process.kill(-(killed.pid ?? 0), "SIGKILL");
  await once(killed, "exit");
  const [partial = ""] = readdirSync(cache);
  utimesSync(join(cache, partial), 0, 0);

  const [first, second] = await Promise.all([unpackChromium(cache), unpackChromium(cache)]);
  expect(second).toBe(first);
  expect(first.startsWith(cache)).toBe(true);
  expect(readdirSync(cache)).toEqual([basename(dirname(first))]);
  const { stdout } = await promisify(execFile)(first, ["--version", "--no-sandbox"]);
  expect(stdout).toMatch(/Chrom\w+ \d+\./);
});
