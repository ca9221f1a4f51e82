/**
 * What a client asks to have quoted or ordered, parsed once: quote, approval and dispatch read these values and nothing of
 * the input behind them (spec sections 2.12 and 4.8).
 */
import { code as currencyOf } from "currency-codes";
import { isStorableText } from "../platform/database/text.ts";
import { InvalidRequestError } from "../platform/errors.ts";
import { canonicalDigest } from "./canonical-digest.ts";
import { ShipToMismatchError } from "./dispatch/errors.ts";
import { CONSTRAINT_FIELDS, type Constraints, checkConstraints } from "./quote/constraints.ts";
import type { PickupRequest } from "./quote/pickup.ts";
import type { CartItem } from "./quote/quote.ts";
import { type DeliveryAddress, parseDeliveryAddress, SHIP_TO_FIELDS, type ShipToInput } from "./quote/ship-to.ts";
import { underRestNames } from "./rest-names.ts";

/** An input field that may be left out; null is the same. */
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

export interface OrderInput extends CartInput {
  readonly amountMinor: number;
  readonly currency?: Optional<string>;
  readonly cardId?: Optional<string>;
  readonly userConfirmationText: string;
  readonly userApprovedAt: Date;
  readonly userPrompt?: Optional<string>;
  readonly shipToSha256?: Optional<string>;
  readonly approvalToken?: Optional<string>;
  readonly idempotencyKey?: Optional<string>;
}

/** What is priced: the same for a quote and for the order that is bound to it. */
export interface CartRequest {
  readonly merchantId: string;
  readonly items: readonly CartItem[];
  readonly fulfillmentOptionId: string | null;
  /** Null: nothing is to be collected. */
  readonly pickup: PickupRequest | null;
  /** Null: the cardholder's address. */
  readonly shipTo: DeliveryAddress | null;
  readonly constraints: Constraints | null;
}

export interface OrderRequest extends CartRequest {
  /** As it was sent, untrimmed: the digest and the order's row have it so. */
  readonly pickupLocation: string | null;
  readonly pickupLocationId: string | null;
  /** The quoted figure that the cardholder approved. */
  readonly amountMinor: number;
  readonly currency: string | null;
  /** Null: the default card. */
  readonly cardId: string | null;
  /** The cardholder's literal reply. */
  readonly userConfirmationText: string;
  readonly userApprovedAt: Date;
  readonly userPrompt: string | null;
  readonly approvalToken: string | null;
  readonly idempotencyKey: string | null;
  /** SHA-256 over the canonical JSON (RFC 8785) of what is ordered and approved, by its REST names: the order's identity. */
  readonly dispatchSha256: Uint8Array<ArrayBuffer>;
}

const MAX_ITEMS = 50;
const MAX_QUANTITY = 999;
const MAX_SKU_LENGTH = 200;
const MAX_CONFIRMATION_LENGTH = 2_000;
const MAX_PROMPT_LENGTH = 10_000;
const MAX_NAME_LENGTH = 500;
/** Clocks differ. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;
/** The contract sets no bound. An older time is in another unit, or was never said. */
const MAX_APPROVAL_AGE_MS = 10 * 365 * 86_400_000;

/** @throws {ShipToInvalidError | ConstraintsInvalidError | InvalidRequestError} naming the field */
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
 * @throws {ShipToInvalidError | ConstraintsInvalidError | InvalidRequestError} naming the field
 * @throws {ShipToMismatchError} `shipToSha256` is of another address than `shipTo`
 */
