/** Comparison of the transfers that were read with the ledger. `match-transfers.ts` has the rules. */
import type { Database, Statement } from "../../platform/database/connection.ts";
import type { NetworkName } from "../networks.ts";
import { NETWORKS } from "../networks.ts";
import { type FoundDifference, recordDifferences } from "./differences.ts";
import {
  type Mismatch,
  matchTransfers,
  type OutstandingRow,
  type SettledRow,
  type Transfer,
} from "./match-transfers.ts";

/** Rows of the ledger that one statement reads. */
const PAGE = 5_000;
/** Unassigned transfers of each token. Anyone can log transfers of a hostile token, which must not hide those of others. */
const MAX_UNASSIGNED = 10_000;

const settledRows = (
  condition: string,
) => `SELECT t.id, t.wallet_id AS "walletId", t.type, t.asset, t.pay_to AS "payTo",
    t.tx_hash AS "txHash", t.settled_atomic AS "settledAtomic", t.settled_at AS "settledAt",
    t."authorization" -> 'authorization' ->> 'kind' AS kind, d.buy_token AS "buyToken", d.bought_atomic AS "boughtAtomic"
  FROM transactions t LEFT JOIN trades d ON d.transaction_id = t.id
  WHERE t.status = 'settled' AND ${condition}`;

// Rows that agree with their transfers already are left out. Trades are few, and their net amounts are compared each time.
const SETTLED: Statement = {
  name: "chain-audit-settled",
  text: settledRows(`(t.settled_at, t.id) > ($2, $3) AND t.settled_at <= $4
      AND t.network = $1 AND t.direction = 'out' AND t.wallet_id IS NOT NULL AND t.created_at >= $5
      AND (t.type = 'trade' OR t.settled_atomic <> coalesce(
        (SELECT sum(c.amount_atomic) FROM chain_transfers c WHERE c.transaction_id = t.id AND c.direction = 'out'), 0))
    ORDER BY t.settled_at, t.id LIMIT ${PAGE}`),
};

const DIFFERING: Statement = {
  name: "chain-audit-differing",
  text: settledRows(`t.id IN (
      SELECT transaction_id FROM chain_differences WHERE network = $1 AND resolved_at IS NULL AND kind IN ('amount', 'bought'))`),
};

interface SettledColumns {
  readonly id: string;
  readonly walletId: string;
  readonly type: string;
  readonly asset: string;
  readonly payTo: string | null;
  readonly txHash: string | null;
  readonly settledAtomic: string;
  readonly settledAt: Date;
  readonly kind: string | null;
  readonly buyToken: string | null;
  readonly boughtAtomic: string | null;
}

const TRANSFER_COLUMNS = `tx_hash || ' ' || log_index || ' ' || wallet_id || ' ' || direction AS key, wallet_id AS "walletId", direction,
  asset, counterparty, amount_atomic AS "amountAtomic", tx_hash AS "txHash", transaction_id AS "transactionId"`;

const TRANSFERS: Statement = {
  name: "chain-audit-transfers",
  text: `SELECT ${TRANSFER_COLUMNS}, block_number, log_index FROM chain_transfers WHERE network = $1 AND tx_hash = ANY($2)
    UNION SELECT ${TRANSFER_COLUMNS}, block_number, log_index FROM chain_transfers WHERE network = $1 AND transaction_id = ANY($3)
    UNION SELECT unassigned.* FROM unnest($4::text[]) AS known (token), LATERAL (
      SELECT ${TRANSFER_COLUMNS}, block_number, log_index FROM chain_transfers
      WHERE network = $1 AND direction = 'out' AND transaction_id IS NULL AND asset = known.token
      ORDER BY block_number LIMIT ${MAX_UNASSIGNED}) AS unassigned
    ORDER BY block_number, log_index`,
};

