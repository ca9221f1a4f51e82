/** What a page shows, with all its frames, as one reading: nothing is decided here. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ElementHandle, Frame, JSHandle, Page } from "playwright-core";
import { inTime } from "./in-time.ts";

/** A field that a person sees. Texts are as the page writes them, bounded. */
export interface PageField {
  readonly index: number;
  /** `text`, `email`, `radio`, `select`, `textarea` … */
  readonly type: string;
  readonly autocomplete: string;
  readonly name: string;
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly described: string;
  /** The legend or heading of what it stands in, innermost first. */
  readonly group: string;
  readonly inputMode: string;
  readonly maxLength: number | null;
  /** Null where it is not read: passwords, and what looks like the number of a card. */
  readonly value: string | null;
  readonly isEmpty: boolean;
  readonly checked: boolean;
  readonly required: boolean;
  readonly disabled: boolean;
  readonly invalid: boolean;
  /** Which form of the document; -1: none. */
  readonly form: number;
  readonly options: readonly { readonly value: string; readonly text: string; readonly disabled: boolean }[];
}

/** What can be clicked. */
export interface PageControl {
  readonly index: number;
  readonly tag: string;
  readonly text: string;
  readonly name: string;
  readonly id: string;
  readonly href: string | null;
  readonly disabled: boolean;
  readonly isSubmit: boolean;
  readonly form: number;
  /** Where its form is posted to. */
  readonly posts: string | null;
}

/** What a document says of itself: a stranger's word. */
interface DocumentView {
  readonly title: string;
  readonly isComplete: boolean;
  readonly text: string;
  readonly headings: readonly string[];
  readonly alerts: readonly string[];
  /** Texts of the lines that say a total. */
  readonly totals: readonly string[];
  readonly fields: readonly PageField[];
  readonly controls: readonly PageControl[];
  readonly frames: readonly {
    readonly src: string;
    readonly title: string;
    readonly isShown: boolean;
    readonly isBadge: boolean;
    readonly width: number;
    readonly height: number;
  }[];
}

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
const MOST_FRAMES = 40;
const MOST_ATTEMPTS = 5;
const PAGE_MS = 10_000;
const FRAME_MS = 3_000;

/**
 * Reads a page as it is now; again when it changes to another meanwhile. Null where it does not answer in time, as while it
 * waits for its next page. @throws when it is gone
 */
export async function look(page: Page, timeMs = PAGE_MS): Promise<PageView | null> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const main = await inTime(readFrame(page.mainFrame()), timeMs);
      if (!main) return null;
      const others = page
        .frames()
        .filter((frame) => frame !== page.mainFrame() && !frame.isDetached())
        .slice(0, MOST_FRAMES);
      // Frames come and go: what cannot be read is not there.
      const inner = await Promise.all(others.map((frame) => inTime(readFrame(frame), FRAME_MS).catch(() => null)));
      return { page, main, inner: inner.filter((view) => view !== null) };
    } catch (error) {
      if (attempt >= MOST_ATTEMPTS || page.isClosed()) throw error;
      await page.waitForLoadState("domcontentloaded", { timeout: timeMs }).catch(() => {});
    }
  }
}

async function readFrame(frame: Frame): Promise<FrameView> {
  const reading: JSHandle<{ view: DocumentView; elements: HTMLElement[] }> = await frame.evaluateHandle(READ_DOCUMENT);
  // The document was there before and is there after, so it is this one's.
  const url = frame.url() || "about:blank";
  const view = await reading.evaluate(({ view: read }) => read);
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
