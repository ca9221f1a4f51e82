/**
 * Quote and order requests, parsed once. Quote, approval and dispatch read only the parsed values, never the raw input
 * (spec sections 2.12 and 4.8).
 */
import { code as currencyOf } from "currency-codes";
import { isStorableText } from "../platform/database/text.ts";
import { InvalidRequestError } from "../platform/errors.ts";
import { checkAll } from "../platform/validation.ts";
import { canonicalDigest } from "./canonical-digest.ts";
import { ShipToMismatchError } from "./dispatch/errors.ts";
import { CONSTRAINT_FIELDS, type Constraints, checkConstraints } from "./quote/constraints.ts";
import type { PickupRequest } from "./quote/pickup.ts";
import type { CartItem } from "./quote/quote.ts";
import { type DeliveryAddress, parseDeliveryAddress, SHIP_TO_FIELDS, type ShipToInput } from "./quote/ship-to.ts";
import { toRestNames } from "./rest-names.ts";

/** An optional input field; null and undefined are equivalent. */
type Optional<Value> = Value | null | undefined;

export interface CartInput {
  readonly merchantId: string;
  readonly items: readonly { readonly sku: string; readonly quantity?: Optional<number> }[];
  readonly fulfillmentOptionId?: Optional<string>;
  readonly pickupLocation?: Optional<string>;
  readonly pickupLocationId?: Optional<string>;
  readonly shipTo?: Optional<ShipToInput>;
  readonly constraints?: Optional<Readonly<Record<string, unknown>>>;
}

/** Who supplied the confirmation text, if not the cardholder: a program can report it, or invent it. */
export type ConfirmationSource = "reported_by_agent" | "elicited_by_client";

export interface OrderInput extends CartInput {
  readonly amountMinor: number;
  readonly currency?: Optional<string>;
  readonly cardId?: Optional<string>;
  readonly userConfirmationText: string;
  readonly userApprovedAt: Date;
  readonly userConfirmationSource?: Optional<ConfirmationSource>;
  readonly userPrompt?: Optional<string>;
  readonly shipToSha256?: Optional<string>;
  readonly approvalToken?: Optional<string>;
  readonly idempotencyKey?: Optional<string>;
}

/** The cart to price, for a quote and for the order bound to it. */
export interface CartRequest {
  readonly merchantId: string;
  readonly items: readonly CartItem[];
  readonly fulfillmentOptionId: string | null;
  /** Null: no pickup requested. */
  readonly pickup: PickupRequest | null;
  /** Null: the cardholder's address. */
  readonly shipTo: DeliveryAddress | null;
  readonly constraints: Constraints | null;
}

export interface OrderRequest extends CartRequest {
  /** As sent, untrimmed: the digest and the order's row contain this form. */
  readonly pickupLocation: string | null;
  readonly pickupLocationId: string | null;
  /** Quoted amount that the cardholder approved. */
  readonly amountMinor: number;
  readonly currency: string | null;
  /** Null: the default card. */
  readonly cardId: string | null;
  /** The cardholder's literal reply. */
  readonly userConfirmationText: string;
  readonly userApprovedAt: Date;
  /** Null: the caller states the reply as the cardholder's own. */
  readonly userConfirmationSource: ConfirmationSource | null;
  readonly userPrompt: string | null;
  readonly approvalToken: string | null;
  readonly idempotencyKey: string | null;
  /**
   * Identity of the order: SHA-256 over the canonical JSON (RFC 8785) of its contents and approval, under their REST
   * names.
   */
  readonly dispatchSha256: Uint8Array<ArrayBuffer>;
}

const MAX_ITEMS = 50;
const MAX_QUANTITY = 999;
const MAX_SKU_LENGTH = 200;
const MAX_CONFIRMATION_LENGTH = 2_000;
const MAX_PROMPT_LENGTH = 10_000;
const MAX_NAME_LENGTH = 500;
/** Tolerance for clients whose clock runs ahead. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;
/** No dispute of a card payment is possible after this age, so such a time is a mistake. */
const MAX_APPROVAL_AGE_MS = 3 * 365 * 86_400_000;

