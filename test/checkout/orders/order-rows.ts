/** Order rows and the rows they refer to. */
import { randomBytes, randomUUID } from "node:crypto";
import type { CheckoutOrder, Prisma } from "../../../generated/prisma/client.ts";
import { sealCard } from "../../../src/checkout/cards/card-vault.ts";
import { checkShipTo } from "../../../src/checkout/quote/ship-to.ts";
import type { KeyEncryptionKeys } from "../../../src/platform/crypto/sealing/wrapped-key.ts";
import type { Database } from "../../../src/platform/database/connection.ts";
import { newId } from "../../../src/platform/ids.ts";
import { HOME, NEXT_YEAR } from "../account-owner.ts";

/** Adds an account without a wallet. */
export async function addAccount(db: Database): Promise<string> {
  return (await db.prisma.account.create({ data: { id: randomUUID() } })).id;
}

/** Adds a merchant with an unreachable site. */
export async function addMerchant(db: Database): Promise<string> {
  const id = newId("mer");
  const place = { currency: "GBP", countryCode: "GB", shipsTo: ["GB"], rail: "worker" };
  const domain = `${id.toLowerCase()}.example`;
  await db.prisma.merchant.create({
    data: { id, name: "Shop", domain, pooledDomain: domain, url: `https://${domain}`, ...place },
  });
  return id;
}

export const CARD_NUMBER = "4242424242424242";

/** Adds a sealed card, as `addCard` stores it. */
export async function addSealedCard(db: Database, keks: KeyEncryptionKeys, accountId: string): Promise<string> {
  const id = newId("card");
  const displayFields = { brand: "visa", last4: "4242", expMonth: 4, expYear: NEXT_YEAR, funding: "unknown" };
  const cardholder = { cardholderName: "Ada Lovelace", billingAddress: { ...checkShipTo(HOME) } };
  const sealed = await sealCard(keks, { id, accountId }, { number: CARD_NUMBER, securityCode: "739" });
  const data = { id, accountId, ...displayFields, ...cardholder, ...sealed, status: "active", hasSecurityCode: true };
  await db.prisma.paymentCard.create({ data });
  return id;
}

export async function addOrder(
  db: Database,
  accountId: string,
  data: Partial<Prisma.CheckoutOrderUncheckedCreateInput> = {},
): Promise<CheckoutOrder> {
  return await db.prisma.checkoutOrder.create({
    data: {
      id: newId("ord"),
      accountId,
      credentialId: "tok_test",
      kind: "purchase",
      status: "pending",
      dispatchSha256: new Uint8Array(randomBytes(32)),
      request: { items: [{ sku: "gid://shopify/ProductVariant/1", quantity: 1 }] },
      amountMinor: 2_895n,
      currency: "GBP",
      cardEntry: { pageOrigins: ["https://store.example"], frameOrigins: null },
      ...data,
    },
  });
}

export async function readOrder(db: Database, id: string): Promise<CheckoutOrder> {
  return await db.prisma.checkoutOrder.findUniqueOrThrow({ where: { id } });
}
