/** Decides which documents of a payment page may receive the card, and verifies that they remain until it is submitted. */
import type { ElementHandle, Frame } from "playwright-core";
import { isOriginMatch } from "../../checkout/worker-protocol/card-entry.ts";
import type { PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import { addressKind } from "../../platform/egress/addresses.ts";
import { LOCALHOST } from "../../platform/egress/target-url.ts";
import { type CardDocument, type CardField, cardDocumentsOf, type PinnedOrigins } from "./card-fields.ts";
import { CheckoutEndedError } from "./ending.ts";
import { isOfCard, type Purpose } from "./field-purposes.ts";
import { frameChainOf, isFrameInFormOf, isInForm } from "./frame-elements.ts";
import type { MerchantOrigins } from "./merchant-origins.ts";
import type { PageView } from "./page-snapshot.ts";

/** What decides where a card may be entered. */
export interface CardRules {
  readonly session: { readonly job: Pick<PurchaseJob, "cardEntry" | "processorOrigins"> };
  readonly merchantOrigins: MerchantOrigins;
  readonly recipe: RecipeDefinition | null;
}

export interface CardFieldSearch {
  /** One field per purpose, those in the card number's document first. Empty without a card number field. */
  readonly fields: readonly CardField[];
  /** Why the card must not be released on this page, naming the origins; null if there is no reason. */
  readonly objection: string | null;
}

/**
 * Finds the fields that may receive the card. Several permitted documents with a number field are an objection: one origin
 * may serve all customers of a processor, and any frame can navigate there. With pinned frame origins, other frames are
 * ignored if the pay control has a form. Without, a number field of any other origin is an objection.
 * @param payControl the control that submits the payment; null if it no longer exists
 */
export async function findCardFields(
  view: PageView,
  payControl: ElementHandle | null,
  rules: CardRules,
): Promise<CardFieldSearch> {
  const isPinned = rules.session.job.cardEntry.frameOrigins !== null;
  const documents = await cardDocumentsOf(view, rules.recipe);
  const permissions = await Promise.all(documents.map((document) => mayReceive(document, view, payControl, rules)));
  const permitted = documents.filter((_, index) => permissions[index]);
  const requesting = documents.filter(({ hasNumberField }) => hasNumberField);
  const refused = requesting.find((document) => !permitted.includes(document));
  const fields = selectFields(permitted, view, rules.merchantOrigins);
  const origins = [...new Set(requesting.map(({ view: { url } }) => originOf(url)))];
  const number = requesting.filter((document) => permitted.includes(document));
  const framed = requesting.filter(({ view: { url } }) => !rules.merchantOrigins.has(url));
  const isFormless = payControl !== null && !(await isInForm(payControl));
  if (!isPinned && origins.length > 1)
    return { fields, objection: `Card fields of several origins: ${origins.join(", ")}`.slice(0, 300) };
  const contenders = isFormless && framed.length > number.length ? framed : number;
  if (contenders.length > 1) {
    const places = contenders.map(({ view: { url } }) => originOf(url)).join(", ");
    return { fields, objection: `Card number fields in several frames: ${places}`.slice(0, 300) };
  }
  const isRefused = refused && (!isPinned || fields.length === 0);
  return { fields, objection: isRefused ? `The card may not be entered at ${originOf(refused.view.url)}` : null };
}

/** Whether a document may receive the card, by its own origin and that of every frame around it. */
async function mayReceive(
  { view: document }: CardDocument,
  { main }: PageView,
  payControl: ElementHandle | null,
  { session, merchantOrigins }: CardRules,
): Promise<boolean> {
  if (!merchantOrigins.has(main.url)) return false;
  const { processorOrigins, cardEntry } = session.job;
  const { frameOrigins } = cardEntry;
  const isTrusted = (url: string) =>
    merchantOrigins.has(url) ||
    (frameOrigins
      ? frameOrigins.includes(originOf(url))
      : processorOrigins.some((pattern) => isOriginMatch(pattern, url)));
  const chain = frameChainOf(document.frame);
  // An advertisement could contain a frame of a processor, with an account of its own.
  if (!isTrusted(document.url) || !chain.every((frame) => isTrusted(frame.url()))) return false;
  if (merchantOrigins.has(document.url)) return true;
  // The control of a processor's frame that has the whole form; `payment-page.ts` decides whether it may be used.
  if (payControl !== null && (await payControl.ownerFrame().catch(() => null)) === document.frame) return true;
  const outermost = chain.at(-1);
  return outermost !== undefined && payControl !== null && (await isFrameInFormOf(outermost, payControl));
}

function selectFields(
  documents: readonly CardDocument[],
  { main }: PageView,
  merchantOrigins: MerchantOrigins,
): CardField[] {
  const numberDocument = documents.find(({ hasNumberField }) => hasNumberField);
  if (!numberDocument) return [];
  // Missing fields are accepted from the card number's own origin and from the main page only.
  const origins = [main.url, numberDocument.view.url].map(originOf);
  const others = documents.filter(({ view }) => origins.includes(originOf(view.url)));
  const found = new Map<Purpose, CardField>();
  for (const field of [numberDocument, ...others].flatMap(({ fields }) => fields)) {
    // In the merchant's own frames, these belong to its address forms.
    if (!isOfCard(field.purpose) && merchantOrigins.has(field.view.url)) continue;
    if (!found.has(field.purpose)) found.set(field.purpose, field);
  }
  return [...found.values()];
}

/** Returns the pinned frame origins and those of the card fields. */
export function pinnedOriginsOf(
  fields: readonly CardField[],
  { frameOrigins }: PurchaseJob["cardEntry"],
): PinnedOrigins {
  return new Set([...(frameOrigins ?? []), ...fields.map(({ view }) => originOf(view.url))]);
}

/** The page's main frame, the frames with card fields and all between, with their origins before the card was released. */
export type PinnedFrames = ReadonlyMap<Frame, string>;

export function pinFrames({ main }: PageView, fields: readonly CardField[]): PinnedFrames {
  const pins = new Map([[main.frame, originOf(main.url)]]);
  for (const frame of fields.flatMap(({ view }) => frameChainOf(view.frame))) pins.set(frame, originOf(frame.url()));
  // The origins of the documents that were read, because a frame may have navigated since.
  for (const { view } of fields) pins.set(view.frame, originOf(view.url));
  return pins;
}

/**
 * @param options.mayBeRemoved whether frames may have been removed, as pages do after the press
 * @throws {CheckoutEndedError} a pinned frame was removed, or shows a document of another origin
 */
export function assertUnmoved(pins: PinnedFrames, { mayBeRemoved = false } = {}): void {
  for (const [frame, origin] of pins) {
    // The origin comes from the browser, because a page can override anything evaluated in it, including `location`.
    const current = originOf(frame.url());
    if (current !== origin)
      throw new CheckoutEndedError("missing_field", `A page at ${origin} was replaced by one at ${current}`);
    if (frame.isDetached() && !mayBeRemoved)
      throw new CheckoutEndedError("missing_field", `A card frame of ${origin} was removed`);
  }
}

/**
 * Returns the field's element, bound to the document in which it was found. A later document in the same frame receives
 * nothing. Null if that document no longer exists. @throws {CheckoutEndedError} a pinned frame changed
 */
export async function pinnedElement(
  { view, field }: CardField,
  pins: PinnedFrames,
): Promise<ElementHandle<HTMLElement> | null> {
  const element = await view.element(field.index);
  const owner = await element?.ownerFrame().catch(() => null);
  assertUnmoved(pins);
  return element && owner === view.frame && pins.get(owner) === originOf(view.url) ? element : null;
}

/** Whether data sent to a URL cannot be intercepted: it uses TLS or stays on this machine. */
export function isPrivateConnection(address: string): boolean {
  const url = URL.parse(address);
  if (!url) return false;
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return url.protocol === "https:" || LOCALHOST.test(host) || addressKind(host) === "loopback";
}

const originOf = (url: string) => URL.parse(url)?.origin ?? "null";
