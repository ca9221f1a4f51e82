/** Brings a signed transfer to the chain itself, the treasury paying the network's fee: the wallet needs none of its own. */
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
 * Broadcasts; answers the transaction's hash. Doing it twice costs a fee and moves nothing: the authorization counts once.
 * @param isDue asked once its turn has come; when it is not, nothing is sent and the answer is null
 * @throws {TransferFailedError} when the network refuses it, {ChainUnavailableError} when nothing is known.
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
  if (authorization.kind !== "eip3009") throw new Error(`A ${authorization.kind} authorization is not ours to relay.`);
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
  it: Extract<Authorization, { kind: "eip3009" }>,
  signature: `0x${string}`,
  treasury: SealedWallet,
): Promise<string> {
  const { r, s, yParity } = parseSignature(signature);
  const data = encodeFunctionData({
    abi: TRANSFER_WITH_AUTHORIZATION,
    functionName: "transferWithAuthorization",
    args: [
      it.from,
      it.to,
      BigInt(it.valueAtomic),
      BigInt(it.validAfter),
      BigInt(it.validBefore),
      it.nonce,
      27 + yParity,
      r,
      s,
    ],
  });
  const unsigned = await chain.prepareCall({ from: treasury.evmAddress, to: it.asset, data });
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
