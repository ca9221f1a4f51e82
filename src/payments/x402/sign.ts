/** Signing of authorizations with the payer's keys, which never leave the vault. */
import { encodeBase58 } from "../../platform/crypto/base58.ts";
import type { SealedWallet, Vault } from "../../wallet/vault.ts";
import type { Authorization } from "./authorization.ts";
import { eip712Digest } from "./eip712.ts";

/**
 * Signs an authorization. Deterministic: the same authorization always gives the same signature.
 *
 *
 * @returns for EVM 65 bytes in hex, r ‖ s ‖ v, and 65 more for an allowance permit; for Solana 64 bytes in base58
 */
export async function signAuthorization(
  authorization: Authorization,
  wallet: SealedWallet,
  vault: Vault,
): Promise<string> {
  if (payerOf(authorization) !== (authorization.kind === "solana" ? wallet.solanaAddress : wallet.evmAddress)) {
    throw new Error("The authorization belongs to another wallet.");
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
