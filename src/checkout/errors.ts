/** Refusals of finding and pricing (spec section 7.3). None of them is about money that moved. */
import { ServiceError } from "../platform/errors.ts";

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
    super("This shop cannot be told another delivery address: what it sends goes to the cardholder.");
  }
}

export class ShipToWithPickupError extends ServiceError {
  readonly code = "ship_to_with_pickup";
  constructor() {
    super("An order is either collected or delivered: name a delivery address or a store, not both.");
  }
}

/** A cap that is no amount. */
export class ConstraintsInvalidError extends ServiceError {
  readonly code = "constraints_invalid";
  readonly field: string;
  constructor(field: string) {
    super(`${field} must be an integer of at least 0, in minor units of the order's currency.`);
    this.field = field;
  }
}

/** A cap is lower than what it caps. */
export class ConstraintExceededError extends ServiceError {
  readonly code: "constraint_total_exceeded" | "constraint_shipping_exceeded" | "constraint_subtotal_exceeded";
  readonly capMinor: number;
  readonly actualMinor: number;
  /** Of the delivery it is about. */
  readonly optionId: string | null;
  constructor(kind: "total" | "shipping" | "subtotal", capMinor: number, actualMinor: number, optionId: string | null) {
    super(`The ${kind} is ${actualMinor}, above the cap of ${capMinor} (minor units). Nothing was ordered.`);
    this.code = `constraint_${kind}_exceeded`;
    this.capMinor = capMinor;
    this.actualMinor = actualMinor;
    this.optionId = optionId;
  }
}

/** One item costs more than its cap. */
export class ItemCapExceededError extends ServiceError {
  readonly code = "constraint_item_exceeded";
  readonly capMinor: number;
  readonly actualMinor: number;
  readonly sku: string;
  constructor(sku: string, capMinor: number, actualMinor: number) {
    super(`${sku} costs ${actualMinor}, above the cap of ${capMinor} (minor units). Nothing was ordered.`);
    this.sku = sku;
    this.capMinor = capMinor;
    this.actualMinor = actualMinor;
  }
}

export class ConstraintUnverifiableError extends ServiceError {
  readonly code = "constraint_unverifiable";
  constructor() {
    super("This shop prices delivery at checkout only, so a cap on the total or on delivery cannot be checked before.");
  }
}

/** A product that comes close to what was asked for. */
export interface NearestProduct {
  readonly sku: string;
  readonly title: string;
  readonly variantTitle: string | null;
  readonly priceMinor: number;
  /** 0 to 1. */
  readonly score: number;
}

export class SkuNotFoundError extends ServiceError {
  readonly code = "sku_not_found";
  readonly sku: string;
  readonly nearest: readonly NearestProduct[];
  constructor(sku: string, nearest: readonly NearestProduct[]) {
    super(`The shop sells nothing under ${sku}.`);
    this.sku = sku;
    this.nearest = nearest;
  }
}

export class MissingQueryError extends ServiceError {
  readonly code = "missing_query";
  constructor() {
    super("q is missing: say what to look for.");
  }
}

/** Final, not transient: there is no catalogue for that market. */
export class UnsupportedCountryError extends ServiceError {
  readonly code = "unsupported_country";
  readonly supported: readonly string[];
  constructor(supported: readonly string[]) {
    super(`Products can be searched in ${supported.join(", ")} only.`);
    this.supported = supported;
  }
}

/** Nobody answered, which says nothing about what is on sale. */
export class CatalogUnavailableError extends ServiceError {
  readonly code = "catalog_unavailable";
  constructor(reason: string, options?: ErrorOptions) {
    super(`${reason} This says nothing about what is on sale; try again.`, options);
  }
}

export class MissingUrlError extends ServiceError {
  readonly code = "missing_url";
  constructor() {
    super("url is missing: send a product page's address.");
  }
}

export class NotAProductUrlError extends ServiceError {
  readonly code = "not_a_product_url";
  constructor() {
    super("The link leads to a shop or a collection. Send a product page's address, as copied.");
  }
}

export class NotShopifyError extends ServiceError {
  readonly code = "not_shopify";
  constructor() {
    super("The page is not of a Shopify shop. Explore the shop with its address first.");
  }
}

export class VariantNotFoundError extends ServiceError {
  readonly code = "variant_not_found";
  constructor() {
    super("The shop has no such product or variant. Ask for a link with ?variant= in it.");
  }
}
