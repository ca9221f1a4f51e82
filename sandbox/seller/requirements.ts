import type { NetworkName } from "../endpoints.ts";
import { facilitatorEvm, facilitatorSolana, sellerEvmAddress, sellerSolana } from "../identities.ts";
import { NETWORKS } from "../networks.ts";

/** An entry of `accepts` in X402 version 1. `maxAmountRequired` is in the asset's smallest unit. */
export interface RequirementV1 {
  scheme: "exact" | "upto";
  network: string;
  maxAmountRequired: string;
  resource: string;
  description: string;
  mimeType: string;
  payTo: string;
  maxTimeoutSeconds: number;
  asset: string;
  extra: Record<string, string>;
}

/** Price of a resource, independent of the protocol version. */
export interface Price {
  network: NetworkName;
  scheme: "exact" | "upto";
  amountAtomic: bigint;
}

export const MAX_TIMEOUT_SECONDS = 60;

/** Returns the seller's address on a network. */
export function payTo(network: NetworkName): string {
  return NETWORKS[network].kind === "evm" ? sellerEvmAddress : sellerSolana.address;
}

/** Returns `extra`: on Solana the fee payer, otherwise the EIP-712 domain. `upto` adds the spender of the permit. */
function extra(network: NetworkName, scheme: "exact" | "upto"): Record<string, string> {
  const known = NETWORKS[network];
  if (known.kind === "solana") return { feePayer: facilitatorSolana.address };
  return scheme === "exact" ? known.usdcDomain : { ...known.usdcDomain, facilitatorAddress: facilitatorEvm.address };
}

export function requirementV1(
  price: Price,
  resource: { url: string; description: string; mimeType?: string },
): RequirementV1 {
  return {
    scheme: price.scheme,
    network: price.network,
    maxAmountRequired: price.amountAtomic.toString(),
    resource: resource.url,
    description: resource.description,
    mimeType: resource.mimeType ?? "application/json",
    payTo: payTo(price.network),
    maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
    asset: NETWORKS[price.network].usdc,
    extra: extra(price.network, price.scheme),
  };
}
