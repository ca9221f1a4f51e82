/** Orders as rows, for tests of what happens to them. */
import { randomBytes, randomUUID } from "node:crypto";
import type { CheckoutOrder, Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../../src/platform/database.ts";
import { newId } from "../../../src/platform/ids.ts";

/** An account without a wallet: enough for orders to belong to. */
export async function addAccount(db: Database): Promise<string> {
  return (await db.prisma.account.create({ data: { id: randomUUID() } })).id;
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
      ...data,
    },
  });
}

export async function readOrder(db: Database, id: string): Promise<CheckoutOrder> {
  return await db.prisma.checkoutOrder.findUniqueOrThrow({ where: { id } });
}
