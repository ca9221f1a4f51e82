/** Finds the card fields of a page, and decides which origins may receive the card. */
import type { ElementHandle, Frame } from "playwright-core";
import type { FieldPurpose, RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import { addressKind } from "../../platform/egress/addresses.ts";
import { LOCALHOST } from "../../platform/egress/target-url.ts";
import type { PageField } from "./document-view.ts";
import { isOfCard, purposeOf } from "./field-purposes.ts";
import type { MerchantOrigins } from "./merchant-origins.ts";
import { documentsOf, type FrameView, type PageView } from "./page-snapshot.ts";
import { withTimeout } from "./with-timeout.ts";

export interface CardField {
  readonly purpose: FieldPurpose;
  readonly view: FrameView;
  readonly field: PageField;
}

/** Smallest frame that processors use for one field, in pixels. */
const MIN_SIZE = { width: 20, height: 10 };
const FRAME_MS = 2_000;

/** Labels such as "Month" identify card fields only next to a card number field. */
const MONTH = /^(?:month|mm|monat|mois|mes|mese|maand|月)\b/i;
const YEAR = /^(?:year|yy|yyyy|jahr|année|año|anno|jaar|年)\b/i;

/** Returns one field per purpose, those in the card number's document first. Empty without a card number field. */
export async function cardFieldsOf(view: PageView, recipe: RecipeDefinition | null): Promise<CardField[]> {
  const byDocument = await Promise.all(
    documentsOf(view).map(async (document) => {
      const fields = await fieldsIn(document, recipe);
      // A third party with a frame on the page could request the card invisibly.
      return fields.length === 0 || (await isFrameVisible(document.frame)) ? fields : [];
    }),
  );
  const numberDocument = byDocument.find((fields) => fields.some(({ purpose }) => purpose === "card_number"));
  if (!numberDocument) return [];
  // Missing fields are accepted from the card number's own origin and from the main page only.
  const cardOrigins = new Set(
    [view.main.url, ...numberDocument.map(({ view: { url } }) => url)].map((url) => new URL(url).origin),
  );
  const others = byDocument.flat().filter(({ view: { url } }) => cardOrigins.has(new URL(url).origin));
  const found = new Map<FieldPurpose, CardField>();
  for (const field of [...numberDocument, ...others]) {
    if (!found.has(field.purpose)) found.set(field.purpose, field);
  }
  return [...found.values()];
}

async function fieldsIn(view: FrameView, recipe: RecipeDefinition | null): Promise<CardField[]> {
  const fields = view.fields.flatMap((field): CardField[] => {
    const purpose = field.disabled ? null : purposeOf(field);
    return purpose !== null && isOfCard(purpose) ? [{ purpose, view, field }] : [];
  });
  for (const [purpose, selector] of Object.entries(recipe?.fields ?? {}) as [FieldPurpose, string][]) {
    if (!isOfCard(purpose)) continue;
    const index = await view.indexOf(selector);
    const field = view.fields.find((one) => one.index === index);
    if (field) fields.unshift({ purpose, view, field });
  }
  if (!fields.some(({ purpose }) => purpose === "card_number")) return fields;
  const bare = view.fields.flatMap((field): CardField[] => {
    if (purposeOf(field) !== null) return [];
    const caption = [field.label, field.placeholder, field.name].find((text) => MONTH.test(text) || YEAR.test(text));
    return caption === undefined
      ? []
      : [{ purpose: MONTH.test(caption) ? "card_expiry_month" : "card_expiry_year", view, field }];
  });
  return [...fields, ...bare];
}

/** Whether a document is visible: its own frame and every ancestor frame. */
async function isFrameVisible(frame: Frame): Promise<boolean> {
  for (let at: Frame | null = frame; at?.parentFrame(); at = at.parentFrame()) {
    const element = await withTimeout(at.frameElement(), FRAME_MS).catch(() => null);
    if (!element || !(await withTimeout(element.evaluate(isShown, MIN_SIZE), FRAME_MS).catch(() => false)))
      return false;
  }
  return true;
}

/** The members of DOM elements used below. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}
interface FrameElement {
  readonly parentElement: FrameElement | null;
  readonly ownerDocument: {
    readonly documentElement: { readonly scrollWidth: number; readonly scrollHeight: number };
    readonly defaultView: Readonly<Record<"scrollX" | "scrollY", number>> & {
      getComputedStyle(element: FrameElement): { readonly overflowX: string; readonly clipPath: string };
    };
  };
  checkVisibility(options: object): boolean;
  getBoundingClientRect(): Box;
}

/** Runs in the parent page of a frame. */
function isShown(element: unknown, minSize: { readonly width: number; readonly height: number }): boolean {
  const frame = element as FrameElement;
  if (!frame.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
  const { documentElement: root, defaultView: page } = frame.ownerDocument;
  let { left, right, top, bottom } = frame.getBoundingClientRect();
  const clip = (box: Box) => {
    left = Math.max(left, box.left);
    right = Math.min(right, box.right);
    top = Math.max(top, box.top);
    bottom = Math.min(bottom, box.bottom);
  };
  for (let at = frame.parentElement; at?.parentElement; at = at.parentElement) {
    const { overflowX, clipPath } = page.getComputedStyle(at);
    // Content clipped by the body is still reachable by scrolling.
    if (at.parentElement.parentElement && (overflowX !== "visible" || clipPath !== "none")) {
      clip(at.getBoundingClientRect());
    }
  }
  const [x, y] = [-page.scrollX, -page.scrollY];
  clip({ left: x, right: x + root.scrollWidth, top: y, bottom: y + root.scrollHeight });
  return right - left >= minSize.width && bottom - top >= minSize.height;
}

/** Origins whose documents may receive the card. */
export type PinnedOrigins = ReadonlySet<string>;

/**
 * Returns the recipe's frame origins, or without any, the current origins of the card fields. They are fixed before the card
 * is released. Card fields on the merchant's own origins are always included.
 */
export function pinnedOriginsOf(
  fields: readonly CardField[],
  recipe: RecipeDefinition | null,
  merchantOrigins: MerchantOrigins,
): PinnedOrigins {
  const pageUrls = fields
    .map(({ view }) => view.url)
    .filter((url) => recipe?.cardFrameOrigins == null || merchantOrigins.has(url));
  return new Set([...(recipe?.cardFrameOrigins ?? []), ...pageUrls.map((url) => new URL(url).origin)]);
}

/** Whether data sent to a URL cannot be intercepted: it uses TLS or stays on this machine. */
export function isPrivateConnection(address: string): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return url.protocol === "https:" || LOCALHOST.test(host) || addressKind(host) === "loopback";
}

/**
 * Returns the field's element, bound to the document in which it was found. A later document in the same frame receives
 * nothing. Null if that document is not of a pinned origin or no longer exists.
 */
export async function pinnedElement(
  { view, field }: CardField,
  pins: PinnedOrigins,
): Promise<ElementHandle<HTMLElement> | null> {
  const element = await view.element(field.index);
  const owner = await element?.ownerFrame().catch(() => null);
  // The origin comes from the browser, because a page can override anything evaluated in it, including `location`.
  return element && owner === view.frame && pins.has(new URL(owner.url()).origin) ? element : null;
}
