/** Follows pending revocations of permits until they are mined: sends them again, raises their fees and records what they cost. */
import { randomUUID } from "node:crypto";
import { type Hex, parseTransaction } from "viem";
import type { PermitRevocation } from "../../generated/prisma/client.ts";
import type { Statement } from "../platform/database/connection.ts";
import { selectDueFairly } from "../platform/database/due-owners.ts";
import { warnOfFailure } from "../platform/observability/failure-log.ts";
import type { EvmChain } from "../wallet/chain.ts";
import { raiseFees } from "../wallet/evm/fees.ts";
import {
  feeOf,
  findReceipt,
  readFinalNonce,
  type SignedEvmTransaction,
  signTransaction,
} from "../wallet/evm/transactions.ts";
import type { NetworkName } from "../wallet/networks.ts";
import { runInTreasuryQueue } from "../wallet/treasury-queue.ts";
import type { PaymentDeps } from "./deps.ts";
import { lockFees } from "./revocation-fees.ts";

const BATCH_SIZE = 50;
const MAX_ACCOUNTS = 200;
/** Time without a block after which a transaction is replaced by one with higher fees. */
const STUCK_AFTER_MS = 60_000;

// Leasing a row advances next_check_at, so no other node leases it and after a crash it becomes due again.
const LEASE_DUE: Statement = {
  name: "lease-permit-revocations",
  text: `UPDATE permit_revocations SET next_check_at = now() + interval '10 seconds'
    WHERE id = ANY(ARRAY(${selectDueFairly(
      { table: "permit_revocations", owner: "account_id", dueAt: "next_check_at" },
      { start: "$1::uuid", maxOwners: MAX_ACCOUNTS, maxPerOwner: BATCH_SIZE, maxRows: BATCH_SIZE },
    )}))
    RETURNING id`,
};

// The payment is checked once the revocation is final: 30 seconds of blocks on Base.
const END: Statement = {
  name: "end-permit-revocation",
  text: `WITH ended AS (
      UPDATE permit_revocations SET status = $2, fee_wei = $3, next_check_at = NULL, ended_at = now()
      WHERE id = $1 AND status = 'signed' RETURNING transaction_id)
    UPDATE transactions t SET permit_slot = NULL, check_attempts = 0, next_check_at = now() + interval '32 seconds'
    FROM ended WHERE t.id = ended.transaction_id AND t.status = 'signed'`,
};

/** Advances the due revocations by one step. */
export async function followRevocations(deps: PaymentDeps): Promise<void> {
  const due = await deps.db.query<{ id: string }>(LEASE_DUE, [randomUUID()]);
  if (due.length === 0) return;
  const rows = await deps.db.prisma.permitRevocation.findMany({ where: { id: { in: due.map(({ id }) => id) } } });
  await Promise.all(
    rows.map((row) =>
      follow(deps, row).catch((error: unknown) => {
        const fields = { revocationId: row.id, network: row.network };
        warnOfFailure(deps.logger, error, fields, "Permit revocation failed; retry scheduled");
      }),
    ),
  );
}

async function follow(deps: PaymentDeps, row: PermitRevocation): Promise<void> {
  const chain = deps.chains.evm(row.network as NetworkName);
  const { rpc } = chain;
  await rpc.checkChain();
  const { evmAddress: address } = await deps.wallets.treasury();
  // Read before the receipts: a nonce used only later does not prove that the receipts are missing.
  const finalNonce = await readFinalNonce(rpc, address);
  const receipt = await findReceipt(rpc, row.txHashes);
  if (receipt) {
    return await end(deps, row, receipt.status === "success" ? "mined" : "reverted", feeOf(receipt));
  }
  // Another transaction of the treasury used the nonce.
  if (BigInt(finalNonce) > row.nonce) return await end(deps, row, "dropped", 0n);
  if (row.sentAt.getTime() + STUCK_AFTER_MS < Date.now()) return await replace(deps, chain, row);
  if ((await chain.transactionState(row.txHashes.at(-1) as Hex)) === "unknown") {
    await chain.broadcast(row.rawTransaction as Hex);
  }
}

async function end(deps: PaymentDeps, row: PermitRevocation, status: string, feeWei: bigint): Promise<void> {
  await deps.db.query(END, [row.id, status, feeWei.toString()]);
  deps.logger.info({ transactionId: row.transactionId, status, feeWei: String(feeWei) }, "Permit revocation ended");
}

async function replace(deps: PaymentDeps, chain: EvmChain, row: PermitRevocation): Promise<void> {
  await runInTreasuryQueue(chain.network, "service", async () => {
    const previous = parseTransaction(row.rawTransaction as `0x02${string}`);
    const { to, data, gas, chainId, nonce = 0, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = previous;
    if (!to || !data || !gas) throw new Error("A revocation calls the token contract.");
    const current = await chain.rpc.request((client) => client.estimateFeesPerGas());
    const fees = raiseFees({ maxFeePerGas, maxPriorityFeePerGas }, current, chain.rpc.network.maxFeePerGasWei);
    if (!fees) return;
    const unsigned = { type: "eip1559", chainId, nonce, to, data, value: 0n, gas, ...fees } as const;
    const { rawTransaction, txHash } = await signTransaction(deps.vault, await deps.wallets.treasury(), unsigned);
    const replacement = { rawTransaction, txHash, maxFeeWei: gas * fees.maxFeePerGas };
    if (await store(deps, chain.network, row, replacement)) await chain.broadcast(rawTransaction);
  });
}

/** Stores a replacement before it is sent. Returns false if the fee limits refuse it, or the row has changed. */
async function store(
  deps: PaymentDeps,
  network: NetworkName,
  row: PermitRevocation,
  { rawTransaction, txHash, maxFeeWei }: SignedEvmTransaction & { readonly maxFeeWei: bigint },
): Promise<boolean> {
  return await deps.db.prisma.$transaction(async (tx) => {
    if (!(await lockFees(tx, deps.settings.revocationFees, { ...row, network }, maxFeeWei, row.id))) return false;
    const { count } = await tx.permitRevocation.updateMany({
      where: { id: row.id, status: "signed", rawTransaction: row.rawTransaction },
      data: { rawTransaction, txHashes: { push: txHash }, maxFeeWei: maxFeeWei.toString(), sentAt: new Date() },
    });
    return count > 0;
  });
}
