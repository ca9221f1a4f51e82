/** Describes the page that the live view shows: its origin, its certificate and who operates it. */
import type { Frame, Page, Response } from "playwright-core";
import {
  MAX_HOST_LENGTH,
  MAX_ORIGIN_LENGTH,
  type WorkerMessage,
} from "../../checkout/worker-protocol/live-messages.ts";
import type { PartyOf } from "./page-party.ts";

export type PageMessage = Extract<WorkerMessage, { type: "page" }>;

export interface ShownPage {
  readonly current: PageMessage;
  /** Sets the frame that shows a 3-D Secure challenge; null or the main frame: no such frame. */
  setChallengeFrame(frame: Frame | null): void;
}

/** Number of origins whose certificates are retained, for pages that return without a new response. */
const MAX_CERTIFICATES = 20;

/** @param onChange called with each new description */
export function watchShownPage(page: Page, partyOf: PartyOf, onChange: (message: PageMessage) => void): ShownPage {
  const certificateHosts = new Map<string, string | null>();
  let challengeFrame: Frame | null = null;
  let current = describePage();

  function describePage(): PageMessage {
    const place = describePlace(page.url(), partyOf);
    const isFrameShown = challengeFrame && challengeFrame !== page.mainFrame() && !challengeFrame.isDetached();
    return {
      type: "page",
      ...place,
      certificateHost: (place.origin !== null && certificateHosts.get(place.origin)) || null,
      frame: isFrameShown && challengeFrame ? describePlace(challengeFrame.url(), partyOf) : null,
    };
  }

  function update(): void {
    const next = describePage();
    if (JSON.stringify(next) === JSON.stringify(current)) return;
    current = next;
    onChange(next);
  }

  page.on("framenavigated", update);
  page.on("framedetached", update);
  page.on("response", async (response) => {
    const origin = originOf(response.url());
    if (origin === null || !isMainDocument(page, response)) return;
    const details = await response.securityDetails().catch(() => null);
    certificateHosts.delete(origin);
    certificateHosts.set(origin, details?.subjectName?.slice(0, MAX_HOST_LENGTH) || null);
    const [oldest] = certificateHosts.keys();
    if (certificateHosts.size > MAX_CERTIFICATES && oldest !== undefined) certificateHosts.delete(oldest);
    update();
  });

  return {
    get current() {
      return current;
    },
    setChallengeFrame(frame) {
      challengeFrame = frame;
      update();
    },
  };
}

function describePlace(url: string, partyOf: PartyOf): Pick<PageMessage, "origin" | "party"> {
  const origin = originOf(url);
  return { origin, party: origin === null ? "unknown" : partyOf(origin) };
}

/** Returns null for documents without an origin. Longer origins are not truncated, because their end names the site. */
function originOf(url: string): string | null {
  const origin = URL.parse(url)?.origin ?? "null";
  return /^https?:/.test(origin) && origin.length <= MAX_ORIGIN_LENGTH ? origin : null;
}

function isMainDocument(page: Page, response: Response): boolean {
  try {
    return response.request().isNavigationRequest() && response.frame() === page.mainFrame();
  } catch {
    // The response belongs to no frame of the page.
    return false;
  }
}
