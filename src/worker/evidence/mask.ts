/**
 * Masks card fields, and card numbers in page text, with dots. Works in every frame, before the first paint and regardless
 * of the page's content security policy.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { BrowserContext, ElementHandle, Locator, Page } from "playwright-core";

/** Attribute of masked elements. */
const MARK = "data-satchel-mask";
/** A function expression; the file ends it with a semicolon. */
const SCRIPT = readFileSync(join(import.meta.dirname, "in-page", "mask.js"), "utf8").replace(/;\s*$/, "");
const call = (merchantOrigins: readonly string[] | null) =>
  `(${SCRIPT})(${JSON.stringify({ mark: MARK, merchantOrigins })})`;
const SCAN_ONCE = call(null);

/**
 * Installs the masking script in all pages of a context.
 * On the merchant's origins only fields with a `cc-*` autocomplete value are masked, on others all fields.
 */
export async function maskPages(context: BrowserContext, merchantOrigins: readonly string[]): Promise<void> {
  await context.addInitScript(call(merchantOrigins));
}

/** Masks one field. @throws when the field would still show its content */
export async function maskField(field: Locator | ElementHandle): Promise<void> {
  const isMasked = await (field as Locator).evaluate(maskElement, MARK);
  if (!isMasked) throw new Error("A card field could not be masked. It was not filled.");
}

/**
 * Masks values that scripts set without a DOM mutation. Returns false if a frame did not respond in time; it may then show
 * anything.
 */
export async function maskNow(page: Page, timeoutMs: number): Promise<boolean> {
  const scans = page.frames().map(async (frame) => {
    await frame.evaluate(SCAN_ONCE).catch((error: Error) => {
      // A detached frame shows nothing any more.
      if (!frame.isDetached()) throw error;
    });
  });
  const done = Promise.all(scans).then(
    () => true,
    () => false,
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, false);
  });
  return await Promise.race([done, late]).finally(() => clearTimeout(timer));
}

/** The members of a DOM element used below. */
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
function maskElement(element: unknown, mark: string): boolean {
  const field = element as Field;
  field.setAttribute(mark, "");
  // An important inline style takes precedence over the page's style sheets.
  field.style.setProperty("-webkit-text-security", "disc", "important");
  if (field.tagName === "SELECT" || field.getAttribute("type") === "password") return true;
  const style = field.ownerDocument.defaultView?.getComputedStyle(field);
  return style?.getPropertyValue("-webkit-text-security") === "disc";
}
