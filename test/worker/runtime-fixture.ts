/** The service, an untrusted merchant, and orders there. */
import type { CheckoutOrder } from "../../generated/prisma/client.ts";
import { sealCard } from "../../src/checkout/cards/card-vault.ts";
import { checkShipTo } from "../../src/checkout/quote/ship-to.ts";
import { createCardEntry } from "../../src/checkout/worker-protocol/card-entry.ts";
import { newId } from "../../src/platform/ids.ts";
import { HOME, NEXT_YEAR } from "../checkout/account-owner.ts";
import { addAccount, addOrder, readOrder } from "../checkout/orders/order-rows.ts";
import { WORKER_TOKEN } from "../checkout/orders/worker-client.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { openUntrustedMerchant, type UntrustedMerchant } from "./untrusted-merchant.ts";

export const CODE = "739";

export interface RuntimeFixture {
  readonly stack: OwnStack;
  readonly merchant: UntrustedMerchant;
  readonly accountId: string;
  /** Adds an order at the merchant, paid with a new card of this number. */
  addOrder(cardNumber?: string): Promise<CheckoutOrder>;
  readOrder(id: string): Promise<CheckoutOrder>;
  readEvidence(id: string): Promise<{
    readonly steps: readonly {
      readonly action: string;
      readonly outcome: string;
      readonly screenshotId: string | null;
    }[];
    readonly artifacts: readonly {
      readonly id: string;
      readonly kind: string;
      readonly redactions: readonly string[];
      readonly bytes: Uint8Array;
    }[];
  }>;
  stop(): Promise<void>;
}

export async function openRuntimeFixture(env: Record<string, string> = {}): Promise<RuntimeFixture> {
  const merchant = await openUntrustedMerchant();
  const stack = await startStack({ env: { WORKER_TOKEN, ...env } });
  const { db, keks } = stack.service.deps;
  const accountId = await addAccount(db);
  const merchantId = newId("mer");
  const domain = new URL(merchant.url).host;
  const place = { currency: "GBP", countryCode: "GB", shipsTo: ["GB"], rail: "worker" };
  await db.prisma.merchant.create({
    data: { id: merchantId, name: "Untrusted", domain, pooledDomain: domain, url: merchant.url, ...place },
  });

  async function addCard(number: string): Promise<string> {
    const id = newId("card");
    const displayFields = {
      brand: "visa",
      last4: number.slice(-4),
      expMonth: 4,
      expYear: NEXT_YEAR,
      funding: "unknown",
    };
    const cardholder = { cardholderName: "Ada Lovelace", billingAddress: { ...checkShipTo(HOME) } };
    const sealed = await sealCard(keks, { id, accountId }, { number, securityCode: CODE });
    const data = { id, accountId, ...displayFields, ...cardholder, ...sealed, status: "active", hasSecurityCode: true };
    await db.prisma.paymentCard.create({ data });
    return id;
  }

  return {
    ...{ stack, merchant, accountId },
    async addOrder(cardNumber = "4242424242424242") {
      const quote = { basketUrl: `${merchant.url}/pay`, options: [], selectedOptionId: null, lines: [] };
      const cardEntry = createCardEntry(merchant.url, null);
      return await addOrder(db, accountId, { merchantId, cardId: await addCard(cardNumber), quote, cardEntry });
    },
    readOrder: (id) => readOrder(db, id),
    async readEvidence(orderId) {
      return {
        steps: await db.prisma.checkoutStep.findMany({ where: { orderId }, orderBy: { seq: "asc" } }),
        artifacts: await db.prisma.checkoutArtifact.findMany({ where: { orderId }, orderBy: { createdAt: "asc" } }),
      };
    },
    async stop() {
      await stack.stop();
      await merchant.stop();
    },
  };
}
