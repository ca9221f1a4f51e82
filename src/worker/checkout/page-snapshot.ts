/** Reads the visible content of a page and its frames into one snapshot, without interpreting it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ElementHandle, Frame, JSHandle, Page } from "playwright-core";
import { DocumentView, type PageField } from "./document-view.ts";
import { withTimeout } from "./with-timeout.ts";

/** A document with handles to its elements. The handles remain bound to this document after its frame navigates. */
export interface FrameView extends DocumentView {
  readonly frame: Frame;
  /** URL as reported by the browser. `about:` and similar URLs have no origin, even if the document inherits one. */
  readonly url: string;
  /** Returns an element by index; null once it no longer exists. */
  element(index: number): Promise<ElementHandle<HTMLElement> | null>;
  /** Returns the index of a selector's first match; -1 without a match or if it is not a visible field or control. */
  indexOf(selector: string): Promise<number>;
}

export interface PageView {
  readonly page: Page;
  readonly main: FrameView;
  /** All other readable documents, including nested frames. */
  readonly inner: readonly FrameView[];
}

const inPage = (name: string) =>
  readFileSync(join(import.meta.dirname, "in-page", name), "utf8")
    .trimEnd()
    .replace(/;$/, "");
/** Each file of `in-page` is a function. The first receives the others. */
const READ_DOCUMENT = `(${inPage("read-document.js")})(${["dom.js", "fields.js", "controls.js", "totals.js"].map(inPage).join(",\n")})`;
const MAX_FRAMES = 40;
const RETRY_MS = 50;
const PAGE_MS = 10_000;
const FRAME_MS = 3_000;

/**
 * Reads the current page, and retries until `timeMs` if it navigates during the read. Returns null if the page does not
 * respond by then, for example before a navigation.
 * @throws when the page is closed, or when the last attempt fails
 */
export async function snapshotPage(page: Page, timeMs = PAGE_MS): Promise<PageView | null> {
  const untilMs = performance.now() + timeMs;
  for (;;) {
    try {
      const main = await withTimeout(readFrame(page.mainFrame()), timeMs);
      if (!main) return null;
      const others = page
        .frames()
        .filter((frame) => frame !== page.mainFrame() && !frame.isDetached())
        .slice(0, MAX_FRAMES);
      // A frame that cannot be read is skipped, because frames may be removed at any time.
      const inner = await Promise.all(others.map((frame) => withTimeout(readFrame(frame), FRAME_MS).catch(() => null)));
      return { page, main, inner: inner.filter((view) => view !== null) };
    } catch (error) {
      if (performance.now() > untilMs || page.isClosed()) throw error;
      await page.waitForLoadState("domcontentloaded", { timeout: timeMs }).catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

async function readFrame(frame: Frame): Promise<FrameView> {
  const reading: JSHandle<{ view: unknown; elements: HTMLElement[] }> = await frame.evaluateHandle(READ_DOCUMENT);
  // The evaluation below fails if the frame has navigated, so the URL belongs to the read document.
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

/** Returns all documents of the page, the main one first. */
export function documentsOf({ main, inner }: PageView): readonly FrameView[] {
  return [main, ...inner];
}

/** Returns a description of a field or control for the evidence. It contains an attribute or the label, never the value. */
export function describe({ autocomplete, name, id, label }: Partial<PageField>, tag = ""): string {
  if (autocomplete && autocomplete !== "off" && autocomplete !== "on") return `${tag}[autocomplete="${autocomplete}"]`;
  if (name) return `${tag}[name="${name}"]`;
  if (id) return `${tag}#${id}`;
  return `${tag}:label("${(label ?? "").slice(0, 60)}")`;
}
