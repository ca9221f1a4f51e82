/** What was asked for, as an order's row keeps it. Nothing personal is in it: the address is sealed beside it. */
import type { CheckoutOrder } from "../../../generated/prisma/client.ts";
import type { OrderRequest } from "../order-request.ts";
import type { Quote } from "../quote/quote.ts";

export interface PurchaseRequest
  extends Pick<OrderRequest, "items" | "fulfillmentOptionId" | "pickupLocation" | "pickupLocationId" | "constraints"> {
  /** The agent that asked, where the account has one. */
  readonly agentId: string | null;
}

export interface ExplorationRequest {
  readonly merchantUrl: string;
  readonly goal: string;
  readonly prefs: string | null;
  readonly currency: string | null;
}

/** The cart as it was checked at dispatch; null for an exploration. */
export function cartOf({ quote }: Pick<CheckoutOrder, "quote">): Quote | null {
  return quote as unknown as Quote | null;
}

type Asked = Pick<CheckoutOrder, "kind" | "request">;

/** Null for an exploration. */
export function purchaseOf({ kind, request }: Asked): PurchaseRequest | null {
  return kind === "purchase" ? (request as unknown as PurchaseRequest) : null;
}

/** Null for a purchase. */
export function explorationOf({ kind, request }: Asked): ExplorationRequest | null {
  return kind === "explored" ? (request as unknown as ExplorationRequest) : null;
}
