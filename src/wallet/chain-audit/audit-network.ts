/**
 * One run of the audit on one network: reads transfers that became final, assigns them to the ledger and compares balances. Each step
 * is idempotent and continues where the last one ended, so runs may be interrupted, repeated or overlap.
 */
import type { Hex } from "viem";
import type { Database, Statement } from "../../platform/database/connection.ts";
import { ChainUnavailableError, type EvmChain, type SolanaChain } from "../chain.ts";
import { tokenAbi } from "../evm/rpc.ts";
import type { NetworkName } from "../networks.ts";
import { compareBalances } from "./compare-balances.ts";
import { compareLedger } from "./compare-ledger.ts";
import type { ChainAuditDeps } from "./deps.ts";
import { findBlockAt, handleReorganisation, type RequestBudget, readBlocks, readFinalBlock } from "./read-evm.ts";
import { addAccounts, readAccounts, readFinalSlot } from "./read-solana.ts";
import {
  findProgress,
  type Progress,
  pruneCheckpoints,
  type ReadBlock,
  startProgress,
  updateNetwork,
} from "./transfer-store.ts";

/** The result of one run. */
export interface AuditRun {
  readonly network: NetworkName;
  /** Number of transfers read for the first time. */
  readonly addedCount: number;
  /** Whether the network was read up to its last final block. Otherwise the next run continues. */
  readonly isCaughtUp: boolean;
}

/**
 * A settlement is recorded after its block, by another clock. A row that settled this long before the last block that was read has its
 * block among them.
 */
const SETTLEMENT_MARGIN_MS = 120_000;
/** The clocks of chain and database may differ by this much when the audit searches for the block at which the oldest wallet was created. */
const START_MARGIN_MS = 600_000;
/** Wallets whose balance each run compares in addition to those with new transfers. */
const BALANCES_PER_RUN = 200;

/**
 * Runs the audit on a network.
 * @throws {ChainUnavailableError} what was read until then is stored
 */
export async function auditNetwork(deps: ChainAuditDeps, network: NetworkName): Promise<AuditRun> {
  const chain = deps.chains.any(network);
  return chain.kind === "evm" ? await auditEvm(deps, chain) : await auditSolana(deps, chain);
}

async function auditEvm(deps: ChainAuditDeps, { network, rpc }: EvmChain): Promise<AuditRun> {
  const { db } = deps;
  // Wallets are read after the final block, so each address is known for every block in which it can have a transfer.
  const { head, final } = await readFinalBlock(rpc, deps.chainAudit.confirmations);
  const wallets = await db.query<EvmWallet>(EVM_WALLETS, []);
  const usdc = rpc.network.usdc.address.toLowerCase();
  let progress = await findProgress(db, network);
  if (!progress) {
    const start = await findStart(deps);
    if (!start) return { network, addedCount: 0, isCaughtUp: true };
    const blockAt = start.hasBalances ? start.at : new Date(start.at.getTime() - START_MARGIN_MS);
    await startProgress(db, network, { ...start, block: await findBlockAt(rpc, blockAt, final) }, usdc);
    progress = await requireProgress(db, network);
  }
  if (await handleReorganisation(deps, rpc, progress)) progress = await requireProgress(db, network);
  const assets = await addTradedTokens(
    db,
    network,
    [...new Set([usdc, ...progress.assets])],
    progress.assets.length === 0,
  );
  await updateNetwork(db, network, { headNumber: head, assets });

  const walletIds = new Map(wallets.map(({ id, address }) => [address, id]));
  const budget: RequestBudget = { left: deps.chainAudit.maxRequests };
  const reading = await readBlocks(deps, rpc, { ...progress, assets }, final, walletIds, budget);
  if (!reading) return { network, addedCount: 0, isCaughtUp: false };
  const { block, added, touched } = reading;
  const isCaughtUp = block.number >= final.number;
  const completeUntil = new Date(Math.min(block.at.getTime(), Date.now()) - SETTLEMENT_MARGIN_MS);
  await compareLedger(db, network, { ...progress, assets, completeUntil, isCaughtUp });
  if (isCaughtUp) await compareEvmBalances(deps, rpc, { ...progress, block }, wallets, touched);
  await pruneCheckpoints(db, network);
  return { network, addedCount: added, isCaughtUp };
}

interface EvmWallet {
  readonly id: string;
  /** In lower case. */
  readonly address: string;
}

const EVM_WALLETS: Statement = {
  name: "chain-audit-wallets",
  text: "SELECT id, lower(evm_address) AS address FROM wallets ORDER BY id",
};

const OLDEST_WALLET: Statement = {
  name: "chain-audit-oldest-wallet",
  text: "SELECT min(created_at) AS at FROM wallets",
};

/** Returns the time from which transfers are audited; null without a wallet. An address has no transfers before its creation. */
async function findStart({ db, chainAudit }: ChainAuditDeps): Promise<{ at: Date; hasBalances: boolean } | null> {
  const [oldest] = await db.query<{ at: Date | null }>(OLDEST_WALLET, []);
  if (!oldest?.at) return null;
  const { since } = chainAudit;
  return since !== null && since > oldest.at ? { at: since, hasBalances: true } : { at: oldest.at, hasBalances: false };
}

async function requireProgress(db: Database, network: NetworkName): Promise<Progress> {
  const progress = await findProgress(db, network);
  if (!progress) throw new Error(`The audit of ${network} has not started.`);
  return progress;
}

