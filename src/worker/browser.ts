/**
 * Chromium for checkouts, with one browser context per order. The pages are untrusted, so the browser
 * reaches public addresses only and inherits no environment variables except `PATH`.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { startGuardedProxy } from "../platform/egress/guarded-proxy.ts";
import { routeSockets } from "./checkout/gate/sockets.ts";
import { unpackChromium } from "./packaged-chromium.ts";
import { isRunningAsRoot } from "./running-as-root.ts";

export interface WorkerBrowser {
  /** Chromium version, such as `148.0.7778.96`. */
  readonly version: string;
  /** False after the browser exited, crashed or was closed. */
  isConnected(): boolean;
  /** Creates an isolated context for one order. It shares no cookies, cache or storage with other orders. */
  openContext(): Promise<BrowserContext>;
  close(): Promise<void>;
}

export interface BrowserOptions {
  /** Path of the executable, or `packaged`. Null: an installed Chromium, otherwise the packaged one. */
  readonly chromiumPath: string | null;
  /** Whether pages may reach loopback addresses. Allowed in a sandbox only. */
  readonly allowLoopback: boolean;
}

export const VIEWPORT = { width: 1_280, height: 900 } as const;

/** Value of `CHROMIUM_PATH` for the packaged Chromium, although another is installed. */
const PACKAGED = "packaged";
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
  // Playwright routes see no requests of shared workers or `fetchLater`, as with service workers.
  "--disable-shared-workers",
  "--disable-blink-features=FetchLaterAPI",
  // All DNS look-ups and datagrams must go through the proxy.
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
];
/**
 * Separate processes for the merchant's page and the payment processor's frame. Not set for the packaged headless shell.
 * There, Playwright receives no events from a page that navigates to the origin of one of its own frames. Pages do so
 * when they lead to the bank after the payment.
 */
const ISOLATED = ["--site-per-process"];
/** Chromium refuses to run its own sandbox as root. */
const AS_ROOT = ["--no-sandbox", "--no-zygote"];

/** Returns the path of the installed Chromium that workers use by default. */
export function findInstalledChromium(): string | undefined {
  return INSTALLED.find((path) => existsSync(path));
}

/** Limit of `sun_path`, without the final zero. */
const MAX_SOCKET_PATH_BYTES = process.platform === "linux" ? 107 : 103;

/** An installed Chromium does not start if the path of its socket is too long. @throws {Error} that names TMPDIR */
function assertSocketFits(temporary: string): void {
  const socket = join(temporary, "org.chromium.Chromium.XXXXXX", "SingletonSocket");
  if (Buffer.byteLength(socket) <= MAX_SOCKET_PATH_BYTES) return;
  throw new Error(`TMPDIR is too long for Chromium's socket ${socket}. Use a shorter path.`);
}

/** Starts Chromium behind a guarded proxy. @throws when no Chromium can be started */
export async function launchBrowser({ chromiumPath, allowLoopback }: BrowserOptions): Promise<WorkerBrowser> {
  const installed = chromiumPath === PACKAGED ? undefined : (chromiumPath ?? findInstalledChromium());
  const executablePath = installed ?? (await unpackChromium());
  const isRoot = isRunningAsRoot();
  const home = await mkdtemp(join(tmpdir(), "b-"));
  if (installed) assertSocketFits(tmpdir());
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
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: home,
        TMPDIR: tmpdir(),
        XDG_CONFIG_HOME: home,
        XDG_CACHE_HOME: home,
      },
      timeout: LAUNCH_MS,
      // The worker handles signals itself, because it waits for submitted payments before it exits.
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
        // The machine's locale may be invalid ("en-US@posix"), and some page scripts then fail.
        locale: "en-US",
        // Playwright routes see no requests of service workers.
        serviceWorkers: "block",
        acceptDownloads: false,
        reducedMotion: "reduce",
      });
      // Chromium intercepts a page's requests only if a route existed when its document loaded. Without this route, a page
      // that loads while the pay gate is installed would bypass the gate. The route also disables the HTTP cache and makes
      // Playwright allow every cross-origin request.
      await context.route(
        () => true,
        (route) => route.fallback(),
      );
      await routeSockets(context);
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
