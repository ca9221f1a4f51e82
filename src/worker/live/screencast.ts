/** The page as pictures, for as long as somebody watches: the browser makes the next one when the last was taken in. */
import { setTimeout as after } from "node:timers/promises";
import type { CDPSession, Page } from "playwright-core";
import { VIEWPORT } from "../browser.ts";

export interface Screencast {
  start(): Promise<void>;
  /** No picture comes any more once it resolves. */
  stop(): Promise<void>;
}

const FORMAT = { format: "jpeg", quality: 60, maxWidth: VIEWPORT.width, maxHeight: VIEWPORT.height } as const;
/** Ten pictures a second show what happens; more would slow down what is done. */
const SHORTEST_INTERVAL_MS = 100;
/** The browser leaves out what it draws while pictures are under way, the last one too: after so long without one it is asked anew. */
const QUIET_MS = 400;

/** @param onPicture resolves when the next one may come */
export function createScreencast(page: Page, onPicture: (jpeg: Buffer) => Promise<void>): Screencast {
  let connecting: Promise<CDPSession> | null = null;
  let isRunning = false;
  let last = "";
  let quiet: NodeJS.Timeout | undefined;

  async function connect(): Promise<CDPSession> {
    const browser = await page.context().newCDPSession(page);
    browser.on("Page.screencastFrame", async ({ data, sessionId }) => {
      clearTimeout(quiet);
      const isNew = data !== last;
      last = data;
      const next = after(SHORTEST_INTERVAL_MS);
      if (isRunning) await onPicture(Buffer.from(data, "base64"));
      await next;
      await browser.send("Page.screencastFrameAck", { sessionId }).catch(() => {});
      clearTimeout(quiet);
      if (isRunning && isNew) quiet = setTimeout(() => void beginAgain(browser).catch(() => {}), QUIET_MS);
    });
    return browser;
  }

  /** A screencast begins with the page as it stands. */
  async function beginAgain(browser: CDPSession): Promise<void> {
    await browser.send("Page.stopScreencast");
    if (isRunning) await browser.send("Page.startScreencast", FORMAT);
  }

  return {
    async start() {
      connecting ??= connect();
      const browser = await connecting;
      isRunning = true;
      await browser.send("Page.startScreencast", FORMAT);
    },
    async stop() {
      isRunning = false;
      clearTimeout(quiet);
      // The page may be gone, and its pictures with it.
      await (await connecting)?.send("Page.stopScreencast").catch(() => {});
    },
  };
}
