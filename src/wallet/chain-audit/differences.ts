/** Differences between the chains and the ledger. A difference that no longer exists is resolved and remains on record. */
import type { Database, Statement } from "../../platform/database/connection.ts";
import { newId } from "../../platform/ids.ts";
import type { NetworkName } from "../networks.ts";

/**
 * `unrecorded_transfer`: an outgoing transfer without a ledger row. `amount`: a settled row and its transfers differ.
 * `bought`: a trade bought another amount than recorded. `balance`: the balance differs from the sum of all transfers.
 */
export type DifferenceKind = "unrecorded_transfer" | "amount" | "bought" | "balance";

/** A difference that a run found. */
export interface FoundDifference {
  readonly kind: DifferenceKind;
  /** Identifies the difference among those of its network and kind. */
  readonly subject: string;
  readonly walletId: string;
  readonly asset: string;
  readonly txHash: string | null;
  readonly transactionId: string | null;
  /** The amount on chain, in the asset's smallest unit. */
  readonly chainAtomic: bigint;
  /** The amount in the ledger; for a balance, the sum of the transfers. */
  readonly ledgerAtomic: bigint;
}

/** What a run examined. Open differences of these kinds and subjects that it did not find again are resolved. */
export interface Examined {
  readonly kinds: readonly DifferenceKind[];
  /** Null: all subjects. */
  readonly examined: readonly string[] | null;
}

const RECORD: Statement = {
  name: "record-chain-differences",
  text: `WITH found AS (
      SELECT * FROM json_to_recordset($2::json) AS f (id text, kind text, subject text, wallet_id text, asset text, tx_hash text,
        transaction_id text, chain_atomic numeric, ledger_atomic numeric)
    ), resolved AS (
      UPDATE chain_differences d SET resolved_at = now()
      WHERE d.network = $1 AND d.resolved_at IS NULL AND d.kind = ANY($3) AND ($4::text[] IS NULL OR d.subject = ANY($4))
        AND NOT EXISTS (SELECT FROM found f WHERE f.kind = d.kind AND f.subject = d.subject)
    )
    INSERT INTO chain_differences (id, network, kind, subject, wallet_id, asset, tx_hash, transaction_id, chain_atomic, ledger_atomic)
    SELECT id, $1, kind, subject, wallet_id, asset, tx_hash, transaction_id, chain_atomic, ledger_atomic FROM found
    ON CONFLICT (network, kind, subject) WHERE resolved_at IS NULL
    DO UPDATE SET chain_atomic = excluded.chain_atomic, ledger_atomic = excluded.ledger_atomic`,
};

/** Records differences, and resolves the examined ones that were not found again. */
export async function recordDifferences(
  db: Database,
  network: NetworkName,
  { kinds, examined }: Examined,
  found: readonly FoundDifference[],
): Promise<void> {
  const rows = found.map((it) => ({
    id: newId("dif"),
    kind: it.kind,
    subject: it.subject,
    wallet_id: it.walletId,
    asset: it.asset,
    tx_hash: it.txHash,
    transaction_id: it.transactionId,
    chain_atomic: toStorable(it.chainAtomic).toString(),
    ledger_atomic: toStorable(it.ledgerAtomic).toString(),
  }));
  await db.query(RECORD, [network, JSON.stringify(rows), kinds, examined]);
}

/** Largest amount of the columns. It exceeds any amount on chain, but not any sum of the amounts that a hostile token logs. */
const MAX_ATOMIC = 10n ** 78n - 1n;

function toStorable(atomic: bigint): bigint {
  if (atomic > MAX_ATOMIC) return MAX_ATOMIC;
  return atomic < -MAX_ATOMIC ? -MAX_ATOMIC : atomic;
}

/** An open difference. Amounts are decimal strings in the asset's smallest unit. */
export interface OpenDifference {
  readonly id: string;
  readonly kind: DifferenceKind;
  readonly network: string;
  readonly walletId: string;
  readonly asset: string;
  readonly txHash: string | null;
  readonly transactionId: string | null;
  readonly chainAtomic: string;
  readonly ledgerAtomic: string;
  readonly foundAt: Date;
}

const OPEN: Statement = {
  name: "open-chain-differences",
  text: `SELECT id, kind, network, wallet_id AS "walletId", asset, tx_hash AS "txHash", transaction_id AS "transactionId",
      chain_atomic AS "chainAtomic", ledger_atomic AS "ledgerAtomic", found_at AS "foundAt"
    FROM chain_differences WHERE resolved_at IS NULL ORDER BY found_at, id`,
};

/** Returns all open differences, the oldest first. */
export async function readOpenDifferences(db: Database): Promise<OpenDifference[]> {
  return await db.query<OpenDifference>(OPEN, []);
}
