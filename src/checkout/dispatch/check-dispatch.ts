/** What a dispatch asks for, checked for its form; and the digest that makes the same dispatch the same order. */
import { code as currencyOf } from "currency-codes";
import { isStorableText } from "../../platform/database/text.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import { CONSTRAINT_FIELDS, type Constraints, checkConstraints } from "../quote/constraints.ts";
import type { CartItem } from "../quote/quote.ts";
import { checkItems, type QuoteInput } from "../quote/quote-cart.ts";
import { checkShipTo, SHIP_TO_FIELDS, type ShipTo } from "../quote/ship-to.ts";
import { underRestNames } from "../rest-names.ts";

export interface DispatchInput extends QuoteInput {
  /** The figure that was quoted and approved. */
  readonly amountMinor: number;
  readonly currency: string | null;
  /** Null: the default card. */
  readonly cardId: string | null;
  /** The person's own words. */
  readonly userConfirmationText: string;
  readonly userApprovedAt: Date;
  readonly userPrompt: string | null;
  /** The quote's `ship_to_sha256`, to have it compared. */
  readonly shipToSha256: string | null;
  readonly approvalToken: string | null;
  readonly idempotencyKey: string | null;
}

export interface CheckedDispatch
  extends Omit<DispatchInput, "items" | "shipTo" | "constraints" | "idempotencyKey" | "pickupLocation"> {
  readonly items: readonly CartItem[];
  readonly shipTo: ShipTo | null;
  readonly constraints: Constraints | null;
  readonly pickupLocation: string | null;
  /** SHA-256 over the canonical JSON (RFC 8785) of what is ordered and approved, by its REST names. */
  readonly digest: Uint8Array<ArrayBuffer>;
}

const LONGEST_CONFIRMATION = 2_000;
const LONGEST_PROMPT = 10_000;
const LONGEST_NAME = 500;
/** Clocks differ. */
const MAX_CLOCK_SKEW_MS = 5 * 60_000;
/** The contract sets no bound: what is older was counted in another unit, or never said. */
const MAX_APPROVAL_AGE_MS = 10 * 365 * 86_400_000;

/** @throws {ShipToInvalidError | ConstraintsInvalidError | InvalidRequestError} naming the field */
export function checkDispatch(input: DispatchInput): CheckedDispatch {
  const { amountMinor, userApprovedAt } = input;
  if (!Number.isSafeInteger(amountMinor) || amountMinor < 0) {
    throw new InvalidRequestError("amountMinor must be an integer of at least 0, in minor units.", "amountMinor");
  }
  const userConfirmationText = textOf(input, "userConfirmationText", LONGEST_CONFIRMATION);
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
  // Whoever names none leaves it out: an empty one was meant to be one, and would have another card charged.
  for (const field of ["cardId", "approvalToken"] as const) {
    if (input[field] === "") throw new InvalidRequestError(`${field} must not be empty: leave it out.`, field);
  }
  const checked = {
    merchantId: input.merchantId,
    items: checkItems(input.items),
    amountMinor,
    currency: checkCurrency(input.currency),
    cardId: textOf(input, "cardId", LONGEST_NAME),
    userConfirmationText,
    userApprovedAt,
    userPrompt: textOf(input, "userPrompt", LONGEST_PROMPT),
    fulfillmentOptionId: textOf(input, "fulfillmentOptionId", LONGEST_NAME),
    pickupLocation: textOf(input, "pickupLocation", LONGEST_NAME),
    pickupLocationId: textOf(input, "pickupLocationId", LONGEST_NAME),
    shipTo: input.shipTo ? checkShipTo(input.shipTo) : null,
    constraints: checkConstraints(input.constraints),
    shipToSha256: textOf(input, "shipToSha256", LONGEST_NAME)?.toLowerCase() ?? null,
  };
  return { ...checked, approvalToken: input.approvalToken, digest: canonicalDigest(bodyOf(checked)) };
}

/** As its REST body would be written, without what was not given, what it is compared with, and the approval's token. */
function bodyOf(dispatch: Omit<CheckedDispatch, "digest" | "approvalToken">): object {
  return given({
    merchant_id: dispatch.merchantId,
    items: dispatch.items,
    amount_minor: dispatch.amountMinor,
    currency: dispatch.currency,
    card_alias_id: dispatch.cardId,
    user_confirmation_text: dispatch.userConfirmationText,
    user_approved_at_iso: dispatch.userApprovedAt.toISOString(),
    user_prompt: dispatch.userPrompt,
    fulfillment_option_id: dispatch.fulfillmentOptionId,
    pickup_location: dispatch.pickupLocation,
    pickup_location_id: dispatch.pickupLocationId,
    ship_to: dispatch.shipTo && underRestNames(SHIP_TO_FIELDS, dispatch.shipTo),
    constraints: dispatch.constraints && underRestNames(CONSTRAINT_FIELDS, dispatch.constraints),
  });
}

function given(values: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

type TextField =
  | "userConfirmationText"
  | "userPrompt"
  | "cardId"
  | "fulfillmentOptionId"
  | "pickupLocation"
  | "pickupLocationId"
  | "shipToSha256";

/** As it was given: what the person said is evidence. Null for none. */
function textOf(input: DispatchInput, field: TextField, longest: number): string | null {
  const text = input[field] || null;
  if (text !== null && (text.length > longest || !isStorableText(text))) {
    throw new InvalidRequestError(`${field} must be valid text of ${longest} characters at most.`, field);
  }
  return text;
}

function checkCurrency(given: string | null): string | null {
  if (given === null) return null;
  if (!/^[A-Z]{3}$/.test(given) || currencyOf(given) === undefined) {
    throw new InvalidRequestError("currency must be an ISO 4217 code such as GBP.", "currency");
  }
  return given;
}
