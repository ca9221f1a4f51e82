import { requireAccount, requireScope, type Viewer } from "../accounts/viewer.ts";
import type { Database, Statement } from "../platform/database/connection.ts";
import type { Chains } from "./chain.ts";
import { type Network, type NetworkName, USDC_DECIMALS } from "./networks.ts";

/** The balances of a wallet on one network. Amounts `…Atomic` are in the smallest unit. */
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

/**
 * Reads the balances of the viewer's wallet from the chain (spec section 2.4), and the available free credit.
 *
 * @throws {ChainUnavailableError} when the network's RPC does not respond.
 */
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
    readCredit(deps, accountId),
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

const CREDIT: Statement = {
  name: "credit",
  text: "SELECT available_micro_usd FROM credits WHERE account_id = $1::uuid",
};

/** Returns the available free credit in micro-USD. */
export async function readCredit({ db }: { readonly db: Database }, accountId: string): Promise<bigint> {
  const [row] = await db.query<{ available_micro_usd: bigint }>(CREDIT, [accountId]);
  if (!row) throw new Error(`The account ${accountId} has no credit row.`);
  return row.available_micro_usd;
}
