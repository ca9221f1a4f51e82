/** Daily limits of the network fees that the treasury pays for revocations of permits (`revoke-permit.ts`), on each network. */
import type { Prisma } from "../../generated/prisma/client.ts";
import type { NetworkName } from "../wallet/networks.ts";

export interface RevocationFeeLimits {
  readonly perAccountWei: bigint;
  /** For each recipient, and for each host. */
  readonly perSellerWei: bigint;
  /** For all accounts together, which one person can create many of. */
  readonly totalWei: bigint;
}

/** A revocation, as far as its fees are counted. */
export interface FeeSubject {
  readonly accountId: string;
  readonly network: NetworkName;
  readonly payTo: string;
  readonly sellerHost: string;
}

/** First key of the advisory locks on the fee totals of a network. */
const FEE_LOCKS = 262_612;

interface FeeTotals {
  readonly account: string;
  readonly payee: string;
  readonly host: string;
  readonly total: string;
}

/**
 * Locks the fees of the network until the end of the transaction. Returns whether the limits allow a further fee.
 * @param replacedId revocation whose fee is replaced by this one; null for a new revocation
 */
export async function lockFees(
  tx: Prisma.TransactionClient,
  limits: RevocationFeeLimits,
  subject: FeeSubject,
  feeWei: bigint,
  replacedId: string | null,
): Promise<boolean> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(${FEE_LOCKS}::int, hashtext(${subject.network}))`;
  const spent = await sumFeesToday(tx, subject, replacedId);
  const isWithin = (total: string, limitWei: bigint) => BigInt(total) + feeWei <= limitWei;
  const { perAccountWei, perSellerWei, totalWei } = limits;
  return (
    isWithin(spent.account, perAccountWei) &&
    isWithin(spent.payee, perSellerWei) &&
    isWithin(spent.host, perSellerWei) &&
    isWithin(spent.total, totalWei)
  );
}

/** Returns the fees in wei since 00:00 UTC. A pending transaction counts with its maximum. */
async function sumFeesToday(
  tx: Prisma.TransactionClient,
  { accountId, network, payTo, sellerHost }: FeeSubject,
  replacedId: string | null,
): Promise<FeeTotals> {
  const [totals] = await tx.$queryRaw<FeeTotals[]>`
    SELECT coalesce(sum(coalesce(fee_wei, max_fee_wei)) FILTER (WHERE account_id = ${accountId}::uuid), 0)::text AS account,
      coalesce(sum(coalesce(fee_wei, max_fee_wei)) FILTER (WHERE pay_to = ${payTo}), 0)::text AS payee,
      coalesce(sum(coalesce(fee_wei, max_fee_wei)) FILTER (WHERE seller_host = ${sellerHost}), 0)::text AS host,
      coalesce(sum(coalesce(fee_wei, max_fee_wei)), 0)::text AS total
    FROM permit_revocations
    WHERE network = ${network} AND id IS DISTINCT FROM ${replacedId}
      AND created_at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`;
  return totals ?? { account: "0", payee: "0", host: "0", total: "0" };
}
