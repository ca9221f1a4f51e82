/** A checked purchase, with the terms to store and mandate and the document to sign. */
import type { Merchant, Prisma } from "../../../generated/prisma/client.ts";
import type { AccountViewer } from "../../accounts/viewer.ts";
import { createAddressDestination, type Destination, PurchaseDocument } from "../approvals/purchase-document.ts";
import { isPooled } from "../merchants/merchants.ts";
import type { OrderRequest } from "../order-request.ts";
import type { PurchaseRequest } from "../orders/request.ts";
import { CONSTRAINT_FIELDS, type Constraints } from "../quote/constraints.ts";
import type { DeliveryAddress } from "../quote/ship-to.ts";
import type { CardEntry } from "../worker-protocol/card-entry.ts";
import type { Cardholder } from "./cardholder.ts";
import type { BoundQuote } from "./price-dispatch.ts";

export interface Purchase {
  readonly viewer: AccountViewer;
  readonly request: OrderRequest;
  readonly merchant: Merchant;
  readonly cardholder: Cardholder;
  readonly quote: BoundQuote;
  /** Null if nothing is delivered. */
  readonly deliverTo: DeliveryAddress | null;
  /** Origins at which the card may be entered. */
  readonly cardEntry: CardEntry;
}

/** Returns the terms that the order's row and its mandates share. */
export function createOrderTerms(orderId: string, { viewer, request, cardholder, quote }: Purchase) {
  const { items, fulfillmentOptionId, pickupLocation, pickupLocationId, constraints } = request;
  const { agentId } = cardholder;
  const stored: PurchaseRequest = {
    ...{ items, fulfillmentOptionId, pickupLocation, pickupLocationId, constraints, agentId },
  };
  return {
    id: orderId,
    accountId: viewer.accountId,
    dispatchSha256: request.dispatchSha256,
    request: stored as unknown as Prisma.InputJsonObject,
    amountMinor: BigInt(request.amountMinor),
    amountIsFinal: quote.isFinal,
    currency: quote.currency,
    quoteSha256: quote.snapshotSha256,
    // Only for an address other than the cardholder's, as in the quote.
    shipToSha256: request.shipTo?.sha256 ?? null,
  };
}

/** Returns the document that the account owner sees and signs. */
export function createPurchaseDocument(purchase: Purchase): PurchaseDocument {
  const { request, merchant, cardholder, quote } = purchase;
  const { card, requesterName } = cardholder;
  const { option, lines } = quote;
  return PurchaseDocument.parse({
    type: "checkout.purchase.2",
    asked_by: requesterName,
    user_prompt: request.userPrompt,
    merchant: {
      ...{ id: merchant.id, name: merchant.name, domain: merchant.domain, is_test: merchant.isTest },
      is_pooled: isPooled(merchant),
    },
    lines: lines.map(({ sku, title, variantTitle, quantity, totalMinor }) => ({
      ...{ sku, title, variant_title: variantTitle, quantity, total_minor: totalMinor },
    })),
    delivery: option && { type: option.type, title: option.title, amount_minor: option.amountMinor },
    destination: createDestination(purchase),
    amount_minor: request.amountMinor,
    amount_is_final: quote.isFinal,
    currency: quote.currency,
    card: { id: card.id, brand: card.brand, last4: card.last4 },
    card_entry: createSignedCardEntry(purchase.cardEntry),
    constraints: request.constraints && createSignedCaps(request.constraints),
  } satisfies Record<keyof PurchaseDocument, unknown>);
}

function createDestination({ request, quote, deliverTo }: Purchase): Destination {
  if (quote.option?.location) return { kind: "pickup", ...quote.option.location };
  if (!deliverTo) return { kind: "digital" };
  return createAddressDestination(request.shipTo ? "other" : "cardholder", deliverTo);
}

/** Returns the signed form of a card entry. */
export function createSignedCardEntry({ pageOrigins, frameOrigins }: CardEntry): PurchaseDocument["card_entry"] {
  return { page_origins: pageOrigins, frame_origins: frameOrigins };
}

/** Returns all caps under their REST names, including unset ones. */
function createSignedCaps(constraints: Constraints) {
  const caps = Object.entries(CONSTRAINT_FIELDS).map(([field, name]) => [
    name,
    constraints[field as keyof Constraints],
  ]);
  return Object.fromEntries(caps);
}