export function parseOrderRequest(input: OrderInput): OrderRequest {
  const { amountMinor, userApprovedAt } = input;
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0) {
    throw new InvalidRequestError("amountMinor must be an integer of at least 0, in minor units.", "amountMinor");
  }
  const userConfirmationText = parseText(input, "userConfirmationText", MAX_CONFIRMATION_LENGTH);
  if (userConfirmationText === null || userConfirmationText.trim() === "") {
    throw new InvalidRequestError(
      "userConfirmationText is missing: send the person's own reply.",
      "userConfirmationText",
    );
  }
  if (userApprovedAt.getTime() > Date.now() + MAX_CLOCK_SKEW_MS) {
    throw new InvalidRequestError("userApprovedAt must not lie in the future.", "userApprovedAt");
  }
  if (userApprovedAt.getTime() < Date.now() - MAX_APPROVAL_AGE_MS) {
    throw new InvalidRequestError("userApprovedAt must not lie more than ten years back.", "userApprovedAt");
  }
  // An empty one was meant to be one: taken for none, another card would be charged.
  for (const field of ["cardId", "approvalToken"] as const) {
    if (input[field] === "") throw new InvalidRequestError(`${field} must not be empty: leave it out.`, field);
  }
  const ordered = {
    merchantId: input.merchantId,
    items: parseItems(input.items),
    amountMinor,
    currency: parseCurrency(input.currency ?? null),
    cardId: parseText(input, "cardId", MAX_NAME_LENGTH),
    userConfirmationText,
    userApprovedAt,
    userPrompt: parseText(input, "userPrompt", MAX_PROMPT_LENGTH),
    fulfillmentOptionId: parseText(input, "fulfillmentOptionId", MAX_NAME_LENGTH),
    pickupLocation: parseText(input, "pickupLocation", MAX_NAME_LENGTH),
    pickupLocationId: parseText(input, "pickupLocationId", MAX_NAME_LENGTH),
    shipTo: input.shipTo ? parseDeliveryAddress(input.shipTo) : null,
    constraints: checkConstraints(input.constraints ?? null),
  };
  const shipToSha256 = parseText(input, "shipToSha256", MAX_NAME_LENGTH)?.toLowerCase() ?? null;
  // Before any earlier order is looked up: a repetition that names another address is none.
  if (shipToSha256 !== null && shipToSha256 !== ordered.shipTo?.sha256) throw new ShipToMismatchError();
  return {
    ...ordered,
    pickup: parsePickup(ordered),
    approvalToken: input.approvalToken ?? null,
    idempotencyKey: input.idempotencyKey ?? null,
    dispatchSha256: canonicalDigest(restBody(ordered)),
  };
}

type Ordered = Omit<OrderRequest, "pickup" | "approvalToken" | "idempotencyKey" | "dispatchSha256">;

/** The REST body of the order, without absent fields. What it is only compared with, and the approval token, stay out. */
function restBody({ shipTo, constraints, userApprovedAt, ...order }: Ordered): object {
  const members = {
    merchant_id: order.merchantId,
    items: order.items,
    amount_minor: order.amountMinor,
    currency: order.currency,
    card_alias_id: order.cardId,
    user_confirmation_text: order.userConfirmationText,
    user_approved_at_iso: userApprovedAt.toISOString(),
    user_prompt: order.userPrompt,
    fulfillment_option_id: order.fulfillmentOptionId,
    pickup_location: order.pickupLocation,
    pickup_location_id: order.pickupLocationId,
    ship_to: shipTo && underRestNames(SHIP_TO_FIELDS, shipTo.address),
    constraints: constraints && underRestNames(CONSTRAINT_FIELDS, constraints),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

/** The same sku twice is one line. */
function parseItems(items: CartInput["items"]): CartItem[] {
  if (items.length === 0 || items.length > MAX_ITEMS) {
    throw new InvalidRequestError(`items must hold 1 to ${MAX_ITEMS} items.`, "items");
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

/** As it was sent: what the cardholder said is evidence. Null for empty text. */
function parseText(input: OrderInput, field: TextField, maxLength: number): string | null {
  const text = input[field] || null;
  if (text !== null && (text.length > maxLength || !isStorableText(text))) {
    throw new InvalidRequestError(`${field} must be valid text of ${maxLength} characters at most.`, field);
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