/** Parses a cart to quote. @throws {ShipToInvalidError | ConstraintsInvalidError | InvalidRequestError} naming the field */
export function parseCartRequest(input: CartInput): CartRequest {
  const shipTo = input.shipTo ? parseDeliveryAddress(input.shipTo) : null;
  const constraints = checkConstraints(input.constraints ?? null);
  return {
    merchantId: input.merchantId,
    items: parseItems(input.items),
    fulfillmentOptionId: input.fulfillmentOptionId ?? null,
    pickup: parsePickup(input),
    shipTo,
    constraints,
  };
}

/**
 * Parses an order to dispatch.
 * @throws {ShipToInvalidError | ConstraintsInvalidError | InvalidRequestError} naming the field
 * @throws {ShipToMismatchError} `shipToSha256` is not the digest of `shipTo`
 */
export function parseOrderRequest(input: OrderInput): OrderRequest {
  const ordered = {
    merchantId: input.merchantId,
    userConfirmationSource: input.userConfirmationSource ?? null,
    ...checkAll({
      amountMinor: () => checkAmount(input.amountMinor),
      userConfirmationText: () => parseConfirmation(input),
      userApprovedAt: () => checkApprovedAt(input.userApprovedAt),
      approvalToken: () => rejectEmpty(rejectEmpty(input, "cardId"), "approvalToken").approvalToken ?? null,
      items: () => parseItems(input.items),
      currency: () => parseCurrency(input.currency ?? null),
      cardId: () => parseText(input, "cardId", MAX_NAME_LENGTH),
      userPrompt: () => parseText(input, "userPrompt", MAX_PROMPT_LENGTH),
      fulfillmentOptionId: () => parseText(input, "fulfillmentOptionId", MAX_NAME_LENGTH),
      pickupLocation: () => parseText(input, "pickupLocation", MAX_NAME_LENGTH),
      pickupLocationId: () => parseText(input, "pickupLocationId", MAX_NAME_LENGTH),
      shipTo: () => (input.shipTo ? parseDeliveryAddress(input.shipTo) : null),
      constraints: () => checkConstraints(input.constraints ?? null),
    }),
  };
  const shipToSha256 = parseText(input, "shipToSha256", MAX_NAME_LENGTH)?.toLowerCase() ?? null;
  // Precedes the look-up of an earlier order: a request with another address is not a repetition.
  if (shipToSha256 !== null && shipToSha256 !== ordered.shipTo?.sha256) throw new ShipToMismatchError();
  return {
    ...ordered,
    pickup: parsePickup(ordered),
    idempotencyKey: input.idempotencyKey ?? null,
    dispatchSha256: canonicalDigest(restBody(ordered)),
  };
}

function checkAmount(amountMinor: number): number {
  if (Number.isSafeInteger(amountMinor) && amountMinor >= 0) return amountMinor;
  throw new InvalidRequestError("amountMinor must be an integer of at least 0, in minor units.", "amountMinor");
}

function parseConfirmation(input: OrderInput): string {
  const text = parseText(input, "userConfirmationText", MAX_CONFIRMATION_LENGTH);
  if (text !== null && text.trim() !== "") return text;
  throw new InvalidRequestError(
    "userConfirmationText is missing. Send the cardholder's literal reply.",
    "userConfirmationText",
  );
}

function checkApprovedAt(at: Date): Date {
  if (at.getTime() > Date.now() + MAX_CLOCK_SKEW_MS) {
    throw new InvalidRequestError("userApprovedAt must not be in the future.", "userApprovedAt");
  }
  if (at.getTime() < Date.now() - MAX_APPROVAL_AGE_MS) {
    throw new InvalidRequestError("userApprovedAt must be within the last three years.", "userApprovedAt");
  }
  return at;
}

