/** Balances on chain of wallets other than the caller's, for administrators. */
import { type Addresses, addressOn, NETWORKS, type Network, type NetworkName } from "../../src/wallet/networks.ts";
import type { TokenAmount } from "../amounts.ts";
import { TokenAmountType } from "../amounts.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { toUsdcAmount } from "../wallet/token-amounts.ts";

/** Complexity of a balance: two reads from the chain. */
export const READING_COST = 20;

interface WalletBalance {
  readonly network: NetworkName;
  readonly address: string;
  /** Null if the network's nodes did not respond. */
  readonly nativeAtomic: bigint | null;
  readonly usdcAtomic: bigint | null;
}

/** Returns an amount of the native coin of a network. */
export function toNativeAmount(name: NetworkName, atomic: bigint): TokenAmount {
  const { nativeDecimals: decimals, nativeSymbol: symbol }: Network = NETWORKS[name];
  return { atomic, decimals, symbol, asset: "native", network: name };
}

/** Reads the balances of a wallet on every configured network. A network that does not respond has none. */
export async function readBalances({ deps: { chains } }: Context, wallet: Addresses): Promise<WalletBalance[]> {
  return await Promise.all(
    chains.networks.map(async (name) => {
      const network: Network = NETWORKS[name];
      const address = addressOn(network, wallet);
      try {
        const chain = chains.any(name);
        const [nativeAtomic, usdcAtomic] = await Promise.all([
          chain.nativeBalanceAtomic(address),
          chain.tokenBalanceAtomic(network.usdc.address, address),
        ]);
        return { network: name, address, nativeAtomic, usdcAtomic };
      } catch {
        return { network: name, address, nativeAtomic: null, usdcAtomic: null };
      }
    }),
  );
}

export const WalletBalanceType = builder.objectRef<WalletBalance>("AdministeredBalance").implement({
  description: "The balance of an account's wallet on one network, read from the chain.",
  fields: (t) => ({
    network: t.expose("network", { type: "NetworkName", description: "The network." }),
    address: t.exposeString("address", { description: "The wallet's address on the network." }),
    native: t.field({
      type: TokenAmountType,
      nullable: true,
      description: "The balance of the native coin. Null if the network's nodes do not respond.",
      resolve: ({ network, nativeAtomic }) => (nativeAtomic === null ? null : toNativeAmount(network, nativeAtomic)),
    }),
    usdc: t.field({
      type: TokenAmountType,
      nullable: true,
      description: "The USDC balance. Null if the network's nodes do not respond.",
      resolve: ({ network, usdcAtomic }) => (usdcAtomic === null ? null : toUsdcAmount(network, usdcAtomic)),
    }),
  }),
});
