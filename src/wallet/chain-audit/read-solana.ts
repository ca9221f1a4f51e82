/**
 * Reading of the transactions of the wallets' USDC token accounts on a Solana network. Only finalized transactions are read, which no
 * fork can replace. A transfer is the change of the account's balance in a transaction.
 *
 * Each account needs one call, and one for each new transaction. A run reads the accounts that were not read for the longest time, as
 * many as its budget allows. Anyone can send transactions to an account, so one that is not read completely waits for the others.
 */
import {
  type ConfirmedSignatureInfo,
  PublicKey,
  type TokenBalance,
  type VersionedTransactionResponse,
} from "@solana/web3.js";
import type { Statement } from "../../platform/database/connection.ts";
import { ChainUnavailableError, type SolanaChain } from "../chain.ts";
import { compareBalances } from "./compare-balances.ts";
import type { ChainAuditDeps } from "./deps.ts";
import type { RequestBudget } from "./read-evm.ts";
import { advanceAccount, type ReadBlock, type ReadTransfer } from "./transfer-store.ts";

const PAGE = 1_000;
/** Maximum number of accounts in a `getMultipleAccounts` call. */
const ACCOUNTS_PER_CALL = 100;
/** Offset of the amount in a token account, a little-endian integer of 64 bits. */
const AMOUNT_OFFSET = 64;

/** Returns the last finalized slot with its time, and the latest slot. */
export async function readFinalSlot({ rpc }: SolanaChain): Promise<{ head: bigint; final: ReadBlock }> {
  const [head, { slot }] = await Promise.all([rpc.request((connection) => connection.getSlot()), rpc.readFinalized()]);
  const time = await rpc.request((connection) => connection.getBlockTime(slot));
  if (time === null) throw new ChainUnavailableError(rpc.network.name, "BlockTimeNotFound");
  return { head: BigInt(head), final: { number: BigInt(slot), hash: "", at: new Date(time * 1_000) } };
}

// Payments of a wallet that is new are complete from its creation.
const ADD_ACCOUNTS: Statement = {
  name: "add-chain-audit-accounts",
  text: `INSERT INTO chain_audit_accounts (network, wallet_id, complete_until)
    SELECT $1, id, greatest(created_at, $2::timestamptz) FROM wallets w
    WHERE NOT EXISTS (SELECT FROM chain_audit_accounts a WHERE a.network = $1 AND a.wallet_id = w.id)
    ON CONFLICT DO NOTHING`,
};

const NEXT_ACCOUNTS: Statement = {
  name: "next-chain-audit-accounts",
  text: `SELECT a.wallet_id AS "walletId", w.solana_address AS owner, a.last_signature AS "lastSignature", a.slot
    FROM chain_audit_accounts a JOIN wallets w ON w.id = a.wallet_id
    WHERE a.network = $1 AND (a.attempted_at IS NULL OR a.attempted_at < $2)
    ORDER BY a.attempted_at NULLS FIRST, a.wallet_id LIMIT ${ACCOUNTS_PER_CALL}`,
};

interface DueAccount {
  readonly walletId: string;
  readonly owner: string;
  readonly lastSignature: string | null;
  readonly slot: bigint;
}

/** Adds an account for each new wallet. */
export async function addAccounts({ db }: ChainAuditDeps, { network }: SolanaChain, startAt: Date): Promise<void> {
  await db.query(ADD_ACCOUNTS, [network, startAt]);
}

/**
 * Reads each account once, or as many as the budget allows, and compares their balances. Returns the number of new transfers and
 * whether all accounts were read completely.
 * @param completeUntil payments that settled until this time are finalized
 */
export async function readAccounts(
  deps: ChainAuditDeps,
  chain: SolanaChain,
  { final, completeUntil, startAt, now }: { final: ReadBlock; completeUntil: Date; startAt: Date; now: Date },
  budget: RequestBudget,
): Promise<{ added: number; isComplete: boolean }> {
  let added = 0;
  let isComplete = true;
  while (budget.left > 0) {
    const accounts = await deps.db.query<DueAccount>(NEXT_ACCOUNTS, [chain.network, now]);
    if (accounts.length === 0) return { added, isComplete };
    const { addresses, slot, amountsAtomic } = await readBalances(chain, accounts, final);
    budget.left -= 1;
    const balances = new Map<string, bigint>();
    for (const [at, account] of accounts.entries()) {
      if (budget.left <= 0) return { added, isComplete: false };
      const address = addresses[at] as PublicKey;
      const reading = await readAccount(chain, account, { address, slot, startAt }, budget);
      const { lastSignature, transfers } = reading;
      const progress = {
        walletId: account.walletId,
        lastSignature,
        slot,
        completeUntil: reading.isComplete ? completeUntil : null,
      };
      const count = await advanceAccount(deps.db, chain.rpc.network, progress, account.lastSignature, transfers);
      added += count ?? 0;
      if (reading.isComplete && count !== null) balances.set(account.walletId, amountsAtomic[at] ?? 0n);
      else isComplete = false;
    }
    await compareBalances(deps.db, chain.network, chain.rpc.network.usdc.address, balances, slot);
  }
  return { added, isComplete: false };
}

