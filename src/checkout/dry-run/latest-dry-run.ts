/** The latest dry run of a cart. While it is valid, a quote of the same cart states the payment page's total. */
import type { CheckoutOrder } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import type { CartRequest } from "../order-request.ts";
import type { Quote } from "../quote/quote.ts";
import { type ShipTo, toDeliveryAddress } from "../quote/ship-to.ts";
import { type DryRun, DryRunBody } from "../worker-protocol/dry-run.ts";

/** Validity of a dry run from its end. Merchants change prices. */
export const DRY_RUN_VALID_MS = 15 * 60_000;

type DryRunCart = Pick<CartRequest, "merchantId" | "items" | "shipTo">;

/** Returns the digest by which the dry run of a cart is found: items, destination and fulfilment option. */
export function digestOfDryRun(
  cart: DryRunCart,
  home: ShipTo | null,
  optionId: string | null,
): Uint8Array<ArrayBuffer> {
  const items = cart.items.toSorted((one, other) => (one.sku < other.sku ? -1 : 1));
  const destination = cart.shipTo ?? (home && toDeliveryAddress(home));
  return canonicalDigest({
    ...{ kind: "dry_run", merchantId: cart.merchantId, items: items.map(({ sku, quantity }) => ({ sku, quantity })) },
    ...{ shipToSha256: destination?.sha256 ?? null, optionId },
  });
}

/** Returns the result of a dry run; null for other orders, and before it has ended. */
export function readDryRun({ dryRun }: Pick<CheckoutOrder, "dryRun">): DryRun | null {
  return DryRunBody.safeParse(dryRun).data ?? null;
}

/**
 * Returns the quote with the total of a valid dry run as its final amount. Returns it unchanged if the dry run did not reach the payment
 * page, had missing fields, or if the total exceeds the request's caps.
 */
export async function withDryRun(
  db: Database,
  quote: Quote,
  cart: {
    readonly accountId: string;
    readonly request: Pick<CartRequest, "merchantId" | "items" | "shipTo" | "constraints">;
    readonly home: ShipTo | null;
  },
): Promise<Quote> {
  if (quote.expectedMinor === null || quote.isFinal) return quote;
  const { accountId, request, home } = cart;
  const dispatchSha256 = digestOfDryRun(request, home, quote.selectedOptionId);
  const order = await db.prisma.checkoutOrder.findUnique({
    where: {
      accountId_dispatchSha256: { accountId, dispatchSha256 },
      ...{ kind: "explored", status: "explored", completedAt: { gt: new Date(Date.now() - DRY_RUN_VALID_MS) } },
    },
    select: { dryRun: true },
  });
  const dryRun = order && readDryRun(order);
  if (!dryRun?.isAtPayment || dryRun.missingFields.length > 0 || dryRun.currency !== quote.currency) return quote;
  const { totalMinor } = dryRun;
  const { maxTotalMinor = null, maxShippingMinor = null } = request.constraints ?? {};
  if (totalMinor === null || (maxTotalMinor !== null && totalMinor > maxTotalMinor)) return quote;
  // A higher total may contain a higher price of delivery than the one that was checked.
  if (maxShippingMinor !== null && totalMinor > quote.expectedMinor) return quote;
  return { ...quote, capMinor: totalMinor, expectedMinor: totalMinor, isFinal: true };
}
