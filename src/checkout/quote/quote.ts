/** Price and fulfilment of a cart (spec section 2.12, quote result). Amounts are in minor units of `currency`. */
import type { Constraints } from "./constraints.ts";
import type { FulfillmentOption } from "./fulfillment.ts";
import type { PickupResolution } from "./pickup.ts";
import type { ShipToEcho } from "./ship-to.ts";

export interface QuoteLine {
  readonly sku: string;
  readonly productId: string | null;
  readonly title: string;
  readonly variantTitle: string | null;
  readonly quantity: number;
  readonly unitPriceMinor: number;
  readonly subtotalMinor: number;
  readonly discountMinor: number;
  readonly totalMinor: number;
  readonly available: boolean;
  readonly requiresShipping: boolean;
  readonly imageUrl: string | null;
  readonly productUrl: string | null;
}

/** Reason for which the merchant cannot serve the buyer. */
export interface Unfulfillable {
  readonly code: "address_undeliverable" | "no_rates" | "item_unavailable" | "pickup_only" | "minimum_not_met";
  readonly message: string;
  /** Affected items; empty: all. */
  readonly skus: readonly string[];
  readonly countryCode: string | null;
}

export interface Quote {
  readonly merchantId: string;
  readonly rail: "shopify" | "worker";
  readonly currency: string;
  readonly lines: readonly QuoteLine[];
  readonly subtotalMinor: number;
  readonly options: readonly FulfillmentOption[];
  /** Whether several options exist and none is selected; nothing can be approved until one is. */
  readonly requiresChoice: boolean;
  readonly selectedOptionId: string | null;
  /** Goods and delivery, without tax that is added at checkout. */
  readonly estimateMinor: number | null;
  /** Maximum charge. */
  readonly capMinor: number | null;
  /** Amount to approve: the exact charge if `isFinal`, otherwise the ceiling. */
  readonly expectedMinor: number | null;
  readonly isFinal: boolean;
  readonly basketUrl: string | null;
  readonly shipToEcho: ShipToEcho | null;
  readonly shipToSha256: string | null;
  readonly constraints: Constraints | null;
  readonly unfulfillable: Unfulfillable | null;
  readonly pickup: PickupResolution;
}

/** An item to price. */
export interface CartItem {
  readonly sku: string;
  readonly quantity: number;
}