const OUTSTANDING: Statement = {
  name: "chain-audit-outstanding",
  text: `SELECT id, wallet_id AS "walletId", type, asset, pay_to AS "payTo", scheme, amount_atomic AS "amountAtomic",
      "authorization" -> 'authorization' ->> 'kind' AS kind
    FROM transactions WHERE next_check_at IS NOT NULL AND status = 'signed' AND network = $1 AND wallet_id = ANY($2)`,
};

interface OutstandingColumns {
  readonly id: string;
  readonly walletId: string;
  readonly type: string;
  readonly asset: string;
  readonly payTo: string | null;
  readonly scheme: string | null;
  readonly amountAtomic: string;
  readonly kind: string | null;
}

const ASSIGN: Statement = {
  name: "chain-audit-assign",
  text: `UPDATE chain_transfers c SET transaction_id = a.transaction_id FROM unnest($2::text[], $3::text[]) AS a (key, transaction_id)
    WHERE c.network = $1 AND c.tx_hash = split_part(a.key, ' ', 1) AND c.transaction_id IS NULL
      AND c.tx_hash || ' ' || c.log_index || ' ' || c.wallet_id || ' ' || c.direction = a.key`,
};

const VERIFIED: Statement = {
  name: "chain-audit-verified",
  text: "UPDATE chain_audit_networks SET verified_until = greatest(verified_until, $2::timestamptz), updated_at = now() WHERE network = $1",
};

/** What a run may verify. */
export interface Comparison {
  /** Rows that settled until then were verified by earlier runs. */
  readonly verifiedUntil: Date;
  /** Rows that settled until then have their transfers among those that were read. On Solana, the earliest time of all accounts. */
  readonly completeUntil: Date;
  /** Rows of payments before the start of the audit are not verified. */
  readonly startAt: Date;
  /** The tokens whose transfers were read, in the form of the stored transfers. */
  readonly assets: readonly string[];
  /** Whether everything up to the last final block was read. Otherwise transfers without a row are not verified yet. */
  readonly isCaughtUp: boolean;
}

/** Assigns transfers to ledger rows, and records the differences. */
export async function compareLedger(db: Database, network: NetworkName, comparison: Comparison): Promise<void> {
  const { isCaughtUp, completeUntil, assets } = comparison;
  const normalize = addressForm(network);
  // The order matters: a payment is signed before it is on chain, and settled after. Read in the order of transfers, outstanding
  // and settled rows, each transfer that was read has its row in one of the two.
  const unassigned = await readTransfers(db, network, [], [], assets);
  const walletIds = [...new Set(unassigned.map(({ walletId }) => walletId))];
  const outstanding = isCaughtUp ? await readOutstanding(db, network, walletIds, normalize) : [];
  const settled = await readSettled(db, network, comparison, normalize);
  const rows = settled.map(({ row }) => row);
  const hashes = rows.flatMap(({ txHash }) => txHash ?? []);
  const known = new Set(unassigned.map(({ key }) => key));
  const transfers = (
    await readTransfers(
      db,
      network,
      hashes,
      rows.map(({ id }) => id),
      assets,
    )
  ).filter(
    // A transfer that was added meanwhile is left to the next run, unless a row has its transaction.
    ({ key, transactionId, txHash }) => known.has(key) || transactionId !== null || hashes.includes(txHash),
  );
  const { assignments, unexplained, mismatches } = matchTransfers(transfers, rows, outstanding);
  if (assignments.size > 0) await db.query(ASSIGN, [network, [...assignments.keys()], [...assignments.values()]]);

  const isDue = new Set(settled.filter(({ settledAt }) => settledAt <= completeUntil).map(({ row }) => row.id));
  const found = mismatches.filter(({ row }) => isDue.has(row.id)).map(toDifference);
  await recordDifferences(db, network, { kinds: ["amount", "bought"], examined: [...isDue] }, found);
  if (isCaughtUp) {
    const missing = unexplained.filter(({ key }) => known.has(key)).map(toUnrecorded);
    await recordDifferences(db, network, { kinds: ["unrecorded_transfer"], examined: null }, missing);
  }
  await db.query(VERIFIED, [network, completeUntil]);
}

