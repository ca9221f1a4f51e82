/** Errors of product search, look-up and pricing (spec section 7.3). None of them follows a charge. */
import { ServiceError } from "../platform/errors.ts";
import type { Money } from "./money.ts";

/** `detail` names the missing or malformed field of the delivery address. */
export class ShipToInvalidError extends ServiceError {
  readonly code = "ship_to_invalid";
  readonly detail: string;
  constructor(detail: string, problem: string) {
    super(`shipTo.${detail} ${problem}.`);
    this.detail = detail;
  }
}

export class ShipToUnsupportedError extends ServiceError {
  readonly code = "ship_to_unsupported";
  constructor() {
    super("This merchant delivers to the cardholder's address only. Leave out shipTo.");
  }
}

export class ShipToWithPickupError extends ServiceError {
  readonly code = "ship_to_with_pickup";
  constructor() {
    super("An order is either collected or delivered. Send a delivery address or a store, not both.");
  }
}

/** A cap is unknown, or not a non-negative integer. */
export class ConstraintsInvalidError extends ServiceError {
  readonly code = "constraints_invalid";
  readonly field: string;
  constructor(field: string) {
    super(`${field} must be an integer of at least 0, in minor units of the order's currency.`);
    this.field = field;
  }
}

/** The cart exceeds a cap. */
export class ConstraintExceededError extends ServiceError {
  readonly code: "constraint_total_exceeded" | "constraint_shipping_exceeded" | "constraint_subtotal_exceeded";
  readonly cap: Money;
  readonly actual: Money;
  /** Id of the fulfilment option whose price exceeds the cap. */
  readonly optionId: string | null;
  constructor(kind: "total" | "shipping" | "subtotal", cap: Money, actual: Money, optionId: string | null) {
    super(exceedsCap(`The ${kind} is`, cap, actual));
    this.code = `constraint_${kind}_exceeded`;
    this.cap = cap;
    this.actual = actual;
    this.optionId = optionId;
  }
}

/** One item costs more than its cap. */
export class ItemCapExceededError extends ServiceError {
  readonly code = "constraint_item_exceeded";
  readonly cap: Money;
  readonly actual: Money;
  readonly sku: string;
  constructor(sku: string, cap: Money, actual: Money) {
    super(exceedsCap(`${sku} costs`, cap, actual));
    this.sku = sku;
    this.cap = cap;
    this.actual = actual;
  }
}

function exceedsCap(subject: string, cap: Money, actual: Money): string {
  return `${subject} ${actual.amountMinor}, above the cap of ${cap.amountMinor} (minor units). Nothing was ordered.`;
}

export class ConstraintUnverifiableError extends ServiceError {
  readonly code = "constraint_unverifiable";
  constructor() {
    super(
      "This merchant prices delivery only at checkout. A cap on the total or on delivery cannot be verified in advance; leave it out.",
    );
  }
}

/** A product similar to the requested one. */
export interface NearestProduct {
  readonly sku: string;
  readonly title: string;
  readonly variantTitle: string | null;
  readonly price: Money;
  /** Similarity from 0 to 1. */
  readonly score: number;
}

export class SkuNotFoundError extends ServiceError {
  readonly code = "sku_not_found";
  readonly sku: string;
  readonly nearest: readonly NearestProduct[];
  constructor(sku: string, nearest: readonly NearestProduct[]) {
    super(`The merchant sells no product with the sku ${sku}.`);
    this.sku = sku;
    this.nearest = nearest;
  }
}

export class MissingQueryError extends ServiceError {
  readonly code = "missing_query";
  constructor() {
    super("q is missing. Send the words to search for.");
  }
}

/** The market has no catalogue. Final, not transient. */
export class UnsupportedCountryError extends ServiceError {
  readonly code = "unsupported_country";
  readonly supported: readonly string[];
  constructor(supported: readonly string[]) {
    super(`Product search is available only in ${supported.join(", ")}.`);
    this.supported = supported;
  }
}

/** The catalogue or merchant did not respond usably. The result is unknown, not empty. */
export class CatalogUnavailableError extends ServiceError {
  readonly code = "catalog_unavailable";
  constructor(reason: string, options?: ErrorOptions) {
    super(`${reason} Product availability is unknown. Retry later.`, options);
  }
}

/** The merchant limits the rate of requests. */
export class MerchantThrottledError extends CatalogUnavailableError {
  /** Delay that the merchant requests; null if it states none. */
  readonly retryAfterMs: number | null;
  /** Whether the merchant may instead be down: it responded with 503 and requests no delay. */
  readonly isOutage: boolean;
  constructor(retryAfterMs: number | null, { isOutage = false }: { readonly isOutage?: boolean } = {}) {
    super("The merchant limits the rate of requests.");
    this.retryAfterMs = retryAfterMs;
    this.isOutage = isOutage;
  }
}

export class MissingUrlError extends ServiceError {
  readonly code = "missing_url";
  constructor() {
    super("url is missing. Send the URL of a product page.");
  }
}

export class NotAProductUrlError extends ServiceError {
  readonly code = "not_a_product_url";
  constructor() {
    super("The URL is that of a store or a collection. Send the URL of a product page, exactly as copied.");
  }
}

export class NotShopifyError extends ServiceError {
  readonly code = "not_shopify";
  constructor() {
    super("The page does not belong to a Shopify store. Explore the merchant by its URL first.");
  }
}

export class VariantNotFoundError extends ServiceError {
  readonly code = "variant_not_found";
  constructor() {
    super("The merchant has no such product or variant. Send a URL that contains ?variant=.");
  }
}
