/** Relay of signed transfers to the chain. The treasury pays the network fee, so the wallet needs no native coin. */
import { VersionedMessage, VersionedTransaction } from "@solana/web3.js";
import { encodeFunctionData, parseAbi, parseSignature } from "viem";
import { decodeBase58 } from "../platform/crypto/base58.ts";
import type { EvmChain } from "../wallet/chain.ts";
import { signTransaction } from "../wallet/evm/transactions.ts";
import type { NetworkName } from "../wallet/networks.ts";
import { runInTreasuryQueue, type TreasuryQueuePriority } from "../wallet/treasury-queue.ts";
import type { SealedWallet } from "../wallet/vault.ts";
import type { PaymentDeps } from "./deps.ts";
import type { Authorization, StoredAuthorization } from "./x402/authorization.ts";

const TRANSFER_WITH_AUTHORIZATION = parseAbi([
  "function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)",
]);

/**
 * Broadcasts the transfer and returns the transaction hash. A second broadcast costs a fee and moves no funds, because the chain
 * accepts the authorization once.
 *
 * @param isDue checked at the head of the queue; if false, nothing is sent and the result is null
 *
 * @throws {TransferFailedError} when the network refuses it, {ChainUnavailableError} when the result is unknown.
 */
export async function relay(
  deps: PaymentDeps,
  stored: StoredAuthorization,
  signature: string,
  isDue: () => Promise<boolean>,
): Promise<string | null> {
  const treasury = await deps.wallets.treasury();
  const { network, authorization } = stored;
  if (authorization.kind === "solana") {
    return (await isDue()) ? await relaySolana(deps, network, authorization, signature, treasury) : null;
  }
  if (authorization.kind !== "eip3009") throw new Error(`Satchel does not relay ${authorization.kind} authorizations.`);
  const priority: TreasuryQueuePriority = authorization.to === treasury.evmAddress ? "service" : "person";
  return await runInTreasuryQueue(network, priority, async () =>
    (await isDue())
      ? await relayEvm(deps, deps.chains.evm(network), authorization, signature as `0x${string}`, treasury)
      : null,
  );
}

async function relayEvm(
  deps: PaymentDeps,
  chain: EvmChain,
  transfer: Extract<Authorization, { kind: "eip3009" }>,
  signature: `0x${string}`,
  treasury: SealedWallet,
): Promise<string> {
  const { r, s, yParity } = parseSignature(signature);
  const data = encodeFunctionData({
    abi: TRANSFER_WITH_AUTHORIZATION,
    functionName: "transferWithAuthorization",
    args: [
      transfer.from,
      transfer.to,
      BigInt(transfer.valueAtomic),
      BigInt(transfer.validAfter),
      BigInt(transfer.validBefore),
      transfer.nonce,
      27 + yParity,
      r,
      s,
    ],
  });
  const unsigned = await chain.prepareCall({ from: treasury.evmAddress, to: transfer.asset, data });
  const { rawTransaction } = await signTransaction(deps.vault, treasury, unsigned);
  return await chain.broadcast(rawTransaction);
}

async function relaySolana(
  deps: PaymentDeps,
  network: NetworkName,
  it: Extract<Authorization, { kind: "solana" }>,
  signature: string,
  treasury: SealedWallet,
): Promise<string> {
  const bytes = Buffer.from(it.messageBase64, "base64");
  const message = VersionedMessage.deserialize(bytes);
  const transaction = new VersionedTransaction(message);
  const feePayerSignature = await deps.vault.signMessage(treasury, bytes);
  message.staticAccountKeys.slice(0, message.header.numRequiredSignatures).forEach((key, slot) => {
    const signed = key.toBase58() === it.payer ? decodeBase58(signature) : feePayerSignature;
    if (signed) transaction.signatures[slot] = signed;
  });
  return await deps.chains.solana(network).broadcast(Buffer.from(transaction.serialize()).toString("base64"));
}
