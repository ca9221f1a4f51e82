/** Why an order is not placed (spec section 7.3, dispatch). Each is told before any card is used: nothing can be charged. */
import { ServiceError } from "../../platform/errors.ts";
import { type ConstraintExceededError, ConstraintUnverifiableError, type ItemCapExceededError } from "../errors.ts";
import type { PickupResolution } from "../quote/pickup.ts";

const NOTHING = "Nothing was ordered and no card was used.";

/** It would go elsewhere than what was quoted or approved. */
export class ShipToMismatchError extends ServiceError {
  readonly code = "ship_to_mismatch";
  constructor() {
    super(`The destination is not the one that was quoted or approved. ${NOTHING} Quote it again.`);
  }
}

/** A cap does not hold on the fresh cart, or is another than was quoted or approved. */
export class ConstraintViolatedError extends ServiceError {
  readonly code = "constraint_violated";
  /** The quote's own code for it, such as `constraint_total_exceeded`; null where the caps are others than before. */
  readonly violation: string | null;
  /** In minor units; null where it is not about one. */
  readonly allowedMinor: number | null;
  readonly foundMinor: number | null;
  constructor(cause: ConstraintExceededError | ItemCapExceededError | ConstraintUnverifiableError | null) {
    super(
      cause?.message ?? `The caps are not those that were quoted or approved. ${NOTHING} Quote it again.`,
      cause ? { cause } : {},
    );
    const isFigured = cause !== null && !(cause instanceof ConstraintUnverifiableError);
    this.violation = cause?.code ?? null;
    this.allowedMinor = isFigured ? cause.capMinor : null;
    this.foundMinor = isFigured ? cause.actualMinor : null;
  }
}

/** The fresh cart is not what was quoted or approved any more. */
export class AmountChangedError extends ServiceError {
  readonly code = "shopify_amount_changed";
  readonly approvedMinor: number;
  /** What a quote would say now; null where the shop cannot serve it any more. */
  readonly expectedMinor: number | null;
  /** Of both, as the shop prices it now. */
  readonly pricedIn: string;
  constructor(
    reason: string,
    figures: { readonly approvedMinor: number; readonly expectedMinor: number | null; readonly pricedIn: string },
  ) {
    super(`${reason} ${NOTHING} Quote it again.`);
    this.approvedMinor = figures.approvedMinor;
    this.expectedMinor = figures.expectedMinor;
    this.pricedIn = figures.pricedIn;
  }
}

/** It is not clear which store it is to be collected from. */
export class PickupUnresolvedError extends ServiceError {
  readonly code = "pickup_location_unresolved";
  readonly resolution: PickupResolution;
  constructor(resolution: PickupResolution) {
    super(`${resolution.reason ?? "It is not clear which store it is to be collected from."} ${NOTHING}`);
    this.resolution = resolution;
  }
}
