import type { Network } from "../wallet/networks.ts";
import type { SealedWallet } from "../wallet/vault.ts";
import type { Requirement } from "./x402/requirement.ts";

/** Returns a USDC transfer that Satchel relays itself, expressed as the X402 requirement of an offer. */
export function createTransferRequirement(
  network: Network,
  treasury: SealedWallet,
  transfer: { readonly payTo: string; readonly amountAtomic: bigint; readonly validitySeconds: number },
): Requirement {
  const { payTo, amountAtomic, validitySeconds } = transfer;
  return {
    index: 0,
    x402Version: 1,
    scheme: "exact",
    method: network.kind === "evm" ? "eip3009" : "solana",
    network,
    asset: network.usdc.address,
    amountAtomic,
    amountMicroUsd: amountAtomic,
    payTo,
    maxTimeoutSeconds: validitySeconds,
    resource: null,
    description: null,
    facilitator: null,
    feePayer: treasury.solanaAddress,
    memo: null,
    echo: { network: network.name, accepted: null, resource: null, extensions: null },
  };
}
