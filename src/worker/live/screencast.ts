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

/** @param onPicture resolves when the next one may come */
export function createScreencast(page: Page, onPicture: (jpeg: Buffer) => Promise<void>): Screencast {
  let connecting: Promise<CDPSession> | null = null;
  let isRunning = false;

  async function connect(): Promise<CDPSession> {
    const browser = await page.context().newCDPSession(page);
    browser.on("Page.screencastFrame", async ({ data, sessionId }) => {
      const next = after(SHORTEST_INTERVAL_MS);
      if (isRunning) await onPicture(Buffer.from(data, "base64"));
      await next;
      await browser.send("Page.screencastFrameAck", { sessionId }).catch(() => {});
    });
    return browser;
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
      // The page may be gone, and its pictures with it.
      await (await connecting)?.send("Page.stopScreencast").catch(() => {});
    },
  };
}
