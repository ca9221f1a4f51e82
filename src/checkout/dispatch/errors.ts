/** Dispatch errors (spec section 7.3). All of them precede the use of any card, so no charge is possible. */
import { ServiceError } from "../../platform/errors.ts";
import { type ConstraintExceededError, ConstraintUnverifiableError, type ItemCapExceededError } from "../errors.ts";
import type { Money } from "../money.ts";
import type { PickupResolution } from "../quote/pickup.ts";

const NOTHING = "Nothing was ordered and no card was used.";

/** The delivery address differs from the quoted or approved one. */
export class ShipToMismatchError extends ServiceError {
  readonly code = "ship_to_mismatch";
  constructor() {
    super(`The destination differs from the quoted or approved one. ${NOTHING} Request a new quote.`);
  }
}

export type ConstraintViolation = (
  | ConstraintExceededError
  | ItemCapExceededError
  | ConstraintUnverifiableError
)["code"];

/** The merchant's current cart exceeds a cap, or the caps differ from the quoted or approved ones. */
export class ConstraintViolatedError extends ServiceError {
  readonly code = "constraint_violated";
  /** Error code of the quote, such as `constraint_total_exceeded`; null if the caps themselves differ. */
  readonly violation: ConstraintViolation | null;
  /** The cap and the amount; null unless a cap is exceeded. */
  readonly allowed: Money | null;
  readonly found: Money | null;
  constructor(cause: ConstraintExceededError | ItemCapExceededError | ConstraintUnverifiableError | null) {
    super(
      cause?.message ?? `The caps differ from the quoted or approved ones. ${NOTHING} Request a new quote.`,
      cause ? { cause } : {},
    );
    const hasAmounts = cause !== null && !(cause instanceof ConstraintUnverifiableError);
    this.violation = cause?.code ?? null;
    this.allowed = hasAmounts ? cause.cap : null;
    this.found = hasAmounts ? cause.actual : null;
  }
}

/** The merchant's current cart differs from the quoted or approved one. */
export class AmountChangedError extends ServiceError {
  readonly code = "shopify_amount_changed";
  readonly approved: Money;
  /** Amount of a quote at the current price; null if the merchant can no longer fulfil the order. */
  readonly expected: Money | null;
  /** Currency in which the merchant currently prices the cart (ISO 4217). */
  readonly pricedIn: string;
  constructor(
    reason: string,
    {
      approved,
      expectedMinor,
      pricedIn,
    }: { readonly approved: Money; readonly expectedMinor: number | null; readonly pricedIn: string },
  ) {
    super(`${reason} ${NOTHING} Request a new quote.`);
    this.approved = approved;
    this.expected = expectedMinor === null ? null : { amountMinor: expectedMinor, currency: pricedIn };
    this.pricedIn = pricedIn;
  }
}

/** The requested pickup location does not identify exactly one store. */
export class PickupUnresolvedError extends ServiceError {
  readonly code = "pickup_location_unresolved";
  readonly resolution: PickupResolution;
  constructor(resolution: PickupResolution) {
    super(`${resolution.reason ?? "The pickup location does not identify exactly one store."} ${NOTHING}`);
    this.resolution = resolution;
  }
}
