/**
 * The treasury's transactions for an agent. One is signed, committed and only then sent, so that after a crash the same bytes go
 * out again. All that are signed for one purpose and not ended share one nonce: at most one of them is ever mined. Another
 * nonce is taken only once the chain has long used the former one for something else.
 */
import { type Hex, parseTransaction, type TransactionReceipt } from "viem";
import type { Agent, AgentTransaction, Prisma } from "../../generated/prisma/client.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import { newId } from "../platform/ids.ts";
import type { UnsignedEvmTransaction } from "../wallet/chain.ts";
import { raisedFees } from "../wallet/evm/fees.ts";
import type { EvmRpc } from "../wallet/evm/rpc-client.ts";
import { receiptOf, signTransaction } from "../wallet/evm/transactions.ts";
import type { NetworkName } from "../wallet/networks.ts";
import { runInTreasuryQueue } from "../wallet/treasury-queue.ts";
import type { AgentDeps } from "./deps.ts";

export type Purpose = "register" | "set_wallet";

/** An agent this node looks after, until another one claims it: `checkAttempts` is the number of the claim. */
export type ClaimedAgent = Agent;

/** How the transactions for one purpose stand. */
export type Progress =
  | { readonly kind: "mined" | "reverted"; readonly row: AgentTransaction; readonly receipt: TransactionReceipt }
  | { readonly kind: "waiting" }
  /** Its turn has come long ago, and the network does not mine it: more must be offered for the same nonce. */
  | { readonly kind: "stuck"; readonly row: AgentTransaction }
  /** Nothing that was signed can be mined any more, or nothing was signed. */
  | { readonly kind: "none" };

/** A nonce counts as used for good once so many blocks lie upon it: nodes behind one address may lag, and blocks be replaced. */
const SETTLED_BLOCKS = 10n;
/** A registration stores its file's address and takes about 250,000. */
const MAX_GAS = 1_000_000n;

/** Looks where the transactions stand, and sends again what the network does not know. @throws {ChainUnavailableError} */
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
  // Before the receipts: a nonce that is used later says nothing about them.
  const used = await rpc.ask((client) => client.getTransactionCount({ address, blockTag: "latest" }));
  const ended = await findReceipt(rpc, rows);
  if (ended) return ended;
  if (BigInt(used) <= newest.nonce) {
    if (BigInt(used) === newest.nonce && isOld(deps, newest)) return { kind: "stuck", row: newest };
    if ((await chain.transactionState(newest.txHash as Hex)) === "unknown") await send(deps, agent, newest);
    return { kind: "waiting" };
  }
  if (!(await isUsedForGood(rpc, address, newest.nonce))) return { kind: "waiting" };
  const late = await findReceipt(rpc, rows);
  if (late) return late;
  await deps.db.prisma.agentTransaction.updateMany({
    where: { id: { in: rows.map(({ id }) => id) }, status: "signed" },
    data: { status: "dropped" },
  });
  deps.logger.info(
    { agentRecordId: agent.id, purpose, nonce: String(newest.nonce) },
    "nonce used by another transaction",
  );
  return { kind: "none" };
}

/** What is to be written once a transaction is on chain: its own end, and that of those it was sent in place of. */
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

// Nonces of what is signed and perhaps not yet known to the network.
const NEXT_NONCE: Statement = {
  name: "next-agent-nonce",
  text: `SELECT coalesce(max(t.nonce) + 1, 0) AS nonce FROM agents a JOIN agent_transactions t ON t.agent_id = a.id
    WHERE a.next_check_at IS NOT NULL AND a.network = $1 AND t.status = 'signed'`,
};

// Whoever claimed the agent since has another number: of any number of nodes one stores, and its row is there before the next one looks.
const STORE: Statement = {
  name: "store-agent-transaction",
  text: `WITH held AS (
      UPDATE agents SET next_check_at = next_check_at
      WHERE id = $1 AND check_attempts = $2 AND ($4 <> 'register' OR agent_id IS NULL) RETURNING id
    )
    INSERT INTO agent_transactions (id, agent_id, purpose, status, nonce, raw_transaction, tx_hash)
    SELECT $3, held.id, $4, 'signed', $5, $6, $7 FROM held RETURNING id`,
};

/**
 * Signs a call of the registry by the treasury, stores it, and sends it. Does nothing when another node has claimed the agent.
 * @param former what it takes the place of, under the same nonce; null: a new nonce
 * @throws {TransferFailedError} when the network would refuse it: nothing is signed. {@link ChainUnavailableError} likewise.
 */
export async function sendTransaction(
  deps: AgentDeps,
  agent: ClaimedAgent,
  purpose: Purpose,
  data: Hex,
  former: AgentTransaction | null,
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
    const unsigned = former ? inPlaceOf(former, prepared) : prepared;
    if (!unsigned) return;
    const { rawTransaction, txHash } = await signTransaction(deps.vault, treasury, unsigned);
    const id = newId("atx");
    const values = [agent.id, agent.checkAttempts, id, purpose, unsigned.nonce, rawTransaction, txHash];
    if ((await deps.db.query(STORE, values)).length > 0) await send(deps, agent, { id, rawTransaction });
  });
}

/** The same nonce with fees that take the former one's place; null when those would be absurd. */
function inPlaceOf(
  { nonce, rawTransaction }: AgentTransaction,
  prepared: UnsignedEvmTransaction,
): UnsignedEvmTransaction | null {
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(rawTransaction as `0x02${string}`);
  const fees = raisedFees({ maxFeePerGas, maxPriorityFeePerGas }, prepared);
  return fees && { ...prepared, nonce: Number(nonce), ...fees };
}

/** It is signed and stored, so a failure changes nothing: it is sent until its nonce is used. */
async function send(
  deps: AgentDeps,
  agent: ClaimedAgent,
  { id, rawTransaction }: { readonly id: string; readonly rawTransaction: string },
): Promise<void> {
  try {
    await deps.chains.evm(agent.network as NetworkName).broadcast(rawTransaction as Hex);
  } catch (error) {
    deps.logger.warn({ err: error, agentRecordId: agent.id, agentTransactionId: id }, "transaction not sent yet");
  }
}

async function findReceipt(rpc: EvmRpc, rows: readonly AgentTransaction[]): Promise<Progress | null> {
  for (const row of rows) {
    const receipt = await receiptOf(rpc, row.txHash as Hex);
    if (receipt) return { kind: receipt.status === "success" ? "mined" : "reverted", row, receipt };
  }
  return null;
}

async function isUsedForGood(rpc: EvmRpc, address: Hex, nonce: bigint): Promise<boolean> {
  const head = await rpc.ask((client) => client.getBlockNumber({ cacheTime: 0 }));
  if (head < SETTLED_BLOCKS) return false;
  const blockNumber = head - SETTLED_BLOCKS;
  return BigInt(await rpc.ask((client) => client.getTransactionCount({ address, blockNumber }))) > nonce;
}

function isOld({ agents }: AgentDeps, { createdAt }: AgentTransaction): boolean {
  return createdAt.getTime() + agents.stuckAfterMs < Date.now();
}
