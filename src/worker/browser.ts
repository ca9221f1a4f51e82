/**
 * The browser that checkouts are driven with: one Chromium for all orders of a worker, each on a context of its own. The pages
 * are strangers': it reaches public addresses only, and takes nothing of this process's environment along.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { startGuardedProxy } from "../platform/egress/guarded-proxy.ts";
import { packagedChromium } from "./packaged-chromium.ts";

export interface WorkerBrowser {
  /** Of Chromium, such as `148.0.7778.96`. */
  readonly version: string;
  /** False once it has gone, by itself or closed. */
  isConnected(): boolean;
  /** What one order needs, without a trace of any other. */
  openContext(): Promise<BrowserContext>;
  close(): Promise<void>;
}

export interface BrowserOptions {
  /** Null: an installed Chromium, else the one in the package. */
  readonly chromiumPath: string | null;
  /** Whether pages may reach this machine: in a sandbox only. */
  readonly allowLoopback: boolean;
}

export const VIEWPORT = { width: 1_280, height: 900 } as const;

const INSTALLED = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const LAUNCH_MS = 30_000;
const ACTION_MS = 10_000;
const NAVIGATION_MS = 30_000;

const ARGS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  "--disable-breakpad",
  // What they send no route sees, as with service workers.
  "--disable-shared-workers",
  "--disable-blink-features=FetchLaterAPI",
  // Nothing goes past the proxy: neither names nor datagrams.
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];
/**
 * A shop's page and its processor's frame never share a process. Not in the packaged headless shell: a page that goes on
 * to where one of its frames is from (a bank's, after the card) would never be heard of again.
 */
const ISOLATED = ["--site-per-process"];
/** Chromium refuses to keep its own sandbox under root. */
const AS_ROOT = ["--no-sandbox", "--no-zygote"];

/** @throws when no Chromium can be started */
export async function launchBrowser({ chromiumPath, allowLoopback }: BrowserOptions): Promise<WorkerBrowser> {
  const installed = chromiumPath ?? INSTALLED.find((path) => existsSync(path));
  const executablePath = installed ?? (await packagedChromium());
  const isRoot = process.getuid?.() === 0;
  const home = await mkdtemp(join(tmpdir(), "satchel-browser-"));
  const proxy = await startGuardedProxy({ allowLoopback });
  const giveUp = async () => {
    await proxy.close();
    await rm(home, { recursive: true, force: true });
  };
  let browser: Browser;
  try {
    browser = await chromium.launch({
      executablePath,
      headless: true,
      chromiumSandbox: !isRoot,
      args: [...ARGS, ...(installed ? ISOLATED : []), ...(isRoot ? AS_ROOT : [])],
      proxy: { server: proxy.url, bypass: "<-loopback>" },
      env: { PATH: process.env["PATH"] ?? "", HOME: home, TMPDIR: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home },
      timeout: LAUNCH_MS,
      // The worker decides when it leaves: what was submitted is waited for.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (error) {
    await giveUp();
    throw error;
  }
  return {
    version: browser.version(),
    isConnected: () => browser.isConnected(),
    async openContext() {
      const context = await browser.newContext({
        viewport: VIEWPORT,
        deviceScaleFactor: 1,
        // The machine's may be none ("en-US@posix"), which pages trip over.
        locale: "en-US",
        // A service worker would send what no route sees.
        serviceWorkers: "block",
        acceptDownloads: false,
        reducedMotion: "reduce",
      });
      // Chromium asks before it sends only where somebody routed when the document came: a page that loads while the
      // pay gate is put up would go past it. It also has no cache then, and Playwright allows every cross-origin request.
      await context.route(
        () => true,
        (route) => route.fallback(),
      );
      context.setDefaultTimeout(ACTION_MS);
      context.setDefaultNavigationTimeout(NAVIGATION_MS);
      return context;
    },
    async close() {
      await browser.close().catch(() => {});
      await giveUp();
    },
  };
}
