/** Transfers read from the chain and the progress of the reading. Both advance in one statement, so nothing is read twice or lost. */
import type { Database, Statement } from "../../platform/database/connection.ts";
import type { Network, NetworkName } from "../networks.ts";

/** A transfer as read from the chain. Amounts are positive. */
export interface ReadTransfer {
  readonly txHash: string;
  /** Position in the block; on Solana 0. */
  readonly logIndex: number;
  readonly walletId: string;
  readonly direction: "in" | "out";
  readonly asset: string;
  readonly counterparty: string;
  readonly amountAtomic: bigint;
  readonly blockNumber: bigint;
}

/** A block that was read completely. */
export interface ReadBlock {
  readonly number: bigint;
  /** Empty on Solana. */
  readonly hash: string;
  readonly at: Date;
}

/** Progress on a network. */
export interface Progress {
  readonly block: ReadBlock;
  readonly headNumber: bigint;
  readonly startNumber: bigint;
  readonly startAt: Date;
  readonly verifiedUntil: Date;
  readonly assets: readonly string[];
  readonly lastWalletId: string;
}

interface ProgressRow {
  block_number: bigint;
  block_hash: string;
  block_at: Date;
  head_number: bigint;
  start_number: bigint;
  start_at: Date;
  verified_until: Date;
  assets: string[];
  last_wallet_id: string;
}

const FIND_PROGRESS: Statement = {
  name: "chain-audit-progress",
  text: `SELECT block_number, block_hash, block_at, head_number, start_number, start_at, verified_until, assets, last_wallet_id
    FROM chain_audit_networks WHERE network = $1`,
};

/** Returns the progress on the network; null before the first run. */
export async function findProgress(db: Database, network: NetworkName): Promise<Progress | null> {
  const [row] = await db.query<ProgressRow>(FIND_PROGRESS, [network]);
  if (!row) return null;
  return {
    block: { number: row.block_number, hash: row.block_hash, at: row.block_at },
    headNumber: row.head_number,
    startNumber: row.start_number,
    startAt: row.start_at,
    verifiedUntil: row.verified_until,
    assets: row.assets,
    lastWalletId: row.last_wallet_id,
  };
}

const START: Statement = {
  name: "start-chain-audit",
  text: `WITH started AS (
      INSERT INTO chain_audit_networks (network, block_number, block_hash, block_at, head_number, start_number, start_at, verified_until, assets)
      VALUES ($1, $2, $3, $4, $2, $2, $7, $7, '{}') ON CONFLICT DO NOTHING RETURNING network
    ), openings AS (
      INSERT INTO chain_audit_balances (network, wallet_id, asset, opening_atomic)
      SELECT started.network, id, $5, NULL FROM wallets, started WHERE $6::boolean
      ON CONFLICT DO NOTHING
    )
    INSERT INTO chain_audit_checkpoints (network, block_number, block_hash, block_at, verified_until)
    SELECT network, $2, $3, $4, $7 FROM started WHERE $3 <> ''`,
};

export interface AuditStart {
  /** The audit starts after this block. */
  readonly block: ReadBlock;
  readonly at: Date;
  /** Whether wallets may have a balance already. The first check then determines their opening balance. */
  readonly hasBalances: boolean;
}

/** Starts the audit of a network. Does nothing if it has started. `usdc` is the asset whose balances are compared. */
export async function startProgress(
  db: Database,
  network: NetworkName,
  { block, at, hasBalances }: AuditStart,
  usdc: string,
): Promise<void> {
  await db.query(START, [network, block.number, block.hash, block.at, usdc, hasBalances, at]);
}

/**
 * Adds transfers to the table, and those of USDC ($8) to the totals of their wallets. Other tokens can log any amounts, whose totals
 * would exceed every column. Needs a part `moved`, which is empty if nothing may change.
 */