/** Reads the balances of accounts at one finalized slot. An account that does not exist has none. */
async function readBalances(chain: SolanaChain, accounts: readonly DueAccount[], final: ReadBlock) {
  const { rpc } = chain;
  const addresses = await Promise.all(
    accounts.map(async ({ owner }) => new PublicKey(await chain.tokenAccountAddress(rpc.network.usdc.address, owner))),
  );
  const options = { commitment: "finalized", minContextSlot: Number(final.number) } as const;
  const { context, value } = await rpc.request((it) => it.getMultipleAccountsInfoAndContext(addresses, options));
  const amountsAtomic = value.map((account) => account?.data.readBigUInt64LE(AMOUNT_OFFSET) ?? 0n);
  return { addresses, slot: BigInt(context.slot), amountsAtomic };
}

/** Reads the transactions of an account that are new, up to a slot, oldest first. */
async function readAccount(
  { rpc }: SolanaChain,
  account: DueAccount,
  { address, slot, startAt }: { address: PublicKey; slot: bigint; startAt: Date },
  budget: RequestBudget,
): Promise<{ lastSignature: string | null; transfers: ReadTransfer[]; isComplete: boolean }> {
  const signatures: ConfirmedSignatureInfo[] = [];
  const until = account.lastSignature === null ? {} : { until: account.lastSignature };
  let before: string | undefined;
  for (;;) {
    const options = { limit: PAGE, ...until, ...(before ? { before } : {}), minContextSlot: Number(slot) };
    budget.left -= 1;
    const page = await rpc.request((it) => it.getSignaturesForAddress(address, options, "finalized"));
    signatures.push(...page.filter((it) => BigInt(it.slot) <= slot && !isBefore(it, startAt)));
    const oldest = page.at(-1);
    if (page.length < PAGE || !oldest || isBefore(oldest, startAt)) break;
    before = oldest.signature;
  }
  const transfers: ReadTransfer[] = [];
  let lastSignature = account.lastSignature;
  for (const { signature, err } of signatures.reverse()) {
    if (err === null) {
      if (budget.left <= 0) return { lastSignature, transfers, isComplete: false };
      budget.left -= 1;
      const transaction = await rpc.request((it) =>
        it.getTransaction(signature, { commitment: "finalized", maxSupportedTransactionVersion: 0 }),
      );
      if (!transaction) throw new ChainUnavailableError(rpc.network.name, "TransactionNotFound");
      const transfer = toTransfer(transaction, signature, account.walletId, address, rpc.network.usdc.address);
      if (transfer) transfers.push(transfer);
    }
    lastSignature = signature;
  }
  return { lastSignature, transfers, isComplete: true };
}

/** Block times are whole seconds, so a block in the second of `at` counts as later. */
const isBefore = ({ blockTime }: ConfirmedSignatureInfo, at: Date) =>
  typeof blockTime === "number" && blockTime < Math.floor(at.getTime() / 1_000);

/** Returns the change of the account's balance in a transaction; null if it did not change. */
function toTransfer(
  { transaction, meta, slot }: VersionedTransactionResponse,
  txHash: string,
  walletId: string,
  address: PublicKey,
  asset: string,
): ReadTransfer | null {
  const lookups = meta?.loadedAddresses;
  const keys = transaction.message.getAccountKeys(lookups ? { accountKeysFromLookups: lookups } : undefined);
  const changes = new Map<number, { owner: string; atomic: bigint }>();
  const add = (balances: readonly TokenBalance[] | null | undefined, sign: bigint) => {
    for (const { accountIndex, mint, owner = "", uiTokenAmount } of balances ?? []) {
      if (mint !== asset) continue;
      const atomic = (changes.get(accountIndex)?.atomic ?? 0n) + sign * BigInt(uiTokenAmount.amount);
      changes.set(accountIndex, { owner, atomic });
    }
  };
  add(meta?.preTokenBalances, -1n);
  add(meta?.postTokenBalances, 1n);
  const own = [...changes].find(([index]) => keys.get(index)?.equals(address))?.[1].atomic ?? 0n;
  if (own === 0n) return null;
  const others = [...changes.values()].filter(({ atomic }) => atomic !== 0n && atomic < 0n !== own < 0n);
  const counterparty = others.find(({ atomic }) => atomic === -own) ?? others[0];
  return {
    txHash,
    logIndex: 0,
    walletId,
    direction: own < 0n ? "out" : "in",
    asset,
    counterparty: counterparty?.owner ?? "",
    amountAtomic: own < 0n ? -own : own,
    blockNumber: BigInt(slot),
  };
}
