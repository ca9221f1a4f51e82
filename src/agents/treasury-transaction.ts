/**
 * Treasury transactions for an agent. A transaction is signed, committed and only then sent, so after a crash the same bytes
 * are sent again. All pending transactions for one purpose share one nonce, so at most one of them is ever mined. A new nonce
 * is used only after the chain has irreversibly used the previous one for another transaction.
 */
import { type Hex, parseTransaction, type TransactionReceipt } from "viem";
import type { Agent, AgentTransaction, Prisma } from "../../generated/prisma/client.ts";
import { isHeldOpen } from "../accounts/freeze/freeze-state.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { newId } from "../platform/ids.ts";
import { warnOfFailure } from "../platform/observability/failure-log.ts";
import type { UnsignedEvmTransaction } from "../wallet/chain.ts";
import { raiseFees } from "../wallet/evm/fees.ts";
import type { EvmRpc } from "../wallet/evm/rpc-client.ts";
import { getReceipt, signTransaction } from "../wallet/evm/transactions.ts";
import type { NetworkName } from "../wallet/networks.ts";
import { runInTreasuryQueue } from "../wallet/treasury-queue.ts";
import type { AgentDeps } from "./deps.ts";

export type Purpose = "register" | "set_wallet" | "unset_wallet" | "set_uri";

/** An agent claimed by this node until another node claims it. `checkAttempts` identifies the claim. */
export type ClaimedAgent = Agent;

/** Combined status of the transactions for one purpose. */
export type Progress =
  | { readonly kind: "mined" | "reverted"; readonly row: AgentTransaction; readonly receipt: TransactionReceipt }
  | { readonly kind: "waiting" }
  /** The nonce is next, but the network has not mined the transaction for {@link AgentSettings.stuckAfterMs}. It needs higher fees. */
  | { readonly kind: "stuck"; readonly row: AgentTransaction }
  /** No transaction was signed, or no signed transaction can be mined any more. */
  | { readonly kind: "none" };

/** Blocks after which a used nonce is final. RPC nodes behind one URL may lag, and blocks may be reorganised. */
const FINAL_AFTER_BLOCKS = 10n;
/** Gas limit. A registration, which stores the URL of its file, uses about 250,000. */
const MAX_GAS = 1_000_000n;

