import { existsSync } from "node:fs";
import type { Browser } from "playwright-core";
import { chromium } from "playwright-core";
import { packagedChromium } from "../../src/worker/packaged-chromium.ts";

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

let shared: Promise<Browser> | null = null;

/** The Chromium that all files of a vitest worker share: a test opens contexts of its own. It ends with the worker. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= openBrowser();
  return shared;
}

/** A real Chromium: the machine's own when it has one, else the one that comes as a package. */
async function openBrowser(): Promise<Browser> {
  const installed = INSTALLED.find((path) => existsSync(path));
  const executablePath = installed ?? (await packagedChromium());
  return chromium.launch({
    executablePath,
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      // No process of its own for what draws, and no drawing card in software: a quarter of what a page costs.
      "--in-process-gpu",
      "--disable-software-rasterizer",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
    ],
  });
}
