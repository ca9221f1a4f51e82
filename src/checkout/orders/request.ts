/** The request as stored in an order's row. Contains no personal data; the delivery address is sealed separately. */
import type { CheckoutOrder } from "../../../generated/prisma/client.ts";
import type { OrderRequest } from "../order-request.ts";
import type { Quote } from "../quote/quote.ts";

export interface PurchaseRequest
  extends Pick<OrderRequest, "items" | "fulfillmentOptionId" | "pickupLocation" | "pickupLocationId" | "constraints"> {
  /** The requesting agent; null if the account has none. */
  readonly agentId: string | null;
}

export interface ExplorationRequest {
  readonly merchantUrl: string;
  readonly goal: string;
  readonly prefs: string | null;
  readonly currency: string | null;
  /** The cart of a dry run; absent for other explorations. */
  readonly dryRun?: PurchaseRequest;
}

/** Returns the quote that was checked at dispatch; null for an exploration. */
export function readQuote({ quote }: Pick<CheckoutOrder, "quote">): Quote | null {
  return quote as unknown as Quote | null;
}

type StoredRequest = Pick<CheckoutOrder, "kind" | "request">;

/** Returns the purchase request of an order; null for an exploration. */
export function readPurchase({ kind, request }: StoredRequest): PurchaseRequest | null {
  return kind === "purchase" ? (request as unknown as PurchaseRequest) : null;
}

/** Returns the exploration request of an order; null for a purchase. */
export function readExploration({ kind, request }: StoredRequest): ExplorationRequest | null {
  return kind === "explored" ? (request as unknown as ExplorationRequest) : null;
}