/** Returns the input. An empty value is invalid: treating it as absent could charge a card other than the intended one. */
function rejectEmpty(input: OrderInput, field: "cardId" | "approvalToken"): OrderInput {
  if (input[field] !== "") return input;
  throw new InvalidRequestError(`${field} must not be empty. Send a value or leave it out.`, field);
}

type Ordered = Omit<OrderRequest, "pickup" | "approvalToken" | "idempotencyKey" | "dispatchSha256">;

/**
 * Returns the REST body of the order without absent fields. Excludes the approval token, the idempotency key and fields
 * that only serve comparison.
 */
function restBody({ shipTo, constraints, userApprovedAt, ...order }: Ordered): object {
  const members = {
    merchant_id: order.merchantId,
    items: order.items,
    amount_minor: order.amountMinor,
    currency: order.currency,
    card_alias_id: order.cardId,
    user_confirmation_text: order.userConfirmationText,
    user_approved_at_iso: userApprovedAt.toISOString(),
    user_confirmation_source: order.userConfirmationSource,
    user_prompt: order.userPrompt,
    fulfillment_option_id: order.fulfillmentOptionId,
    pickup_location: order.pickupLocation,
    pickup_location_id: order.pickupLocationId,
    ship_to: shipTo && toRestNames(SHIP_TO_FIELDS, shipTo.address),
    constraints: constraints && toRestNames(CONSTRAINT_FIELDS, constraints),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/** Merges items with the same sku into one line. */
function parseItems(items: CartInput["items"]): CartItem[] {
  if (items.length === 0 || items.length > MAX_ITEMS) {
    throw new InvalidRequestError(`items must contain 1 to ${MAX_ITEMS} items.`, "items");
  }
  const quantities = new Map<string, number>();
  items.forEach(({ sku, quantity }, index) => {
    const name = sku.trim();
    if (name === "" || name.length > MAX_SKU_LENGTH) {
      const field = `items[${index}].sku`;
      throw new InvalidRequestError(`${field} must have 1 to ${MAX_SKU_LENGTH} characters.`, field);
    }
    const sum = (quantities.get(name) ?? 0) + (quantity ?? 1);
    if (!Number.isInteger(sum) || (quantity ?? 1) < 1 || sum > MAX_QUANTITY) {
      const field = `items[${index}].quantity`;
      throw new InvalidRequestError(`${field} must be an integer from 1 to ${MAX_QUANTITY}.`, field);
    }
    quantities.set(name, sum);
  });
  return [...quantities].map(([sku, quantity]) => ({ sku, quantity }));
}

type PickupInput = Pick<CartInput, "pickupLocation" | "pickupLocationId">;

function parsePickup({ pickupLocation, pickupLocationId }: PickupInput): PickupRequest | null {
  const name = pickupLocation?.trim() || null;
  const locationId = pickupLocationId || null;
  return name === null && locationId === null ? null : { name, locationId };
}

type TextField =
  | "userConfirmationText"
  | "userPrompt"
  | "cardId"
  | "fulfillmentOptionId"
  | "pickupLocation"
  | "pickupLocationId"
  | "shipToSha256";

/** Returns the text unchanged, because the cardholder's reply is evidence; null for empty text. */
function parseText(input: OrderInput, field: TextField, maxLength: number): string | null {
  const text = input[field] || null;
  if (text !== null && (text.length > maxLength || !isStorableText(text))) {
    throw new InvalidRequestError(`${field} must be valid text of at most ${maxLength} characters.`, field);
  }
  return text;
}

function parseCurrency(code: string | null): string | null {
  if (code === null) return null;
  if (!/^[A-Z]{3}$/.test(code) || currencyOf(code) === undefined) {
    throw new InvalidRequestError("currency must be an ISO 4217 code such as GBP.", "currency");
  }
  return code;
}
