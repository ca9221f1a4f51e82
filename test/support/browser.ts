import { existsSync } from "node:fs";
import type { Browser } from "playwright-core";
import { chromium } from "playwright-core";
import { unpackChromium } from "../../src/worker/packaged-chromium.ts";

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

let shared: Promise<Browser> | null = null;

/** Returns the Chromium shared by all files of a vitest worker. Each test opens its own contexts. It ends with the worker. */
export function getSharedBrowser(): Promise<Browser> {
  shared ??= openBrowser();
  return shared;
}

/** Launches the installed Chromium, or else the packaged one. */
async function openBrowser(): Promise<Browser> {
  const installed = INSTALLED.find((path) => existsSync(path));
  const executablePath = installed ?? (await unpackChromium());
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      // No separate GPU process and no software rasteriser: saves a quarter of a page's cost.
      "--in-process-gpu",
      "--disable-software-rasterizer",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
    ],
  });
}
