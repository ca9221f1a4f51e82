import { requireAccount } from "../../src/accounts/viewer.ts";
import { type Balance, getBalance, readCredit } from "../../src/wallet/balance.ts";
import { type Addresses, addressOn, NETWORK_NAMES } from "../../src/wallet/networks.ts";
import { servedNetwork } from "../../src/wallet/served-network.ts";
import { TokenAmountType } from "../amounts.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { requireScopedAccountId } from "../owner.ts";
import { toUsdcAmount } from "./token-amounts.ts";

/** Complexity of a balance: two reads from the chain, regardless of the selected fields. */
const READING_COST = 20;

/** The balance on a network, or the error of the read. Only the fields that need the balance fail with this error. */
type NetworkBalance = { readonly network: string; readonly address: string } & (
  | { readonly reading: Balance }
  | { readonly reading: null; readonly failure: unknown }
);

async function readBalance({ deps, viewer }: Context, wallet: Addresses, name: string): Promise<NetworkBalance> {
  const network = servedNetwork(deps.chains, name);
  const identity = { network: network.name, address: addressOn(network, wallet) };
  try {
    return { ...identity, reading: await getBalance(deps, viewer, network, identity.address) };
  } catch (failure) {
    return { ...identity, reading: null, failure };
  }
}

function requireReading(balance: NetworkBalance): Balance {
  if (balance.reading === null) throw balance.failure;
  return balance.reading;
}

export const BalanceType = builder.objectRef<NetworkBalance>("Balance").implement({
  description: "The wallet's balance on one network, read from the chain.",
  fields: (t) => ({
    network: t.expose("network", { type: "NetworkName", description: "The network." }),
    address: t.exposeString("address", {
      description: "The wallet's address on the network. Available even if the network's nodes do not respond.",
    }),
    usdc: t.field({
      type: TokenAmountType,
      nullable: true,
      description: "The USDC balance. Null, with an error, if the network's nodes do not respond.",
      resolve: (balance) => toUsdcAmount(balance.network, requireReading(balance).usdcAtomic),
    }),
    creditUsd: t.field({
      type: "Usd",
      description:
        "The available free credit, shared by all networks. It pays if it covers the whole amount; otherwise the wallet pays.",
      resolve: (balance) => requireReading(balance).creditMicroUsd,
    }),
    native: t.field({
      type: TokenAmountType,
      nullable: true,
      description: "The balance of the native coin. Null, with an error, if the network's nodes do not respond.",
      resolve: (balance) => {
        const { nativeAtomic, nativeDecimals, nativeSymbol } = requireReading(balance);
        const { network } = balance;
        return { symbol: nativeSymbol, atomic: nativeAtomic, decimals: nativeDecimals, asset: "native", network };
      },
    }),
  }),
});

/** The wallet of the calling account. */
export const WalletType = builder.node(builder.objectRef<Addresses & { readonly id: string }>("Wallet"), {
  description: "The account's embedded wallet: one key for EVM networks, one for Solana.",
  id: { resolve: ({ id }) => id, description: "The wallet's global id." },
  brandLoadedObjects: true,
  loadOne: async (id, { deps, viewer }) => {
    const { id: ownId, evmAddress, solanaAddress } = await deps.wallets.ofAccount(requireAccount(viewer).accountId);
    return ownId === id ? { id, evmAddress, solanaAddress } : null;
  },
  fields: (t) => ({
    evmAddress: t.exposeString("evmAddress", { description: "The wallet's address on EVM networks." }),
    solanaAddress: t.exposeString("solanaAddress", { description: "The wallet's address on Solana networks." }),
    networks: t.field({
      type: ["NetworkName"],
      description: "The configured networks, read without a request to any chain.",
      resolve: (_wallet, _args, { deps }) => [...deps.chains.networks],
    }),
    creditUsd: t.field({
      type: "Usd",
      description: "The available free credit. It pays if it covers the whole amount; otherwise the wallet pays.",
      resolve: (_wallet, _args, context) => readCredit(context.deps, requireScopedAccountId(context, "balance:read")),
    }),
    balance: t.field({
      type: BalanceType,
      nullable: true,
      complexity: READING_COST,
      description: "The balance on one network.",
      args: {
        network: t.arg({
          type: "NetworkName",
          description: "The network. Default: the installation's default network.",
        }),
      },
      resolve: (wallet, { network }, context) =>
        readBalance(context, wallet, network ?? context.deps.settings.defaultNetwork),
    }),
    balances: t.field({
      type: [BalanceType],
      complexity: { field: NETWORK_NAMES.length * READING_COST, multiplier: NETWORK_NAMES.length },
      description: "The balance on each configured network.",
      resolve: (wallet, _args, context) =>
        Promise.all(context.deps.chains.networks.map((network) => readBalance(context, wallet, network))),
    }),
  }),
});
