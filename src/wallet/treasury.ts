/** Funds of the treasury: its balances on each network, compared with thresholds. */
import { parseDecimal } from "../platform/money.ts";
import type { Chains } from "./chain.ts";
import { addressOn, NETWORKS, type Network, type NetworkName } from "./networks.ts";
import type { Wallets } from "./wallets.ts";

/** Balances in the smallest unit below which funds are low. */
export interface TreasuryThresholds {
  readonly native: Readonly<Record<NetworkName, bigint>>;
  readonly usdcAtomic: bigint;
}

export interface TreasuryDeps {
  readonly chains: Chains;
  readonly wallets: Wallets;
  readonly treasury: TreasuryThresholds;
}

/** The treasury's funds on one network. */
export interface TreasuryFunds {
  readonly network: NetworkName;
  readonly address: string;
  readonly nativeAtomic: bigint;
  readonly usdcAtomic: bigint;
  readonly lowNativeAtomic: bigint;
  readonly lowUsdcAtomic: bigint;
  readonly isLow: boolean;
}

const DEFAULT_LOW_NATIVE: Readonly<Record<string, string>> = { ETH: "0.005", SOL: "0.1", AVAX: "0.1" };

/**
 * Returns the thresholds of the settings.
 * @param lowNative entries `network=amount`; other networks have the default of their coin
 */
export function readTreasuryThresholds(lowNative: readonly string[], usdcAtomic: bigint): TreasuryThresholds {
  const configured = new Map(lowNative.map((entry) => entry.split("=") as [string, string]));
  const entries = Object.values(NETWORKS).map(({ name, nativeSymbol, nativeDecimals }: Network) => {
    const amount = configured.get(name) ?? DEFAULT_LOW_NATIVE[nativeSymbol] ?? "0";
    return [name, parseDecimal(amount, nativeDecimals, "TREASURY_LOW_NATIVE")];
  });
  return { native: Object.fromEntries(entries) as Record<NetworkName, bigint>, usdcAtomic };
}

/** Reads the treasury's funds on a network from the chain. @throws {ChainUnavailableError} */
export async function readTreasuryFunds(
  { chains, wallets, treasury }: TreasuryDeps,
  name: NetworkName,
): Promise<TreasuryFunds> {
  const network: Network = NETWORKS[name];
  const address = addressOn(network, await wallets.treasury());
  const chain = chains.any(name);
  const [nativeAtomic, usdcAtomic] = await Promise.all([
    chain.nativeBalanceAtomic(address),
    chain.tokenBalanceAtomic(network.usdc.address, address),
  ]);
  const { native, usdcAtomic: lowUsdcAtomic } = treasury;
  const lowNativeAtomic = native[name];
  const isLow = nativeAtomic < lowNativeAtomic || usdcAtomic < lowUsdcAtomic;
  return { network: name, address, nativeAtomic, usdcAtomic, lowNativeAtomic, lowUsdcAtomic, isLow };
}
