import { existsSync } from "node:fs";
import type { Browser } from "playwright-core";
import { chromium } from "playwright-core";
import { packagedChromium } from "../../src/worker/packaged-chromium.ts";

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** A real Chromium: the machine's own when it has one, else the one that comes as a package. */
export async function openBrowser(): Promise<Browser> {
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
