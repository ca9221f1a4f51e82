/** What a page shows, with all its frames, as one reading: nothing is decided here. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ElementHandle, Frame, JSHandle, Page } from "playwright-core";
import { DocumentView, type PageField } from "./document-view.ts";
import { withTimeout } from "./with-timeout.ts";

/** One document with a hold on its elements: they are this document's alone, whatever its frame shows later. */
export interface FrameView extends DocumentView {
  readonly frame: Frame;
  /** As the browser knows it. `about:` and the like are of no origin here, whatever they inherit. */
  readonly url: string;
  /** Null once it is gone. */
  element(index: number): Promise<ElementHandle<HTMLElement> | null>;
  /** Of what a selector finds first; -1 where that is no field or control that is seen. */
  indexOf(selector: string): Promise<number>;
}

export interface PageView {
  readonly page: Page;
  readonly main: FrameView;
  /** All others that can be read, nested ones too. */
  readonly inner: readonly FrameView[];
}

const READ_DOCUMENT = readFileSync(join(import.meta.dirname, "in-page", "read-document.js"), "utf8");
const MAX_FRAMES = 40;
const MAX_ATTEMPTS = 5;
const PAGE_MS = 10_000;
const FRAME_MS = 3_000;

/**
 * Reads a page as it is now; again when it changes to another meanwhile. Null where it does not answer in time, as while it
 * waits for its next page. @throws when it is gone
 */
export async function snapshotPage(page: Page, timeMs = PAGE_MS): Promise<PageView | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const main = await withTimeout(readFrame(page.mainFrame()), timeMs);
      if (!main) return null;
      const others = page
        .frames()
        .filter((frame) => frame !== page.mainFrame() && !frame.isDetached())
        .slice(0, MAX_FRAMES);
      // Frames come and go: what cannot be read is not there.
      const inner = await Promise.all(others.map((frame) => withTimeout(readFrame(frame), FRAME_MS).catch(() => null)));
      return { page, main, inner: inner.filter((view) => view !== null) };
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || page.isClosed()) throw error;
      await page.waitForLoadState("domcontentloaded", { timeout: timeMs }).catch(() => {});
    }
  }
}

async function readFrame(frame: Frame): Promise<FrameView> {
  const reading: JSHandle<{ view: unknown; elements: HTMLElement[] }> = await frame.evaluateHandle(READ_DOCUMENT);
  // The document was there before and is there after, so it is this one's.
  const url = frame.url() || "about:blank";
  const view = DocumentView.parse(await reading.evaluate(({ view: read }) => read));
  return {
    ...view,
    ...{ frame, url },
    async element(index) {
      const handle = await reading.evaluateHandle(({ elements }, at) => elements[at] ?? null, index).catch(() => null);
      return (handle?.asElement() as ElementHandle<HTMLElement> | null | undefined) ?? null;
    },
    async indexOf(selector) {
      const found = await frame.$(selector).catch(() => null);
      return found
        ? await reading
            .evaluate(({ elements }, element) => elements.indexOf(element), found as ElementHandle<HTMLElement>)
            .catch(() => -1)
        : -1;
    },
  };
}

/** Every document of the page, its own first. */
export function documentsOf({ main, inner }: PageView): readonly FrameView[] {
  return [main, ...inner];
}

/** How a field or control is named in the evidence: by what found it, never by what is in it. */
export function describe({ autocomplete, name, id, label }: Partial<PageField>, tag = ""): string {
  if (autocomplete && autocomplete !== "off" && autocomplete !== "on") return `${tag}[autocomplete="${autocomplete}"]`;
  if (name) return `${tag}[name="${name}"]`;
  if (id) return `${tag}#${id}`;
  return `${tag}:label("${(label ?? "").slice(0, 60)}")`;
}
