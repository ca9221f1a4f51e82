import { formatDecimal } from "../../src/platform/money.ts";
import { type Balance, creditOf, getBalance } from "../../src/wallet/balance.ts";
import { type Addresses, addressOn, NETWORK_NAMES } from "../../src/wallet/networks.ts";
import { servedNetwork } from "../../src/wallet/served-network.ts";
import { builder } from "../builder.ts";
import type { Context } from "../context.ts";
import { ownAccountIdWithin } from "../owner.ts";

interface TokenAmount {
  readonly symbol: string;
  readonly amountAtomic: bigint;
  readonly decimals: number;
}

const TokenAmountType = builder.objectRef<TokenAmount>("TokenAmount").implement({
  description: "An amount of a token or a network's own coin.",
  fields: (t) => ({
    symbol: t.exposeString("symbol", { description: "Its symbol, such as USDC or ETH." }),
    amountAtomic: t.expose("amountAtomic", { type: "AtomicAmount", description: "In the smallest unit." }),
    decimals: t.exposeInt("decimals", { description: "How many decimal places one whole has." }),
    amount: t.string({
      description: "As an exact decimal, with every decimal place.",
      resolve: ({ amountAtomic, decimals }) => formatDecimal(amountAtomic, decimals, decimals),
    }),
  }),
});

/** The chain is asked for two balances of a network, whatever is selected of them. */
const READING_COST = 20;

/** What was read of a network, or why it could not be: the fields that need it fail, each by itself. */
type NetworkBalance = { readonly network: string; readonly address: string } & (
  | { readonly reading: Balance }
  | { readonly reading: null; readonly failure: unknown }
);

async function balanceOn({ deps, viewer }: Context, wallet: Addresses, name: string): Promise<NetworkBalance> {
  const network = servedNetwork(deps.chains, name);
  const known = { network: network.name, address: addressOn(network, wallet) };
  try {
    return { ...known, reading: await getBalance(deps, viewer, network, known.address) };
  } catch (failure) {
    return { ...known, reading: null, failure };
  }
}

function readingOf(balance: NetworkBalance): Balance {
  if (balance.reading === null) throw balance.failure;
  return balance.reading;
}

const BalanceType = builder.objectRef<NetworkBalance>("Balance").implement({
  description: "What the wallet holds on one network, as the chain says.",
  fields: (t) => ({
    network: t.expose("network", { type: "NetworkName", description: "The network." }),
    address: t.exposeString("address", {
      description: "The wallet's address there, whether the network's nodes answer or not.",
    }),
    usdc: t.field({
      type: TokenAmountType,
      nullable: true,
      description: "USDC. Null, with an error, when the network's nodes do not answer.",
      resolve: (balance) => {
        const { usdcAtomic, usdcDecimals } = readingOf(balance);
        return { symbol: "USDC", amountAtomic: usdcAtomic, decimals: usdcDecimals };
      },
    }),
    creditUsd: t.field({
      type: "Usd",
      description: "Free credit left, which pays before the wallet does, on every network.",
      resolve: (balance) => readingOf(balance).creditMicroUsd,
    }),
    native: t.field({
      type: TokenAmountType,
      nullable: true,
      description: "The network's own coin. Null, with an error, when the network's nodes do not answer.",
      resolve: (balance) => {
        const { nativeAtomic, nativeDecimals, nativeSymbol } = readingOf(balance);
        return { symbol: nativeSymbol, amountAtomic: nativeAtomic, decimals: nativeDecimals };
      },
    }),
  }),
});

/** The wallet of the calling account. */
export const WalletType = builder.objectRef<Addresses>("Wallet").implement({
  description: "The account's embedded wallet: one key for EVM networks, one for Solana.",
  fields: (t) => ({
    evmAddress: t.exposeString("evmAddress", { description: "Its address on EVM networks." }),
    solanaAddress: t.exposeString("solanaAddress", { description: "Its address on Solana networks." }),
    networks: t.field({
      type: ["NetworkName"],
      description: "The networks it is used on here; no chain is asked for them.",
      resolve: (_wallet, _args, { deps }) => [...deps.chains.networks],
    }),
    creditUsd: t.field({
      type: "Usd",
      description: "Free credit left; it pays before the wallet does.",
      resolve: (_wallet, _args, context) => creditOf(context.deps, ownAccountIdWithin(context, "balance:read")),
    }),
    balance: t.field({
      type: BalanceType,
      complexity: READING_COST,
      description: "What it holds on one network.",
      args: { network: t.arg({ type: "NetworkName", description: "Default: the installation's default network." }) },
      resolve: (wallet, { network }, context) =>
        balanceOn(context, wallet, network ?? context.deps.settings.defaultNetwork),
    }),
    balances: t.field({
      type: [BalanceType],
      complexity: { field: NETWORK_NAMES.length * READING_COST, multiplier: NETWORK_NAMES.length },
      description: "What it holds on each configured network.",
      resolve: (wallet, _args, context) =>
        Promise.all(context.deps.chains.networks.map((network) => balanceOn(context, wallet, network))),
    }),
  }),
});
