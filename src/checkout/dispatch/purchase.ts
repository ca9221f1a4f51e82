/** A purchase that may be ordered: what is kept of it, what its policy is asked, and what its person signs. */
import type { Merchant, Prisma } from "../../../generated/prisma/client.ts";
import type { AccountViewer } from "../../accounts/viewer.ts";
import type { KeyEncryptionKeys } from "../../platform/crypto/sealing/wrapped-key.ts";
import { addressedTo, type Destination, PurchaseDocument } from "../approvals/purchase-document.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import { sealDeliveryAddress } from "../orders/delivery-address.ts";
import type { PurchaseRequest } from "../orders/request.ts";
import type { JudgedDispatch } from "../policy/evaluate-policy.ts";
import { CONSTRAINT_FIELDS } from "../quote/constraints.ts";
import { echoOf, type ShipTo, shipToDigest } from "../quote/ship-to.ts";
import type { Cardholder } from "./cardholder.ts";
import type { CheckedDispatch } from "./check-dispatch.ts";
import type { BoundQuote } from "./price-dispatch.ts";

export interface Purchase {
  readonly viewer: AccountViewer;
  readonly asked: CheckedDispatch;
  readonly merchant: Merchant;
  readonly cardholder: Cardholder;
  readonly quote: BoundQuote;
}

/** An order's row as it is first written. */
export type OrderRow = Prisma.CheckoutOrderCreateManyInput & {
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly quote: Prisma.InputJsonObject;
  readonly quoteSha256: string;
};

/** Where it ends up, whole; null where nothing is delivered. */
export function deliveredTo({
  asked,
  cardholder,
  quote,
}: Pick<Purchase, "asked" | "cardholder" | "quote">): ShipTo | null {
  if (quote.option?.location || quote.option?.type === "digital") return null;
  return asked.shipTo ?? cardholder.home;
}

export function judgedOf(purchase: Purchase, isNewMerchant: boolean): JudgedDispatch {
  const { asked, merchant, cardholder, quote } = purchase;
  const address = deliveredTo(purchase);
  return {
    merchantId: merchant.id,
    merchantCountryCode: merchant.countryCode,
    isNewMerchant,
    currency: quote.currency,
    amountMinor: asked.amountMinor,
    isShippedElsewhere: address !== null && shipToDigest(address) !== shipToDigest(cardholder.home),
    cardId: cardholder.card.id,
  };
}

/** The columns that both ways of approval share. */
export async function orderRow(
  keks: KeyEncryptionKeys,
  id: string,
  purchase: Purchase,
): Promise<Omit<OrderRow, "status">> {
  const { viewer, asked, merchant, cardholder, quote } = purchase;
  const { items, fulfillmentOptionId, pickupLocation, pickupLocationId, constraints } = asked;
  const { agentId } = cardholder;
  const request: PurchaseRequest = {
    ...{ items, fulfillmentOptionId, pickupLocation, pickupLocationId, constraints, agentId },
  };
  const address = deliveredTo(purchase);
  return {
    id,
    accountId: viewer.accountId,
    credentialId: viewer.credentialId,
    merchantId: merchant.id,
    kind: "purchase",
    dispatchSha256: asked.digest,
    request: json(request),
    ...(address ? await sealDeliveryAddress(keks, id, address) : {}),
    // Told of somebody else's address only, as in the quote.
    ...(asked.shipTo ? { shipToEcho: { ...echoOf(asked.shipTo) }, shipToSha256: shipToDigest(asked.shipTo) } : {}),
    amountMinor: BigInt(asked.amountMinor),
    amountIsFinal: quote.isFinal,
    currency: quote.currency,
    ...quoteSnapshot(quote),
    cardId: cardholder.card.id,
    userConfirmationText: asked.userConfirmationText,
    userApprovedAt: asked.userApprovedAt,
    userPrompt: asked.userPrompt,
    isTest: merchant.isTest,
  };
}

/** The cart it was checked against. How the shop's cart names its options stays out: that is a key to the cart. */
export function quoteSnapshot({ option: _option, amountMinor: _amountMinor, ...quote }: BoundQuote) {
  const kept = json({ ...quote, options: quote.options.map((option) => ({ ...option, pick: null })) });
  return { quote: kept, quoteSha256: Buffer.from(canonicalDigest(kept)).toString("hex") };
}

/** What the person is shown and signs. */
export function documentOf(purchase: Purchase): PurchaseDocument {
  const { asked, merchant, cardholder, quote } = purchase;
  const { card, askedBy } = cardholder;
  const { option, lines } = quote;
  const { constraints } = asked;
  return PurchaseDocument.parse({
    type: "checkout.purchase.1",
    asked_by: askedBy,
    user_prompt: asked.userPrompt,
    merchant: { id: merchant.id, name: merchant.name, domain: merchant.domain, is_test: merchant.isTest },
    lines: lines.map(({ sku, title, variantTitle, quantity, totalMinor }) => ({
      ...{ sku, title, variant_title: variantTitle, quantity, total_minor: totalMinor },
    })),
    delivery: option && { type: option.type, title: option.title, amount_minor: option.amountMinor },
    destination: destinationOf(purchase),
    amount_minor: asked.amountMinor,
    amount_is_final: quote.isFinal,
    currency: quote.currency,
    card: { id: card.id, brand: card.brand, last4: card.last4 },
    constraints:
      constraints &&
      Object.fromEntries(
        Object.entries(CONSTRAINT_FIELDS).map(([field, name]) => [
          name,
          constraints[field as keyof typeof constraints],
        ]),
      ),
  } satisfies Record<keyof PurchaseDocument, unknown>);
}

function destinationOf(purchase: Purchase): Destination {
  const { option } = purchase.quote;
  if (option?.location) return { kind: "pickup", ...option.location };
  const address = deliveredTo(purchase);
  if (!address) return { kind: "digital" };
  return addressedTo(purchase.asked.shipTo ? "other" : "cardholder", address);
}

/** Our own plain values, as a column takes them. */
function json(value: object): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify(value)) as Prisma.InputJsonObject;
}
