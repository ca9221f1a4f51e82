/** Live view of one order: sends pictures while the page is visible, and the required action. */
import type { Frame, Page } from "playwright-core";
import type { InputMessage, NeededFor, WorkerMessage } from "../../checkout/worker-protocol/live-messages.ts";
import { VIEWPORT } from "../browser.ts";
import type { PartyOf } from "./page-party.ts";
import { createScreencast } from "./screencast.ts";
import { watchShownPage } from "./shown-page.ts";
import { createViewerInput } from "./viewer-input.ts";

export interface Viewer {
  /** Resolves when the picture has been sent to the viewer. */
  sendPicture(jpeg: Buffer): Promise<void>;
  message(message: WorkerMessage): void;
  close(): void;
}

export interface LiveView {
  /** Returns false when the maximum number of viewers is reached or the order has ended. */
  join(viewer: Viewer): boolean;
  leave(viewer: Viewer): void;
  /** Applies input from a viewer who is allowed to act. */
  accept(message: InputMessage): void;
  readonly isHidden: boolean;
  /** Hides the page until `show` is called for every reason. Resolves when no picture is in flight. */
  hide(reason: string): Promise<void>;
  show(reason: string): Promise<void>;
  requireAction(action: NeededFor): void;
  /** Sets the frame that shows the 3-D Secure challenge, until another action or none is required. */
  setChallengeFrame(frame: Frame | null): void;
  /** Returns the security code that a viewer enters. Rejects with the signal. */
  securityCode(signal: AbortSignal): Promise<string>;
  end(): Promise<void>;
}

/** Each service node admits eight viewers with a link and eight of the owner. The limit covers several nodes. */
const MAX_VIEWERS = 64;

export function createLiveView(page: Page, partyOf: PartyOf): LiveView {
  const viewers = new Set<Viewer>();
  const reasons = new Set<string>();
  const input = createViewerInput(page, partyOf);
  let requiredAction: NeededFor = null;
  let resolveCode: ((code: string) => void) | null = null;
  let latest: Buffer | null = null;
  let isEnded = false;
  let isRunning = false;
  let syncing = Promise.resolve();

  const isVisible = () => viewers.size > 0 && reasons.size === 0 && !isEnded;
  const screencast = createScreencast(page, async (jpeg) => {
    if (!isVisible()) return;
    latest = jpeg;
    // The slowest viewer sets the pace: the next picture follows when all have received this one.
    await Promise.all([...viewers].map((viewer) => viewer.sendPicture(jpeg)));
  });
  const broadcast = (message: WorkerMessage) => {
    for (const viewer of viewers) viewer.message(message);
  };
  const shownPage = watchShownPage(page, partyOf, broadcast);

  /** Starts or stops the screencast to match the current state. Calls are serialised. */
  function syncScreencast(): Promise<void> {
    syncing = syncing.then(async () => {
      if (isVisible() === isRunning) return;
      isRunning = isVisible();
      await (isRunning ? screencast.start() : screencast.stop()).catch(() => {});
    });
    return syncing;
  }

  function setChallengeFrame(frame: Frame | null): void {
    shownPage.setChallengeFrame(frame);
    input.setChallengeFrame(frame);
  }

  return {
    join(viewer) {
      if (isEnded || viewers.size >= MAX_VIEWERS) return false;
      viewers.add(viewer);
      viewer.message({ type: "size", ...VIEWPORT });
      viewer.message(shownPage.current);
      const [reason] = reasons;
      if (reason !== undefined) viewer.message({ type: "paused", reason });
      if (requiredAction !== null) viewer.message({ type: "person-needed", for: requiredAction });
      if (latest && isVisible()) void viewer.sendPicture(latest);
      void syncScreencast();
      return true;
    },
    leave(viewer) {
      viewers.delete(viewer);
      void syncScreencast();
    },
    accept(message) {
      if (message.type === "security-code") resolveCode?.(message.code);
      else if (requiredAction === "three_d_secure" && reasons.size === 0) input.accept(message);
    },
    get isHidden() {
      return reasons.size > 0;
    },
    async hide(reason) {
      const wasHidden = reasons.size > 0;
      reasons.add(reason);
      latest = null;
      if (!wasHidden) broadcast({ type: "paused", reason });
      await syncScreencast();
    },
    async show(reason) {
      if (!reasons.delete(reason) || reasons.size > 0) return;
      broadcast({ type: "resumed" });
      await syncScreencast();
    },
    requireAction(action) {
      requiredAction = action;
      if (action === "three_d_secure") input.allow();
      else input.forbid();
      if (action !== "three_d_secure") setChallengeFrame(null);
      broadcast({ type: "person-needed", for: action });
    },
    setChallengeFrame,
    async securityCode(signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const onAbort = () => reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      resolveCode = resolve;
      try {
        return await promise;
      } finally {
        resolveCode = null;
        signal.removeEventListener("abort", onAbort);
      }
    },
    async end() {
      isEnded = true;
      latest = null;
      input.forbid();
      await syncScreencast();
      broadcast({ type: "ended" });
      for (const viewer of viewers) viewer.close();
      viewers.clear();
    },
  };
}
