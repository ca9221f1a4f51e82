/** Daily limits of the native coin that the treasury sells for the gas of trades, including its own network fees. */
import type { Prisma } from "../../../generated/prisma/client.ts";

export interface GasLimits {
  readonly perAccountWei: bigint;
  /** For all accounts together, which one person can create many of. Zero: the treasury sells none. */
  readonly totalWei: bigint;
  /** Maximum price of the gas of one trade in micro-USD. */
  readonly perTradeMicroUsd: bigint;
}

/** Validity of the wallet's authorization. Short, because its amount remains reserved until then if the purchase is not mined. */
export const GAS_VALIDITY_SECONDS = 180;

/** First key of the advisory lock on the totals of a network. */
const GAS_LOCK = 271_127;

/**
 * Locks the totals of the network until the end of the transaction. Returns whether the limits allow a further amount. Failed
 * purchases count with their network fees, so that they cannot empty the treasury.
 */
export async function lockGasTotals(
  tx: Prisma.TransactionClient,
  { perAccountWei, totalWei }: GasLimits,
  { accountId, network }: { readonly accountId: string; readonly network: string },
  costWei: bigint,
): Promise<boolean> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${GAS_LOCK}::int, hashtext(${network}))`;
  const [sums] = await tx.$queryRaw<{ account: string; total: string }[]>`
    SELECT coalesce(sum(cost) FILTER (WHERE account_id = ${accountId}::uuid), 0)::text AS account, coalesce(sum(cost), 0)::text AS total
    FROM (
      SELECT account_id, coalesce(fee_wei, max_fee_wei) + CASE WHEN status IN ('signed', 'mined') THEN amount_wei ELSE 0 END AS cost
      FROM gas_purchases
      WHERE network = ${network}
        AND created_at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'
    ) AS today`;
  const { account, total } = sums ?? { account: "0", total: "0" };
  return BigInt(account) + costWei <= perAccountWei && BigInt(total) + costWei <= totalWei;
}