const ADD_TRANSFERS = `added AS (
    INSERT INTO chain_transfers (network, tx_hash, log_index, wallet_id, direction, asset, counterparty, amount_atomic, block_number)
    SELECT moved.network, t.* FROM moved, json_to_recordset($2::json) AS t (tx_hash text, log_index int, wallet_id text,
      direction text, asset text, counterparty text, amount_atomic numeric, block_number bigint)
    ON CONFLICT DO NOTHING RETURNING network, wallet_id, asset, direction, amount_atomic
  ), totals AS (
    INSERT INTO chain_audit_balances AS b (network, wallet_id, asset, in_atomic, out_atomic)
    SELECT network, wallet_id, asset, coalesce(sum(amount_atomic) FILTER (WHERE direction = 'in'), 0),
      coalesce(sum(amount_atomic) FILTER (WHERE direction = 'out'), 0)
    FROM added WHERE asset = $8 GROUP BY network, wallet_id, asset
    ON CONFLICT (network, wallet_id, asset) DO UPDATE SET
      in_atomic = b.in_atomic + excluded.in_atomic, out_atomic = b.out_atomic + excluded.out_atomic
  )`;

const ADVANCE_BLOCKS: Statement = {
  name: "advance-chain-audit",
  text: `WITH moved AS (
      UPDATE chain_audit_networks SET block_number = $3, block_hash = $4, block_at = $5, updated_at = now()
      WHERE network = $1 AND block_number = $6 AND block_hash = $7 RETURNING network, verified_until
    ), checkpoint AS (
      INSERT INTO chain_audit_checkpoints (network, block_number, block_hash, block_at, verified_until)
      SELECT network, $3, $4, $5, verified_until FROM moved ON CONFLICT DO NOTHING
    ), ${ADD_TRANSFERS}
    SELECT count(*)::int AS added, (SELECT count(*)::int FROM moved) AS moved FROM added`,
};

/**
 * Stores the transfers of the blocks after `from`, up to `to`. Returns the number of new transfers; null if another process has
 * advanced meanwhile, and nothing was stored.
 */
export async function advanceBlocks(
  db: Database,
  network: Network,
  from: ReadBlock,
  to: ReadBlock,
  transfers: readonly ReadTransfer[],
): Promise<number | null> {
  const position = [to.number, to.hash, to.at, from.number, from.hash];
  const values = [network.name, toJson(transfers), ...position, usdcOf(network)];
  const [result] = await db.query<{ added: number; moved: number }>(ADVANCE_BLOCKS, values);
  return result && result.moved > 0 ? result.added : null;
}

const ADVANCE_ACCOUNT: Statement = {
  name: "advance-chain-audit-account",
  text: `WITH moved AS (
      UPDATE chain_audit_accounts SET last_signature = $4, slot = $5, complete_until = greatest(complete_until, $6::timestamptz),
        checked_at = CASE WHEN $6::timestamptz IS NOT NULL THEN now() END, attempted_at = now()
      WHERE network = $1 AND wallet_id = $3 AND last_signature IS NOT DISTINCT FROM $7 RETURNING network
    ), ${ADD_TRANSFERS}
    SELECT count(*)::int AS added, (SELECT count(*)::int FROM moved) AS moved FROM added`,
};

/** Progress on a Solana token account. */
export interface AccountProgress {
  readonly walletId: string;
  readonly lastSignature: string | null;
  readonly slot: bigint;
  /** Null if transactions up to the slot are still missing. */
  readonly completeUntil: Date | null;
}

/** Stores the transfers of a token account that follow `formerSignature`. Returns like `advanceBlocks`. */
export async function advanceAccount(
  db: Database,
  network: Network,
  account: AccountProgress,
  formerSignature: string | null,
  transfers: readonly ReadTransfer[],
): Promise<number | null> {
  const { walletId, lastSignature, slot, completeUntil } = account;
  const position = [walletId, lastSignature, slot, completeUntil, formerSignature];
  const values = [network.name, toJson(transfers), ...position, usdcOf(network)];
  const [result] = await db.query<{ added: number; moved: number }>(ADVANCE_ACCOUNT, values);
  return result && result.moved > 0 ? result.added : null;
}

