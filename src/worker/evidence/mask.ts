/**
 * Shows fields of cards, and numbers of cards that a page writes out, as dots: in every frame, before anything is painted, and
 * whatever a page's content security policy says.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, ElementHandle, Locator, Page } from "playwright-core";

/** Marks what is shown as dots. */
const MARK = "data-satchel-mask";
/** An expression, written as a statement. */
const SCRIPT = readFileSync(join(import.meta.dirname, "in-page", "mask.js"), "utf8").replace(/;\s*$/, "");
const call = (shopOrigins: readonly string[] | null) => `(${SCRIPT})(${JSON.stringify({ mark: MARK, shopOrigins })})`;
const LOOK_ONCE = call(null);

/** @param shopOrigins where fields without a mark of the card's are the shop's own; everywhere else all are masked */
export async function maskPages(context: BrowserContext, shopOrigins: readonly string[]): Promise<void> {
  await context.addInitScript(call(shopOrigins));
}

/** @throws when the field would still show what is typed */
export async function maskField(field: Locator | ElementHandle): Promise<void> {
  const isMasked = await (field as Locator).evaluate(hideContent, MARK);
  if (!isMasked) throw new Error("A field of the card would show what is typed into it.");
}

/** Marks what pages wrote out by means that nobody is told of. False when a frame does not answer: it may show anything. */
export async function maskNow(page: Page, timeoutMs: number): Promise<boolean> {
  const looks = page.frames().map(async (frame) => {
    await frame.evaluate(LOOK_ONCE).catch((error: Error) => {
      // Gone meanwhile, with all that it showed.
      if (!frame.isDetached()) throw error;
    });
  });
  const done = Promise.all(looks).then(
    () => true,
    () => false,
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false);
  });
  return await Promise.race([done, late]).finally(() => clearTimeout(timer));
}

/** Of an element of a page, as much as is needed of it. */
interface Field {
  readonly tagName: string;
  readonly style: { setProperty(name: string, value: string, priority: string): void };
  readonly ownerDocument: {
    readonly defaultView: { getComputedStyle(field: Field): { getPropertyValue(name: string): string } } | null;
  };
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
}

/** Runs in the page. */
function hideContent(element: unknown, mark: string): boolean {
  const field = element as Field;
  field.setAttribute(mark, "");
  // Written on the element itself, and important: no style sheet of the page is above it.
  field.style.setProperty("-webkit-text-security", "disc", "important");
  if (field.tagName === "SELECT" || field.getAttribute("type") === "password") return true;
  const style = field.ownerDocument.defaultView?.getComputedStyle(field);
  return style?.getPropertyValue("-webkit-text-security") === "disc";
}
