/**
 * Revocation of the allowance that an `upto` permit granted (EIP-2612). An allowance has no expiry, so a payment remains
 * outstanding until the spender can draw nothing more. The wallet signs a permit of zero with its next nonce, and the treasury
 * submits it. `follow-revocations.ts` follows the transaction.
 *
 * The payment holds the wallet's permit slot while its revocation is pending. A permit that the wallet signed meanwhile would
 * have the same nonce.
 */
import { encodeFunctionData, type Hex, parseAbi, parseSignature } from "viem";
import { newId } from "../platform/ids.ts";
import { type PermitGrant, TransferFailedError } from "../wallet/chain.ts";
import { type SignedEvmTransaction, signTransaction } from "../wallet/evm/transactions.ts";
import type { NetworkName } from "../wallet/networks.ts";
import { runInTreasuryQueue } from "../wallet/treasury-queue.ts";
import type { PaymentDeps } from "./deps.ts";
import { lockFees } from "./revocation-fees.ts";
import { type PermitAuthorization, permitSlotOf } from "./x402/authorization.ts";
import { signAuthorization } from "./x402/sign.ts";

const permitAbi = parseAbi([
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
]);

/** Validity of the permit of zero. A transaction that is mined later fails, and another one is signed. */
const VALIDITY_SECONDS = 3_600n;

/** The columns of a payment that its revocation needs. */
export interface PermitPayment {
  readonly id: string;
  readonly accountId: string;
  readonly walletId: string | null;
  readonly payTo: string | null;
  readonly resource: string | null;
}

/**
 * Revokes the permit's allowance if it is due, nothing else is pending for the wallet, and the daily fee limits allow it.
 * Otherwise the payment remains counted, and a later check retries.
 *
 * @returns whether a revocation is pending
 * @throws {ChainUnavailableError}
 */
export async function revokePermit(
  deps: PaymentDeps,
  payment: PermitPayment,
  network: NetworkName,
  permit: PermitAuthorization,
  { isRevocable, nextNonce: finalNonce }: PermitGrant,
): Promise<boolean> {
  const pending = { transactionId: payment.id, status: "signed" };
  if ((await deps.db.prisma.permitRevocation.count({ where: pending })) > 0) return true;
  if (!isRevocable || payment.walletId === null) return false;
  const latest = await deps.chains.evm(network).allowance(permit.asset, permit.owner, permit.spender);
  // A permit that is not final yet may have replaced the allowance already, or use it next.
  if (latest.nextNonce !== finalNonce || latest.collectableAtomic === 0n) return false;
  const owner = await deps.wallets.payer({ accountId: payment.accountId, walletId: payment.walletId });
  const deadline = String(latest.timestamp + VALIDITY_SECONDS);
  const zero: PermitAuthorization = { ...permit, valueAtomic: "0", nonce: String(finalNonce), deadline };
  const signature = (await signAuthorization(zero, owner, deps.vault)) as Hex;
  try {
    return await submit(deps, payment, network, zero, signature);
  } catch (error) {
    if (!(error instanceof TransferFailedError)) throw error;
    deps.logger.warn({ err: error, transactionId: payment.id }, "Permit not revoked; its payment remains outstanding");
    return false;
  }
}

async function submit(
  deps: PaymentDeps,
  payment: PermitPayment,
  network: NetworkName,
  zero: PermitAuthorization,
  signature: Hex,
): Promise<boolean> {
  const chain = deps.chains.evm(network);
  return await runInTreasuryQueue(network, "service", async () => {
    const treasury = await deps.wallets.treasury();
    const data = encodePermit(zero, signature);
    const unsigned = await chain.prepareCall({ from: treasury.evmAddress, to: zero.asset, data });
    const signed = await signTransaction(deps.vault, treasury, unsigned);
    const maxFeeWei = unsigned.gas * unsigned.maxFeePerGas;
    const slot = permitSlotOf(network, zero.asset, zero.owner);
    const outcome = await store(deps, payment, { network, slot, signed, nonce: unsigned.nonce, maxFeeWei });
    if (outcome === "limit") {
      deps.logger.warn(
        { transactionId: payment.id, network },
        "Daily fee limit of revocations reached; permit not revoked",
      );
    }
    if (outcome !== "stored") return false;
    // A failure is only logged: the stored bytes are sent again until they are mined.
    await chain.broadcast(signed.rawTransaction).catch((error: unknown) => {
      deps.logger.warn({ err: error, transactionId: payment.id }, "Revocation could not be sent; retry scheduled");
    });
    return true;
  });
}

function encodePermit(permit: PermitAuthorization, signature: Hex): Hex {
  const { r, s, yParity } = parseSignature(signature);
  const { owner, spender, valueAtomic, deadline } = permit;
  const args = [owner, spender, BigInt(valueAtomic), BigInt(deadline), 27 + yParity, r, s] as const;
  return encodeFunctionData({ abi: permitAbi, functionName: "permit", args });
}

interface NewRevocation {
  readonly network: NetworkName;
  readonly slot: string;
  readonly signed: SignedEvmTransaction;
  readonly nonce: number;
  readonly maxFeeWei: bigint;
}

/**
 * Claims the permit slot and stores the signed transaction, before it is sent. `taken`: the payment has ended, another permit
 * holds the slot, or another node has stored a revocation.
 */
async function store(
  deps: PaymentDeps,
  payment: PermitPayment,
  { network, slot, signed, nonce, maxFeeWei }: NewRevocation,
): Promise<"stored" | "taken" | "limit"> {
  const seller = { payTo: payment.payTo ?? "", sellerHost: hostOf(payment.resource) };
  return await deps.db.prisma.$transaction(async (tx) => {
    const subject = { accountId: payment.accountId, network, ...seller };
    if (!(await lockFees(tx, deps.settings.revocationFees, subject, maxFeeWei, null))) return "limit";
    const claimed = await tx.$queryRaw<unknown[]>`
      UPDATE transactions SET permit_slot = ${slot}
      WHERE id = ${payment.id} AND status = 'signed' AND (permit_slot IS NULL OR permit_slot = ${slot})
        AND NOT EXISTS (SELECT FROM transactions WHERE permit_slot = ${slot} AND id <> ${payment.id})
        AND NOT EXISTS (SELECT FROM permit_revocations WHERE transaction_id = ${payment.id} AND status = 'signed')
      RETURNING id`;
    if (claimed.length === 0) return "taken";
    const { rawTransaction, txHash } = signed;
    const { id: transactionId, accountId } = payment;
    const transaction = { nonce, rawTransaction, txHashes: [txHash], maxFeeWei: maxFeeWei.toString() };
    await tx.permitRevocation.create({
      data: {
        ...{ id: newId("rev"), transactionId, accountId, network, ...seller, status: "signed" },
        ...transaction,
        nextCheckAt: new Date(),
      },
    });
    return "stored";
  });
}

function hostOf(resource: string | null): string {
  return (resource && URL.parse(resource)?.hostname) || "";
}