/** Returns a function that brings addresses to one form. EVM addresses are stored in lower case and with checksums. */
function addressForm(network: NetworkName): (address: string) => string {
  return NETWORKS[network].kind === "evm" ? (address) => address.toLowerCase() : (address) => address;
}

async function readTransfers(
  db: Database,
  network: NetworkName,
  hashes: string[],
  rowIds: string[],
  assets: readonly string[],
): Promise<Transfer[]> {
  const rows = await db.query<Omit<Transfer, "amountAtomic"> & { amountAtomic: string }>(TRANSFERS, [
    network,
    hashes,
    rowIds,
    assets,
  ]);
  return rows.map((row) => ({ ...row, amountAtomic: BigInt(row.amountAtomic) }));
}

async function readOutstanding(
  db: Database,
  network: NetworkName,
  walletIds: readonly string[],
  normalize: (address: string) => string,
): Promise<OutstandingRow[]> {
  const rows = await db.query<OutstandingColumns>(OUTSTANDING, [network, walletIds]);
  return rows.map(({ id, walletId, type, asset, payTo, scheme, amountAtomic, kind }) => ({
    ...{ id, walletId },
    asset: normalize(asset),
    moves: type === "trade" || kind === "permit" ? "any" : scheme === "upto" ? "capped" : "fixed",
    payTo: payTo === null ? null : normalize(payTo),
    amountAtomic: BigInt(amountAtomic),
  }));
}

/** Reads the settled rows to match: those that no run has verified, and those with an open difference. */
async function readSettled(
  db: Database,
  network: NetworkName,
  { verifiedUntil, completeUntil, startAt, isCaughtUp }: Comparison,
  normalize: (address: string) => string,
): Promise<{ row: SettledRow; settledAt: Date }[]> {
  const rows = new Map<string, SettledColumns>();
  // While earlier blocks are still being read, later rows would only be read again.
  const until = isCaughtUp ? new Date(Date.now() + CLOCK_MARGIN_MS) : completeUntil;
  let after: [Date, string] = [verifiedUntil, ""];
  for (;;) {
    const page = await db.query<SettledColumns>(SETTLED, [network, ...after, until, startAt]);
    for (const row of page) rows.set(row.id, row);
    const last = page.at(-1);
    if (!last || page.length < PAGE) break;
    after = [last.settledAt, last.id];
  }
  for (const row of await db.query<SettledColumns>(DIFFERING, [network])) rows.set(row.id, row);
  return [...rows.values()].map((columns) => ({ row: toSettledRow(columns, normalize), settledAt: columns.settledAt }));
}

/** More than the clocks of the nodes and the database differ. */
const CLOCK_MARGIN_MS = 60_000;

function toSettledRow(columns: SettledColumns, normalize: (address: string) => string): SettledRow {
  const { id, walletId, type, asset, payTo, txHash, settledAtomic, kind, buyToken, boughtAtomic } = columns;
  return {
    ...{ id, walletId, txHash },
    asset: normalize(asset),
    payTo: payTo === null ? null : normalize(payTo),
    settledAtomic: BigInt(settledAtomic),
    isPermit: kind === "permit",
    isTrade: type === "trade",
    bought:
      buyToken === null || boughtAtomic === null ? null : { asset: normalize(buyToken), atomic: BigInt(boughtAtomic) },
  };
}

function toDifference({ kind, row, asset, chainAtomic, ledgerAtomic }: Mismatch): FoundDifference {
  const { id, walletId, txHash } = row;
  return { kind, subject: id, walletId, asset, txHash, transactionId: id, chainAtomic, ledgerAtomic };
}

function toUnrecorded({ key, walletId, asset, txHash, amountAtomic }: Transfer): FoundDifference {
  const none = { transactionId: null, ledgerAtomic: 0n };
  return { kind: "unrecorded_transfer", subject: key, walletId, asset, txHash, chainAtomic: amountAtomic, ...none };
}
