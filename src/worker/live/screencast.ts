/** Screencast of a page. The browser sends the next picture after the previous one was acknowledged. */
import { setTimeout as after } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";
import { VIEWPORT } from "../browser.ts";

export interface Screencast {
  start(): Promise<void>;
  /** Resolves after the last picture. */
  stop(): Promise<void>;
}

const FORMAT = { format: "jpeg", quality: 60, maxWidth: VIEWPORT.width, maxHeight: VIEWPORT.height } as const;
/** Limits the rate to ten pictures per second, so that the screencast does not slow down the drive. */
const MIN_INTERVAL_MS = 100;
/** The browser skips frames while a picture is in flight, including the last. After this pause the screencast restarts. */
const IDLE_RESTART_MS = 400;

/** @param onPicture resolves when the next picture may be sent */
export function createScreencast(page: Page, onPicture: (jpeg: Buffer) => Promise<void>): Screencast {
  let connecting: Promise<CDPSession> | null = null;
  let isRunning = false;
  let lastData = "";
  let idleTimer: NodeJS.Timeout | undefined;

  async function connect(): Promise<CDPSession> {
    const cdp = await page.context().newCDPSession(page);
    cdp.on("Page.screencastFrame", async ({ data, sessionId }) => {
      clearTimeout(idleTimer);
      const isNew = data !== lastData;
      lastData = data;
      const next = after(MIN_INTERVAL_MS);
      if (isRunning) await onPicture(Buffer.from(data, "base64"));
      await next;
      await cdp.send("Page.screencastFrameAck", { sessionId }).catch(() => {});
      clearTimeout(idleTimer);
      if (isRunning && isNew) idleTimer = setTimeout(() => void restart(cdp).catch(() => {}), IDLE_RESTART_MS);
    });
    return cdp;
  }

  /** Restarts the screencast, which always begins with a picture of the current page. */
  async function restart(cdp: CDPSession): Promise<void> {
    await cdp.send("Page.stopScreencast");
    if (isRunning) await cdp.send("Page.startScreencast", FORMAT);
  }

  return {
    async start() {
      connecting ??= connect();
      const cdp = await connecting;
      isRunning = true;
      await cdp.send("Page.startScreencast", FORMAT);
    },
    async stop() {
      isRunning = false;
      clearTimeout(idleTimer);
      // The page may already be closed.
      await (await connecting)?.send("Page.stopScreencast").catch(() => {});
    },
  };
}