/** Reads the status of the transactions and resends one that the network does not know. @throws {ChainUnavailableError} */
export async function followTransactions(deps: AgentDeps, agent: ClaimedAgent, purpose: Purpose): Promise<Progress> {
  const rows = await deps.db.prisma.agentTransaction.findMany({
    where: { agentId: agent.id, purpose, status: "signed" },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const newest = rows.at(-1);
  if (!newest) return { kind: "none" };
  const chain = deps.chains.evm(agent.network as NetworkName);
  const { rpc } = chain;
  await rpc.checkChain();
  const { evmAddress: address } = await deps.wallets.treasury();
  // Read before the receipts: a nonce used only later does not prove that the receipts are missing.
  const nextNonce = await rpc.request((client) => client.getTransactionCount({ address, blockTag: "latest" }));
  const ended = await findReceipt(rpc, rows);
  if (ended) return ended;
  if (BigInt(nextNonce) <= newest.nonce) {
    if (BigInt(nextNonce) === newest.nonce && isOverdue(deps, newest)) return { kind: "stuck", row: newest };
    if ((await chain.transactionState(newest.txHash as Hex)) === "unknown") await send(deps, agent, newest);
    return { kind: "waiting" };
  }
  if (!(await isNonceFinal(rpc, address, newest.nonce))) return { kind: "waiting" };
  const lateReceipt = await findReceipt(rpc, rows);
  if (lateReceipt) return lateReceipt;
  await deps.db.prisma.agentTransaction.updateMany({
    where: { id: { in: rows.map(({ id }) => id) }, status: "signed" },
    data: { status: "dropped" },
  });
  deps.logger.info(
    { agentRecordId: agent.id, purpose, nonce: String(newest.nonce) },
    "Nonce used by another transaction; agent transactions dropped",
  );
  return { kind: "none" };
}

/** Returns the updates for a transaction that is on chain: its final status, and `dropped` for others with its nonce. */
export function endTransactions(
  db: Database,
  row: AgentTransaction,
  status: "mined" | "reverted",
): Prisma.PrismaPromise<unknown>[] {
  const { agentTransaction } = db.prisma;
  const { agentId, purpose, nonce } = row;
  return [
    agentTransaction.updateMany({ where: { id: row.id }, data: { status, minedAt: new Date() } }),
    agentTransaction.updateMany({
      where: { agentId, purpose, nonce, status: "signed", id: { not: row.id } },
      data: { status: "dropped" },
    }),
  ];
}

// Includes nonces of signed transactions that the network may not know yet.
const NEXT_NONCE: Statement = {
  name: "next-agent-nonce",
  text: `SELECT coalesce(max(t.nonce) + 1, 0) AS nonce FROM agents a JOIN agent_transactions t ON t.agent_id = a.id
    WHERE a.next_check_at IS NOT NULL AND a.network = $1 AND t.status = 'signed'`,
};

// A later claim has another `check_attempts`, so only the current claim can store a transaction, and the next claim finds the row. For
// a frozen account only a replacement ($8), or the unlinking of its wallet, is stored.
const STORE: Statement = {
  name: "store-agent-transaction",
  text: `WITH held AS (
      UPDATE agents SET next_check_at = next_check_at
      WHERE id = $1 AND check_attempts = $2 AND ($4 <> 'register' OR agent_id IS NULL)
        AND ($8::boolean OR $4 = 'unset_wallet' OR ${isHeldOpen("account_id")}) RETURNING id
    )
    INSERT INTO agent_transactions (id, agent_id, purpose, status, nonce, raw_transaction, tx_hash)
    SELECT $3, held.id, $4, 'signed', $5, $6, $7 FROM held RETURNING id`,
};

/**
 * Signs a registry call with the treasury key, stores it and sends it. Does nothing if another node has claimed the agent,
 * or its account is frozen, `previous` is null and the call does not unlink the wallet.
 * @param previous transaction to replace under the same nonce, or null for a new nonce
 * @throws {TransferFailedError | ChainUnavailableError} when the network would reject it or is unavailable; nothing is signed
 */
export async function sendTransaction(
  deps: AgentDeps,
  agent: ClaimedAgent,
  purpose: Purpose,
  data: Hex,
  previous: AgentTransaction | null,
): Promise<void> {
  const network = agent.network as NetworkName;
  await runInTreasuryQueue(network, "service", async () => {
    const treasury = await deps.wallets.treasury();
    const [next] = await deps.db.query<{ nonce: bigint }>(NEXT_NONCE, [network]);
    const prepared = await deps.chains.evm(network).prepareCall({
      from: treasury.evmAddress,
      to: agent.registryAddress as Hex,
      data,
      maxGas: MAX_GAS,
      minNonce: Number(next?.nonce ?? 0n),
    });
    deps.agents.unfunded.succeed(network);
    const unsigned = previous
      ? createReplacement(previous, prepared, deps.chains.evm(network).rpc.network.maxFeePerGasWei)
      : prepared;
    if (!unsigned) return;
    const { rawTransaction, txHash } = await signTransaction(deps.vault, treasury, unsigned);
    const id = newId("atx");
    const values = [
      agent.id,
      agent.checkAttempts,
      id,
      purpose,
      unsigned.nonce,
      rawTransaction,
      txHash,
      previous !== null,
    ];
    if ((await deps.db.query(STORE, values)).length > 0) await send(deps, agent, { id, rawTransaction });
  });
}

/** Returns the call with the nonce of `previous` and fees high enough to replace it, or null if they would exceed the maximum. */
function createReplacement(
  { nonce, rawTransaction }: AgentTransaction,
  prepared: UnsignedEvmTransaction,
  maxWei: bigint,
): UnsignedEvmTransaction | null {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(rawTransaction as `0x02${string}`);
  const fees = raiseFees({ maxFeePerGas, maxPriorityFeePerGas }, prepared, maxWei);
  return fees && { ...prepared, nonce: Number(nonce), ...fees };
}

/** Broadcasts a stored transaction. Failures are only logged, because it is resent until its nonce is used. */
async function send(
  deps: AgentDeps,
  agent: ClaimedAgent,
  { id, rawTransaction }: { readonly id: string; readonly rawTransaction: string },
): Promise<void> {
  try {
    await deps.chains.evm(agent.network as NetworkName).broadcast(rawTransaction as Hex);
  } catch (error) {
    const fields = { agentRecordId: agent.id, agentTransactionId: id };
    warnOfFailure(deps.logger, error, fields, "Agent transaction could not be sent; retry scheduled");
  }
}

async function findReceipt(rpc: EvmRpc, rows: readonly AgentTransaction[]): Promise<Progress | null> {
  for (const row of rows) {
    const receipt = await getReceipt(rpc, row.txHash as Hex);
    if (receipt) return { kind: receipt.status === "success" ? "mined" : "reverted", row, receipt };
  }
  return null;
}

async function isNonceFinal(rpc: EvmRpc, address: Hex, nonce: bigint): Promise<boolean> {
  const head = await rpc.request((client) => client.getBlockNumber({ cacheTime: 0 }));
  if (head < FINAL_AFTER_BLOCKS) return false;
  const blockNumber = head - FINAL_AFTER_BLOCKS;
  return BigInt(await rpc.request((client) => client.getTransactionCount({ address, blockNumber }))) > nonce;
}

function isOverdue({ agents }: AgentDeps, { createdAt }: AgentTransaction): boolean {
  return createdAt.getTime() + agents.stuckAfterMs < Date.now();
}
