/** Comparison of balances on chain with the transfers that were read: opening + in − out. It notices transfers that were not read. */
import type { Database, Statement } from "../../platform/database/connection.ts";
import type { NetworkName } from "../networks.ts";
import { type FoundDifference, recordDifferences } from "./differences.ts";

const EXPECTED: Statement = {
  name: "chain-audit-expected-balances",
  text: `SELECT wallet_id, opening_atomic + in_atomic - out_atomic AS atomic
    FROM chain_audit_balances WHERE network = $1 AND asset = $2 AND wallet_id = ANY($3)`,
};

// The first check of a wallet that existed before the audit determines its opening balance.
const SET_OPENING: Statement = {
  name: "chain-audit-opening-balance",
  text: `UPDATE chain_audit_balances SET opening_atomic = $4::numeric - in_atomic + out_atomic
    WHERE network = $1 AND asset = $2 AND wallet_id = $3 AND opening_atomic IS NULL`,
};

/**
 * Compares balances, by wallet id, at the last block that was read, and records the differences.
 * @param asset in the form that the totals have
 */
export async function compareBalances(
  db: Database,
  network: NetworkName,
  asset: string,
  balances: ReadonlyMap<string, bigint>,
): Promise<void> {
  if (balances.size === 0) return;
  const rows = await db.query<{ wallet_id: string; atomic: string | null }>(EXPECTED, [
    network,
    asset,
    [...balances.keys()],
  ]);
  const expected = new Map(rows.map(({ wallet_id, atomic }) => [wallet_id, atomic === null ? null : BigInt(atomic)]));
  const found: FoundDifference[] = [];
  for (const [walletId, chainAtomic] of balances) {
    const ledgerAtomic = expected.has(walletId) ? (expected.get(walletId) ?? null) : 0n;
    if (ledgerAtomic === null) await db.query(SET_OPENING, [network, asset, walletId, chainAtomic.toString()]);
    else if (ledgerAtomic !== chainAtomic)
      found.push({
        kind: "balance",
        subject: subjectOf(walletId, asset),
        walletId,
        asset,
        txHash: null,
        transactionId: null,
        chainAtomic,
        ledgerAtomic,
      });
  }
  const examined = [...balances.keys()].map((walletId) => subjectOf(walletId, asset));
  await recordDifferences(db, network, { kinds: ["balance"], examined }, found);
}

const subjectOf = (walletId: string, asset: string) => `${walletId} ${asset}`;
