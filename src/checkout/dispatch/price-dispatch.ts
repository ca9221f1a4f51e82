/** Prices a dispatch's cart afresh, and refuses whatever is not what was quoted and approved. */
import type { Merchant } from "../../../generated/prisma/client.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import type { PricingDeps } from "../deps.ts";
import { ConstraintExceededError, ConstraintUnverifiableError, ItemCapExceededError } from "../errors.ts";
import type { FulfillmentOption } from "../quote/fulfillment.ts";
import { isPickup, type PickupRequest } from "../quote/pickup.ts";
import { priceCart } from "../quote/price-cart.ts";
import type { Quote } from "../quote/quote.ts";
import type { ShipTo } from "../quote/ship-to.ts";
import type { CheckedDispatch } from "./check-dispatch.ts";
import { AmountChangedError, ConstraintViolatedError, PickupUnresolvedError } from "./errors.ts";

/** A fresh quote whose amount is the one that was approved. */
export interface BoundQuote extends Quote {
  readonly amountMinor: number;
  /** The way of delivery; null where the shop names them at its checkout only. */
  readonly option: FulfillmentOption | null;
}

/** An option's id names its price: one that is not offered any more was there when it was quoted. */
const OPTION_ID = /^fo_[\w-]{22}$/;

/**
 * @throws {AmountChangedError | ConstraintViolatedError | PickupUnresolvedError | InvalidRequestError} and what pricing
 *   a cart throws
 */
export async function priceDispatch(
  deps: PricingDeps,
  asked: CheckedDispatch,
  { merchant, home }: { readonly merchant: Merchant; readonly home: ShipTo | null },
): Promise<BoundQuote> {
  const pickup = pickupOf(asked);
  const { items, shipTo, constraints, fulfillmentOptionId: optionId, amountMinor } = asked;
  const changed = (reason: string, expectedMinor: number | null, pricedIn = merchant.currency) =>
    new AmountChangedError(reason, { approvedMinor: amountMinor, expectedMinor, pricedIn });
  const quote = await priceCart(deps, { merchant, items, shipTo, home, pickup, optionId, constraints }).catch(
    (error: unknown) => {
      if (isAboutCap(error)) throw new ConstraintViolatedError(error);
      const isGone = error instanceof InvalidRequestError && error.field === "fulfillmentOptionId";
      if (isGone && OPTION_ID.test(optionId ?? "")) {
        throw changed("The chosen delivery is not offered any more, or not at that price.", null);
      }
      throw error;
    },
  );
  if (isPickup(pickup) && quote.pickup.status !== "resolved") throw new PickupUnresolvedError(quote.pickup);
  if (quote.unfulfillable) throw changed(quote.unfulfillable.message, null, quote.currency);
  if (quote.requiresChoice || quote.expectedMinor === null) {
    const message = "fulfillmentOptionId is missing: the shop offers several ways of delivery, so choose one.";
    throw new InvalidRequestError(message, "fulfillmentOptionId");
  }
  if ((asked.currency ?? quote.currency) !== quote.currency) {
    throw changed(`The shop prices it in ${quote.currency}.`, quote.expectedMinor, quote.currency);
  }
  if (quote.expectedMinor !== amountMinor) {
    const reason = `It is ${quote.expectedMinor} now, not ${amountMinor} (minor units of ${quote.currency}).`;
    throw changed(reason, quote.expectedMinor, quote.currency);
  }
  const option = quote.options.find(({ id }) => id === quote.selectedOptionId) ?? null;
  return { ...quote, amountMinor, option };
}

/** Where it is to be collected, as a quote is asked for it. */
export function pickupOf({ pickupLocation, pickupLocationId }: CheckedDispatch): PickupRequest {
  return { name: pickupLocation?.trim() || null, locationId: pickupLocationId };
}

function isAboutCap(
  error: unknown,
): error is ConstraintExceededError | ItemCapExceededError | ConstraintUnverifiableError {
  return (
    error instanceof ConstraintExceededError ||
    error instanceof ItemCapExceededError ||
    error instanceof ConstraintUnverifiableError
  );
}
