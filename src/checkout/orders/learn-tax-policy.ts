/** Tax policy of an explored merchant by what it charged, where its pages do not state the policy. */
import type { CheckoutOrder, Prisma } from "../../../generated/prisma/client.ts";
import { readBillingAddress } from "../cards/billing-address.ts";
import { lockDomain } from "../merchants/merchants.ts";
import { readQuote } from "./request.ts";

/** Some of their regions have no sales tax, so a charge without tax says nothing about the merchant. */
const COUNTRIES_WITH_UNTAXED_REGIONS = new Set(["CA", "US"]);

/**
 * Stores whether a confirmed charge in the merchant's own country contained tax above the quoted goods and delivery. Changes only
 * the account's own record of a merchant whose policy is unknown.
 */
export async function learnTaxPolicy(tx: Prisma.TransactionClient, order: CheckoutOrder): Promise<void> {
  const estimateMinor = readQuote(order)?.estimateMinor ?? null;
  const { merchantId: id, accountId, amountChargedMinor } = order;
  if (id === null || amountChargedMinor === null || estimateMinor === null) return;
  const merchant = await tx.merchant.findFirst({ where: { id, accountId, rail: "shopify", taxPolicy: "unknown" } });
  if (!merchant || (await findDestination(tx, order)) !== merchant.countryCode) return;
  const isIncluded =
    amountChargedMinor === BigInt(estimateMinor) && !COUNTRIES_WITH_UNTAXED_REGIONS.has(merchant.countryCode);
  // A lower charge has other reasons, such as a discount at the checkout.
  const isAdded = amountChargedMinor > BigInt(estimateMinor);
  if (!isIncluded && !isAdded) return;
  await lockDomain(tx, merchant.domain);
  await tx.merchant.updateMany({
    where: { id, taxPolicy: "unknown" },
    data: { taxPolicy: isIncluded ? "included" : "added" },
  });
}

/** Returns the country for which the cart was priced: that of the delivery address, by default of the cardholder's. */
async function findDestination(tx: Prisma.TransactionClient, { accountId, shipToEcho }: CheckoutOrder) {
  if (shipToEcho !== null) return (shipToEcho as { countryCode?: string }).countryCode;
  const card = await tx.paymentCard.findUnique({
    where: { defaultSlot: accountId },
    select: { billingAddress: true },
  });
  return card && readBillingAddress(card).countryCode;
}
