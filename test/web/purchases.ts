/** Orders that need approval, as stored by a dispatch. */
import { randomBytes, randomUUID } from "node:crypto";
import { requestApproval } from "../../src/checkout/approvals/approvals.ts";
import { createAddressDestination, PurchaseDocument } from "../../src/checkout/approvals/purchase-document.ts";
import { sealDeliveryAddress } from "../../src/checkout/orders/delivery-address.ts";
import { checkShipTo, toDeliveryAddress } from "../../src/checkout/quote/ship-to.ts";
import type { Stack, TestAccount } from "../support/stack.ts";
import { QUOTE } from "./quote.ts";

export const HOME = checkShipTo({
  firstName: "Ada",
  lastName: "Lovelace",
  address1: "12 St James's Square",
  city: "London",
  postalCode: "SW1Y 4JH",
  countryCode: "GB",
});

export const PURCHASE: PurchaseDocument = PurchaseDocument.parse({
  type: "checkout.purchase.2",
  asked_by: "Travel agent",
  user_prompt: "Get me warm socks for the hike, the grey ones, and have them here by Friday",
  merchant: { id: "mer_1", name: "Harbour Outfitters", domain: "harbour.example", is_test: true, is_pooled: true },
  lines: [
    {
      sku: "gid://shopify/ProductVariant/1",
      title: "Wool socks",
      variant_title: "Grey / M",
      quantity: 2,
      total_minor: 2_400,
    },
    { sku: "gid://shopify/ProductVariant/2", title: "Waxed laces", variant_title: null, quantity: 1, total_minor: 350 },
  ],
  delivery: { type: "shipping", title: "Royal Mail, tracked", amount_minor: 495 },
  destination: createAddressDestination("cardholder", toDeliveryAddress(HOME)),
  amount_minor: 3_245,
  amount_is_final: true,
  currency: "GBP",
  card: { id: "card_1", brand: "visa", last4: "4242" },
  card_entry: { page_origins: ["https://harbour.example"], frame_origins: null },
  constraints: null,
});

/**
 * Creates an order with a pending approval.
 * @param document changes to `PURCHASE`; may contain unknown members, as a later version of the service might write
 */
export async function createPendingPurchase(stack: Stack, account: TestAccount, document: object = {}) {
  const { deps } = stack.service;
  const { accountId, tokenId: credentialId } = account;
  const orderId = `ord_${randomUUID().replaceAll("-", "")}`;
  const dispatchSha256 = new Uint8Array(randomBytes(32));
  const address = await sealDeliveryAddress(deps.keks, { id: orderId, accountId }, HOME);
  return await deps.db.prisma.$transaction(async (tx) => {
    const merchant = await tx.merchant.findFirst({ where: { name: PURCHASE.merchant.name } });
    const cart = { quote: QUOTE, amountMinor: BigInt(PURCHASE.amount_minor), currency: PURCHASE.currency };
    const order = { id: orderId, accountId, credentialId, dispatchSha256, request: {}, ...address, ...cart };
    const state = { kind: "purchase", status: "approval_required", merchantId: merchant?.id ?? null };
    await tx.checkoutOrder.create({ data: { ...order, ...state } });
    const approval = await requestApproval(tx, deps, {
      ...{ orderId, accountId, requesterId: credentialId, dispatchSha256 },
      reason: "above_order_limit",
      document: { ...PURCHASE, ...document },
    });
    return { ...approval, orderId, dispatchSha256 };
  });
}
