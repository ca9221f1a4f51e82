/** Comparison of balances on chain with the transfers that were read: opening + in − out. It notices transfers that were not read. */
import type { Database, Statement } from "../../platform/database/connection.ts";
import type { NetworkName } from "../networks.ts";
import { type FoundDifference, recordDifferences } from "./differences.ts";

// Totals and position are read together: another run, such as the command beside the job, may have advanced both.
const EXPECTED: Statement = {
  name: "chain-audit-expected-balances",
  text: `SELECT w.id, CASE WHEN b.wallet_id IS NULL THEN 0 ELSE b.opening_atomic + b.in_atomic - b.out_atomic END AS atomic
    FROM unnest($3::text[]) AS w (id) JOIN chain_audit_networks n ON n.network = $1
      LEFT JOIN chain_audit_accounts a ON a.network = $1 AND a.wallet_id = w.id
      LEFT JOIN chain_audit_balances b ON b.network = $1 AND b.wallet_id = w.id AND b.asset = $2
    WHERE coalesce(a.slot, n.block_number) = $4`,
};

// The first check of a wallet that existed before the audit determines its opening balance.
const SET_OPENING: Statement = {
  name: "chain-audit-opening-balance",
  text: `UPDATE chain_audit_balances SET opening_atomic = $4::numeric - in_atomic + out_atomic
    WHERE network = $1 AND asset = $2 AND wallet_id = $3 AND opening_atomic IS NULL`,
};

/**
 * Compares balances, by wallet id, and records the differences. Wallets whose transfers were read up to another block are left out.
 * @param asset in the form that the totals have
 * @param position the block, or slot, of the balances
 */
export async function compareBalances(
  db: Database,
  network: NetworkName,
  asset: string,
  balances: ReadonlyMap<string, bigint>,
  position: bigint,
): Promise<void> {
  if (balances.size === 0) return;
  const values = [network, asset, [...balances.keys()], position];
  const expected = await db.query<{ id: string; atomic: string | null }>(EXPECTED, values);
  const found: FoundDifference[] = [];
  for (const { id: walletId, atomic } of expected) {
    const chainAtomic = balances.get(walletId) ?? 0n;
    if (atomic === null) {
      await db.query(SET_OPENING, [network, asset, walletId, chainAtomic.toString()]);
      continue;
    }
    const ledgerAtomic = BigInt(atomic);
    if (ledgerAtomic === chainAtomic) continue;
    const subject = subjectOf(walletId, asset);
    const none = { txHash: null, transactionId: null };
    found.push({ kind: "balance", subject, walletId, asset, chainAtomic, ledgerAtomic, ...none });
  }
  const examined = expected.map(({ id }) => subjectOf(id, asset));
  await recordDifferences(db, network, { kinds: ["balance"], examined }, found);
}

const subjectOf = (walletId: string, asset: string) => `${walletId} ${asset}`;
