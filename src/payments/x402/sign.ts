/** Signs an authorization with the payer's keys, which stay in the vault. */
import { encodeBase58 } from "../../platform/crypto/base58.ts";
import type { SealedWallet, Vault } from "../../wallet/vault.ts";
import type { Authorization } from "./authorization.ts";
import { eip712Digest } from "./eip712.ts";

/**
 * Deterministic: the same authorization gives the same signature, however often it is made.
 * EVM: hex r ‖ s ‖ v, 65 bytes; with an allowance permit that one's 65 bytes follow. Solana: base58, 64 bytes.
 */
export async function signAuthorization(
  authorization: Authorization,
  wallet: SealedWallet,
  vault: Vault,
): Promise<string> {
  if (payerOf(authorization) !== (authorization.kind === "solana" ? wallet.solanaAddress : wallet.evmAddress)) {
    throw new Error("The authorization was made for another wallet.");
  }
  if (authorization.kind === "solana") {
    return encodeBase58(await vault.signMessage(wallet, Buffer.from(authorization.messageBase64, "base64")));
  }
  const signature = await vault.signDigest(wallet, eip712Digest(authorization));
  if (authorization.kind !== "permit2" || !authorization.allowancePermit) return signature;
  const permitSignature = await vault.signDigest(wallet, eip712Digest(authorization.allowancePermit));
  return signature + permitSignature.slice(2);
}

function payerOf(authorization: Authorization): string {
  switch (authorization.kind) {
    case "permit":
      return authorization.owner;
    case "solana":
      return authorization.payer;
    default:
      return authorization.from;
  }
}