/** Returns the address of USDC in the form of the stored transfers. */
function usdcOf({ kind, usdc }: Network): string {
  return kind === "evm" ? usdc.address.toLowerCase() : usdc.address;
}

function toJson(transfers: readonly ReadTransfer[]): string {
  return JSON.stringify(
    transfers.map((it) => ({
      tx_hash: it.txHash,
      log_index: it.logIndex,
      wallet_id: it.walletId,
      direction: it.direction,
      asset: it.asset,
      counterparty: it.counterparty,
      amount_atomic: it.amountAtomic.toString(),
      block_number: it.blockNumber.toString(),
    })),
  );
}

const ROLL_BACK: Statement = {
  name: "roll-back-chain-audit",
  text: `WITH removed AS (
      DELETE FROM chain_transfers WHERE network = $1 AND block_number > $2 RETURNING wallet_id, asset, direction, amount_atomic
    ), totals AS (
      UPDATE chain_audit_balances b SET in_atomic = b.in_atomic - r.in_atomic, out_atomic = b.out_atomic - r.out_atomic
      FROM (
        SELECT wallet_id, asset, coalesce(sum(amount_atomic) FILTER (WHERE direction = 'in'), 0) AS in_atomic,
          coalesce(sum(amount_atomic) FILTER (WHERE direction = 'out'), 0) AS out_atomic
        FROM removed GROUP BY wallet_id, asset
      ) r
      WHERE b.network = $1 AND b.wallet_id = r.wallet_id AND b.asset = r.asset
    ), checkpoints AS (
      DELETE FROM chain_audit_checkpoints WHERE network = $1 AND block_number > $2
    )
    UPDATE chain_audit_networks SET block_number = $2, block_hash = $3, block_at = $4, verified_until = least(verified_until, $5),
      updated_at = now()
    WHERE network = $1`,
};

/** A stored checkpoint. */
export interface Checkpoint extends ReadBlock {
  readonly verifiedUntil: Date;
}

/** Removes the transfers of all later blocks. Ledger rows that were compared with them are compared again. */
export async function rollBack(db: Database, network: NetworkName, to: Checkpoint): Promise<void> {
  await db.query(ROLL_BACK, [network, to.number, to.hash, to.at, to.verifiedUntil]);
}

const CHECKPOINTS: Statement = {
  name: "chain-audit-checkpoints",
  text: `SELECT block_number AS number, block_hash AS hash, block_at AS at, verified_until AS "verifiedUntil"
    FROM chain_audit_checkpoints WHERE network = $1 ORDER BY block_number DESC`,
};

/** Returns the stored checkpoints, newest first. */
export async function readCheckpoints(db: Database, network: NetworkName): Promise<Checkpoint[]> {
  return await db.query<Checkpoint>(CHECKPOINTS, [network]);
}

/** At one run a minute, the checkpoints of three hours. The start is retained too, so that a common ancestor always exists. */
const RETAINED_CHECKPOINTS = 200;
const PRUNE: Statement = {
  name: "prune-chain-audit-checkpoints",
  text: `DELETE FROM chain_audit_checkpoints c USING chain_audit_networks n
    WHERE c.network = $1 AND n.network = $1 AND c.block_number <> n.start_number AND c.block_number < (
      SELECT min(block_number) FROM (SELECT block_number FROM chain_audit_checkpoints WHERE network = $1
        ORDER BY block_number DESC LIMIT ${RETAINED_CHECKPOINTS}) newest)`,
};

export async function pruneCheckpoints(db: Database, network: NetworkName): Promise<void> {
  await db.query(PRUNE, [network]);
}

/** Updates the columns of a network that any run may overwrite. */
export async function updateNetwork(
  db: Database,
  network: NetworkName,
  data: { headNumber?: bigint; assets?: string[]; lastWalletId?: string; blockNumber?: bigint; blockAt?: Date },
): Promise<void> {
  await db.prisma.chainAuditNetwork.updateMany({ where: { network }, data: { ...data, updatedAt: new Date() } });
}
