/** One order as it is watched: pictures while there is something that may be seen, and what a person is needed for. */
import type { Page } from "playwright-core";
import type { InputMessage, NeededFor, WorkerMessage } from "../../checkout/worker-protocol/live-messages.ts";
import { VIEWPORT } from "../browser.ts";
import { createPersonInput } from "./person-input.ts";
import { createScreencast } from "./screencast.ts";

export interface Viewer {
  /** Resolves when the viewer's line has taken it. */
  picture(jpeg: Buffer): Promise<void>;
  word(word: WorkerMessage): void;
  close(): void;
}

export interface LiveView {
  /** False: as many watch as may. */
  join(viewer: Viewer): boolean;
  leave(viewer: Viewer): void;
  /** What a viewer who may act does. */
  accept(word: InputMessage): void;
  readonly isHidden: boolean;
  /** Nobody sees the page until `show` was told each reason that hid it. Resolves when no picture is under way any more. */
  hide(reason: string): Promise<void>;
  show(reason: string): Promise<void>;
  need(what: NeededFor): void;
  /** The code that a person sends while it is needed. Rejects with the signal. */
  securityCode(signal: AbortSignal): Promise<string>;
  end(): Promise<void>;
}

/** Each node of the service lets in eight with a link and eight of the owner; those of one must not take the places of another. */
const MAX_VIEWERS = 64;

export function createLiveView(page: Page): LiveView {
  const viewers = new Set<Viewer>();
  const reasons = new Set<string>();
  const input = createPersonInput(page);
  let needed: NeededFor = null;
  let takeCode: ((code: string) => void) | null = null;
  let latest: Buffer | null = null;
  let isEnded = false;
  let isRunning = false;
  let settling = Promise.resolve();

  const isSeen = () => viewers.size > 0 && reasons.size === 0 && !isEnded;
  const screencast = createScreencast(page, async (jpeg) => {
    if (!isSeen()) return;
    latest = jpeg;
    // The next one comes when the slowest has this one.
    await Promise.all([...viewers].map((viewer) => viewer.picture(jpeg)));
  });
  const tell = (word: WorkerMessage) => {
    for (const viewer of viewers) viewer.word(word);
  };

  /** Starts and stops one after the other, as it is wished by then. */
  function settle(): Promise<void> {
    settling = settling.then(async () => {
      if (isSeen() === isRunning) return;
      isRunning = isSeen();
      await (isRunning ? screencast.start() : screencast.stop()).catch(() => {});
    });
    return settling;
  }

  return {
    join(viewer) {
      if (isEnded || viewers.size >= MAX_VIEWERS) return false;
      viewers.add(viewer);
      viewer.word({ type: "size", ...VIEWPORT });
      const [reason] = reasons;
      if (reason !== undefined) viewer.word({ type: "paused", reason });
      if (needed !== null) viewer.word({ type: "person-needed", for: needed });
      if (latest && isSeen()) void viewer.picture(latest);
      void settle();
      return true;
    },
    leave(viewer) {
      viewers.delete(viewer);
      void settle();
    },
    accept(word) {
      if (word.type === "security-code") takeCode?.(word.code);
      else if (needed === "three_d_secure" && reasons.size === 0) input.accept(word);
    },
    get isHidden() {
      return reasons.size > 0;
    },
    async hide(reason) {
      const wasHidden = reasons.size > 0;
      reasons.add(reason);
      latest = null;
      if (!wasHidden) tell({ type: "paused", reason });
      await settle();
    },
    async show(reason) {
      if (!reasons.delete(reason) || reasons.size > 0) return;
      tell({ type: "resumed" });
      await settle();
    },
    need(what) {
      needed = what;
      if (what === "three_d_secure") input.allow();
      else input.forbid();
      tell({ type: "person-needed", for: what });
    },
    async securityCode(signal) {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const onAbort = () => reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      takeCode = resolve;
      try {
        return await promise;
      } finally {
        takeCode = null;
        signal.removeEventListener("abort", onAbort);
      }
    },
    async end() {
      isEnded = true;
      latest = null;
      input.forbid();
      await settle();
      tell({ type: "ended" });
      for (const viewer of viewers) viewer.close();
      viewers.clear();
    },
  };
}
