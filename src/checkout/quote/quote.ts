/** What a cart costs, and how it gets to the buyer (spec section 2.12, quote result). Amounts are minor units of `currency`. */
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

/** Why the shop cannot serve this buyer at all. */
export interface Unfulfillable {
  readonly code: "address_undeliverable" | "no_rates" | "item_unavailable" | "pickup_only" | "minimum_not_met";
  readonly message: string;
  /** The items it is about; empty: all. */
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
  /** There is a real choice and none was made: then nothing can be approved yet. */
  readonly requiresChoice: boolean;
  readonly selectedOptionId: string | null;
  /** Items and delivery, without tax that is added at checkout. */
  readonly estimateMinor: number | null;
  /** The most that may be charged. */
  readonly capMinor: number | null;
  /** The figure to approve: the charge itself where `isFinal`, else the ceiling. */
  readonly expectedMinor: number | null;
  readonly isFinal: boolean;
  readonly basketUrl: string | null;
  readonly shipToEcho: ShipToEcho | null;
  readonly shipToSha256: string | null;
  readonly constraints: Constraints | null;
  readonly unfulfillable: Unfulfillable | null;
  readonly pickup: PickupResolution;
}

/** What is to be priced. */
export interface CartItem {
  readonly sku: string;
  readonly quantity: number;
}
