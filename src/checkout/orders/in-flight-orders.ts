/** Live orders, with what can still happen to them during a freeze. */
import { type InFlight, MAX_IN_FLIGHT } from "../../accounts/freeze/in-flight.ts";
import type { Database } from "../../platform/database/connection.ts";
import { LIVE_STATES } from "./states.ts";

/** Returns the live purchases of the account, or of all accounts if it is null; newest first. */
export async function listInFlightOrders(
  { db }: { readonly db: Database },
  accountId: string | null,
): Promise<InFlight[]> {
  const orders = await db.prisma.checkoutOrder.findMany({
    where: { kind: "purchase", status: { in: [...LIVE_STATES] }, ...(accountId === null ? {} : { accountId }) },
    select: { id: true, accountId: true, submittedAt: true, merchant: { select: { name: true } } },
    orderBy: { createdAt: "desc" },
    take: MAX_IN_FLIGHT,
  });
  return orders.map(({ id, accountId: owner, submittedAt, merchant }) => ({
    kind: "order",
    id,
    accountId: owner,
    outlook: submittedAt === null ? "ends_uncharged" : "may_be_charged",
    amountMicroUsd: null,
    counterparty: merchant?.name ?? null,
    until: null,
  }));
}
