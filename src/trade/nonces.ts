/**
 * Nonce assignment for a wallet's transactions. One statement chooses the nonces, inserts the rows and updates the trade and its
 * ledger row, or does nothing. A crash leaves either an unsigned reservation, or rows from which the same bytes are signed again.
 * Of two callers that choose the same nonce, one violates the unique index and retries.
 */

import type { Database, Statement } from "../platform/database/connection.ts";
import { isUniqueViolation } from "../platform/database/errors.ts";
import { newId } from "../platform/ids.ts";
import type { Fees } from "../wallet/evm/fees.ts";
import type { EvmRpc } from "../wallet/evm/rpc.ts";
import { maxCostWei } from "./fees.ts";

export interface NewTransaction {
  readonly purpose: "approve" | "swap" | "revoke";
  readonly to: string;
  readonly data: string;
  readonly valueWei: bigint;
  readonly gasLimit: bigint;
}

export interface Sender {
  readonly walletId: string;
  readonly address: `0x${string}`;
  readonly network: string;
}

const MAX_ATTEMPTS = 50;

const NONCES = `first AS (
      SELECT greatest($4::bigint, coalesce(max(nonce) + 1, 0)) AS nonce FROM evm_transactions WHERE wallet_id = $2 AND network = $3
    ), asked AS (
      SELECT * FROM json_to_recordset($5::json) AS r (id text, "position" int, purpose text, "to" text, data text,
        value_atomic numeric, gas_limit bigint, max_fee numeric, max_priority_fee numeric)
    )`;
const insert = (
  from: string,
) => `INSERT INTO evm_transactions (id, trade_id, wallet_id, network, nonce, purpose, status, "to", data,
      value_atomic, gas_limit, max_fee_per_gas, max_priority_fee, replaced_hashes, next_check_at)
    SELECT a.id, ${from}, $2, $3, f.nonce + a."position", a.purpose, 'reserved', a."to", a.data, a.value_atomic, a.gas_limit, a.max_fee,
      a.max_priority_fee, '{}', now() + interval '5 seconds'`;

// `funds` is the free native balance: less sales of the native coin, which include their gas, and less the gas of other trades.
const COMMIT_SWAP: Statement = {
  name: "commit-swap",
  text: `WITH ${NONCES}, held AS MATERIALIZED (
      SELECT id FROM transactions WHERE id = $1 AND status = 'reserved' FOR UPDATE
    ), funds AS (
      SELECT $6::numeric - coalesce((SELECT outstanding_atomic FROM wallet_holds
          WHERE wallet_id = $2 AND network = $3 AND asset = 'native'), 0)
        - coalesce((SELECT sum(e.gas_limit * e.max_fee_per_gas) FROM evm_transactions e JOIN trades r ON r.id = e.trade_id
          WHERE e.wallet_id = $2 AND e.network = $3 AND e.status IN ('reserved', 'signed') AND r.sell_token <> 'native'), 0) AS free
    ), marked AS (
      UPDATE transactions t SET status = 'signed', signed_at = now(), updated_at = now() FROM held, funds
      WHERE t.id = held.id AND t.status = 'reserved' AND funds.free >= $7::numeric RETURNING t.id
    ), moved AS (
      UPDATE trades r SET status = $8, updated_at = now() FROM marked WHERE r.transaction_id = marked.id RETURNING r.id
    ), inserted AS (
      ${insert("moved.id")} FROM asked a, first f, moved RETURNING id
    )
    SELECT (SELECT count(*) FROM inserted)::int AS inserted, (SELECT count(*) FROM held)::int AS held, free::text FROM funds`,
};

const ADD_TRANSACTION: Statement = {
  name: "add-evm-transaction",
  text: `WITH ${NONCES}
    ${insert("$1")} FROM asked a, first f
    WHERE NOT EXISTS (SELECT FROM evm_transactions e, asked n WHERE e.trade_id = $1 AND e.purpose = n.purpose)`,
};

/** Result of committing a swap. `insufficientGas`: the native balance does not cover the gas. `notReserved`: already released. */
export type Commitment =
  | { readonly kind: "committed" }
  | { readonly kind: "insufficientGas"; readonly freeWei: bigint }
  | { readonly kind: "notReserved" };

/** Commits the trade of a ledger row to its transactions, which receive consecutive nonces in order. */
export async function commitSwap(
  db: Database,
  rpc: EvmRpc,
  sender: Sender,
  swap: {
    readonly transactionId: string;
    readonly transactions: readonly NewTransaction[];
    readonly fees: Fees;
    /** Whether the ledger row already includes the gas, as for a sale of the native coin. */
    readonly isGasReserved: boolean;
  },
): Promise<Commitment> {
  const { transactionId, transactions, fees, isGasReserved } = swap;
  const gasWei = transactions.reduce((sum, { gasLimit }) => sum + maxCostWei(gasLimit, fees), 0n);
  const status = transactions.some(({ purpose }) => purpose === "approve") ? "approving" : "submitted";
  return await retryOnNonceConflict(rpc, sender, async (chainNonce, balanceWei) => {
    const rows = JSON.stringify(transactions.map((transaction, position) => rowOf(transaction, position, fees)));
    const [row] = await db.query<{ inserted: number; held: number; free: string }>(COMMIT_SWAP, [
      transactionId,
      sender.walletId,
      sender.network,
      chainNonce,
      rows,
      balanceWei.toString(),
      (isGasReserved ? 0n : gasWei).toString(),
      status,
    ]);
    if (row && row.inserted > 0) return { kind: "committed" };
    return row && row.held > 0 ? { kind: "insufficientGas", freeWei: BigInt(row.free) } : { kind: "notReserved" };
  });
}

/** Adds a transaction to a trade, unless the trade already has one with that purpose. */
export async function addTransaction(
  db: Database,
  rpc: EvmRpc,
  sender: Sender,
  tradeId: string,
  transaction: NewTransaction,
  fees: Fees,
): Promise<void> {
  await retryOnNonceConflict(rpc, sender, async (chainNonce) => {
    const rows = JSON.stringify([rowOf(transaction, 0, fees)]);
    await db.query(ADD_TRANSACTION, [tradeId, sender.walletId, sender.network, chainNonce, rows]);
  });
}

async function retryOnNonceConflict<Result>(
  rpc: EvmRpc,
  { address }: Sender,
  write: (chainNonce: number, balanceWei: bigint) => Promise<Result>,
): Promise<Result> {
  const [chainNonce, balanceWei] = await Promise.all([
    rpc.request((client) => client.getTransactionCount({ address, blockTag: "pending" })),
    rpc.request((client) => client.getBalance({ address, blockTag: "latest" })),
  ]);
  for (let attempt = 1; ; attempt++) {
    try {
      return await write(chainNonce, balanceWei);
    } catch (error) {
      if (!isUniqueViolation(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

function rowOf({ purpose, to, data, valueWei, gasLimit }: NewTransaction, position: number, fees: Fees): object {
  return {
    id: newId("etx"),
    position,
    purpose,
    to,
    data,
    value_atomic: valueWei.toString(),
    gas_limit: gasLimit.toString(),
    max_fee: fees.maxFeePerGas.toString(),
    max_priority_fee: fees.maxPriorityFeePerGas.toString(),
  };
}
