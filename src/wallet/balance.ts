import { requireAccount, requireScope, type Viewer } from "../accounts/viewer.ts";
import type { Database } from "../platform/database/connection.ts";
import type { Chains } from "./chain.ts";
import { creditOf } from "./credit.ts";
import { type Network, type NetworkName, USDC_DECIMALS } from "./networks.ts";

export interface Balance {
  readonly network: NetworkName;
  readonly usdcAtomic: bigint;
  readonly usdcDecimals: number;
  readonly nativeAtomic: bigint;
  readonly nativeSymbol: string;
  readonly nativeDecimals: number;
  readonly creditMicroUsd: bigint;
}

export interface BalanceDeps {
  readonly db: Database;
  readonly chains: Chains;
}

/** What the viewer's wallet holds at its address on one network, read from the chain (spec section 2.4), and the free credit left. */
export async function getBalance(
  deps: BalanceDeps,
  viewer: Viewer | null,
  network: Network,
  address: string,
): Promise<Balance> {
  const account = requireAccount(viewer);
  requireScope(account, "balance:read");
  const { accountId } = account;
  const chain = deps.chains.any(network.name);
  const [usdcAtomic, nativeAtomic, creditMicroUsd] = await Promise.all([
    chain.tokenBalanceAtomic(network.usdc.address, address),
    chain.nativeBalanceAtomic(address),
    creditOf(deps, accountId),
  ]);
  return {
    network: network.name,
    usdcAtomic,
    usdcDecimals: USDC_DECIMALS,
    nativeAtomic,
    nativeSymbol: network.nativeSymbol,
    nativeDecimals: network.nativeDecimals,
    creditMicroUsd,
  };
}
