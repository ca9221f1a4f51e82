/** Pricing of a dispatch: prices the cart again and rejects any difference from the quoted and approved terms. */
import type { Prisma } from "../../../generated/prisma/client.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import type { PricingDeps } from "../deps.ts";
import { withDryRun } from "../dry-run/latest-dry-run.ts";
import { ConstraintExceededError, ConstraintUnverifiableError, ItemCapExceededError } from "../errors.ts";
import type { MerchantView } from "../merchants/merchants.ts";
import type { OrderRequest } from "../order-request.ts";
import type { FulfillmentOption } from "../quote/fulfillment.ts";
import { priceCart } from "../quote/price-cart.ts";
import type { Quote } from "../quote/quote.ts";
import type { ShipTo } from "../quote/ship-to.ts";
import { AmountChangedError, ConstraintViolatedError, PickupUnresolvedError } from "./errors.ts";

/** A fresh quote whose amount equals the approved one. */
export interface BoundQuote extends Quote {
  readonly amountMinor: number;
  /** Selected fulfilment option; null if the merchant offers options only at its checkout. */
  readonly option: FulfillmentOption | null;
  /** The quote as stored with the order, and the SHA-256 of its canonical JSON (RFC 8785), hexadecimal. */
  readonly snapshot: Prisma.InputJsonObject;
  readonly snapshotSha256: string;
}

/** Option ids are digests that include the price. A well-formed unknown id therefore counts as a quoted option that changed. */
const OPTION_ID = /^fo_[\w-]{22}$/;

/**
 * Prices the cart again and compares it with the approved amount.
 * @throws {AmountChangedError | ConstraintViolatedError | PickupUnresolvedError | InvalidRequestError} and the errors of
 *   `priceCart`
 */
export async function priceDispatch(
  deps: PricingDeps,
  request: OrderRequest,
  parties: { readonly merchant: MerchantView; readonly home: ShipTo; readonly accountId: string },
): Promise<BoundQuote> {
  const { amountMinor, fulfillmentOptionId } = request;
  const changed = (reason: string, expectedMinor: number | null, pricedIn = parties.merchant.currency) =>
    new AmountChangedError(reason, {
      approved: { amountMinor, currency: request.currency ?? pricedIn },
      ...{ expectedMinor, pricedIn },
    });
  const priced = await priceCart(deps, request, parties).catch((error: unknown) => {
    if (isCapError(error)) throw new ConstraintViolatedError(error);
    const isGone = error instanceof InvalidRequestError && error.field === "fulfillmentOptionId";
    if (isGone && OPTION_ID.test(fulfillmentOptionId ?? "")) {
      throw changed("The selected fulfilment option is no longer offered at that price.", null);
    }
    throw error;
  });
  const { accountId, home } = parties;
  const quote = await withDryRun(deps.db, priced, { accountId, request, home });
  if (request.pickup && quote.pickup.status !== "resolved") throw new PickupUnresolvedError(quote.pickup);
  if (quote.unfulfillable) throw changed(quote.unfulfillable.message, null, quote.currency);
  if (quote.requiresChoice || quote.expectedMinor === null) {
    const message = "fulfillmentOptionId is missing. The merchant offers several fulfilment options; choose one.";
    throw new InvalidRequestError(message, "fulfillmentOptionId");
  }
  if ((request.currency ?? quote.currency) !== quote.currency) {
    throw changed(`The merchant prices the cart in ${quote.currency}.`, quote.expectedMinor, quote.currency);
  }
  if (quote.expectedMinor !== amountMinor) {
    const reason = `The amount is now ${quote.expectedMinor}, not ${amountMinor} (minor units of ${quote.currency}).`;
    throw changed(reason, quote.expectedMinor, quote.currency);
  }
  const option = quote.options.find(({ id }) => id === quote.selectedOptionId) ?? null;
  const snapshot = createSnapshot(quote);
  const snapshotSha256 = Buffer.from(canonicalDigest(snapshot)).toString("hex");
  return { ...quote, amountMinor, option, snapshot, snapshotSha256 };
}

/** Returns the stored form of a quote. Omits `picks`, because delivery handles grant access to the merchant's cart. */
export function createSnapshot(quote: Quote): Prisma.InputJsonObject {
  const snapshot = { ...quote, options: quote.options.map((option) => ({ ...option, picks: [] })) };
  return JSON.parse(JSON.stringify(snapshot)) as Prisma.InputJsonObject;
}

function isCapError(
  error: unknown,
): error is ConstraintExceededError | ItemCapExceededError | ConstraintUnverifiableError {
  return (
    error instanceof ConstraintExceededError ||
    error instanceof ItemCapExceededError ||
    error instanceof ConstraintUnverifiableError
  );
}