const TRADED_TOKENS: Statement = {
  name: "chain-audit-traded-tokens",
  text: `SELECT DISTINCT lower(token) AS token FROM (SELECT sell_token, buy_token FROM trades WHERE network = $1 AND id > $2) t,
    unnest(ARRAY[sell_token, buy_token]) AS token WHERE token <> 'native'`,
};

/** A trade exists before its transaction. Ids start with the time of their creation, by the clock of a node. */
const RECENT_TRADES_MS = 86_400_000;

/** Adds the tokens of recent trades, or of all trades in the first run. */
async function addTradedTokens(
  db: Database,
  network: NetworkName,
  assets: readonly string[],
  isFirst: boolean,
): Promise<string[]> {
  const after = isFirst ? "" : `trd_${Date.now() - RECENT_TRADES_MS}`;
  const rows = await db.query<{ token: string }>(TRADED_TOKENS, [network, after]);
  return [...new Set([...assets, ...rows.map(({ token }) => token)])];
}

/**
 * Compares the USDC balances of wallets with new transfers, and of some others in turn, at the last block that was read. Other tokens
 * may change balances without a transfer.
 */
async function compareEvmBalances(
  { db, logger }: ChainAuditDeps,
  rpc: EvmChain["rpc"],
  { block, lastWalletId }: Progress,
  wallets: readonly EvmWallet[],
  touched: ReadonlySet<string>,
): Promise<void> {
  const { name, usdc } = rpc.network;
  const next = wallets.filter(({ id }) => id > lastWalletId).slice(0, BALANCES_PER_RUN);
  const due = new Set([...next.map(({ id }) => id), ...touched, ...(await findDiffering(db, name))]);
  const selected = wallets.filter(({ id }) => due.has(id));
  try {
    const amounts = await Promise.all(
      selected.map(({ address }) =>
        rpc.request((client) =>
          client.readContract({
            address: usdc.address,
            abi: tokenAbi,
            functionName: "balanceOf",
            args: [address as Hex],
            blockNumber: block.number,
          }),
        ),
      ),
    );
    const balances = new Map(selected.map(({ id }, at) => [id, amounts[at] as bigint]));
    await compareBalances(db, name, usdc.address.toLowerCase(), balances, block.number);
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    // The transfers remain audited. Some RPCs do not serve the states of final blocks.
    logger.warn(
      { err: error, network: name, block: String(block.number) },
      "Balances not compared; next run scheduled",
    );
    return;
  }
  await updateNetwork(db, name, { lastWalletId: next.length < BALANCES_PER_RUN ? "" : (next.at(-1)?.id ?? "") });
}

const DIFFERING: Statement = {
  name: "chain-audit-differing-wallets",
  text: "SELECT DISTINCT wallet_id AS id FROM chain_differences WHERE network = $1 AND kind = 'balance' AND resolved_at IS NULL",
};

/** Returns the wallets with an open difference of their balance. */
async function findDiffering(db: Database, network: NetworkName): Promise<string[]> {
  return (await db.query<{ id: string }>(DIFFERING, [network])).map(({ id }) => id);
}

async function auditSolana(deps: ChainAuditDeps, chain: SolanaChain): Promise<AuditRun> {
  const { db } = deps;
  const { network } = chain;
  const { head, final } = await readFinalSlot(chain);
  let progress = await findProgress(db, network);
  if (!progress) {
    const start = await findStart(deps);
    if (!start) return { network, addedCount: 0, isCaughtUp: true };
    const first: ReadBlock = { ...final, number: 0n };
    await startProgress(db, network, { ...start, block: first }, chain.rpc.network.usdc.address);
    progress = await requireProgress(db, network);
  }
  await addAccounts(deps, chain, progress.startAt);
  const now = await readNow(db);
  const completeUntil = new Date(Math.min(final.at.getTime(), Date.now()) - SETTLEMENT_MARGIN_MS);
  const budget: RequestBudget = { left: deps.chainAudit.maxRequests };
  const { startAt } = progress;
  const { added } = await readAccounts(deps, chain, { final, completeUntil, startAt, now }, budget);
  const [oldest] = await db.query<OldestAccount>(OLDEST_ACCOUNT, [network]);
  if (!oldest?.completeUntil) return { network, addedCount: added, isCaughtUp: true };
  const { completeUntil: readUntil, isCaughtUp } = oldest;
  const assets = [chain.rpc.network.usdc.address];
  await compareLedger(db, network, { ...progress, assets, completeUntil: readUntil, isCaughtUp });
  await updateNetwork(db, network, { headNumber: head, blockNumber: oldest.slot, blockAt: final.at });
  return { network, addedCount: added, isCaughtUp: oldest.isCaughtUp };
}

interface OldestAccount {
  readonly slot: bigint;
  readonly completeUntil: Date | null;
  /** Whether each account was read completely at least once. */
  readonly isCaughtUp: boolean;
}

const OLDEST_ACCOUNT: Statement = {
  name: "chain-audit-oldest-account",
  text: `SELECT coalesce(min(slot), 0) AS slot, min(complete_until) AS "completeUntil", bool_and(checked_at IS NOT NULL) AS "isCaughtUp"
    FROM chain_audit_accounts WHERE network = $1`,
};

const NOW: Statement = { name: "chain-audit-now", text: "SELECT clock_timestamp() AS now" };

async function readNow(db: Database): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(NOW, []);
  return row?.now ?? new Date();
}
