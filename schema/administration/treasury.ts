/** The treasury's addresses and funds, for administrators. */
import { requireReviewer } from "../../src/accounts/reviewer.ts";
import type { NetworkName } from "../../src/wallet/networks.ts";
import { readTreasuryFunds, type TreasuryFunds } from "../../src/wallet/treasury.ts";
import { TokenAmountType } from "../amounts.ts";
import { builder } from "../builder.ts";
import { toUsdcAmount } from "../wallet/token-amounts.ts";
import { READING_COST, toNativeAmount } from "./balances.ts";
import { ADMINISTRATORS_ONLY } from "./errors.ts";

type NetworkFunds = TreasuryFunds | { readonly network: NetworkName; readonly failure: unknown };

function requireFunds(funds: NetworkFunds): TreasuryFunds {
  if ("failure" in funds) throw funds.failure;
  return funds;
}

const TreasuryNetworkType = builder.objectRef<NetworkFunds>("TreasuryNetwork").implement({
  description: "The treasury's funds on one network, read from the chain.",
  fields: (t) => ({
    network: t.expose("network", { type: "NetworkName", description: "The network." }),
    address: t.string({
      nullable: true,
      description: "The treasury's address. Null, with an error, if the network's nodes do not respond.",
      resolve: (funds) => requireFunds(funds).address,
    }),
    native: t.field({
      type: TokenAmountType,
      nullable: true,
      description: "The balance of the native coin. Null, with an error, if the network's nodes do not respond.",
      resolve: (funds) => toNativeAmount(funds.network, requireFunds(funds).nativeAtomic),
    }),
    lowNative: t.field({
      type: TokenAmountType,
      nullable: true,
      description: "The balance of the native coin below which funds are low.",
      resolve: (funds) => toNativeAmount(funds.network, requireFunds(funds).lowNativeAtomic),
    }),
    usdc: t.field({
      type: TokenAmountType,
      nullable: true,
      description: "The USDC balance. Null, with an error, if the network's nodes do not respond.",
      resolve: (funds) => toUsdcAmount(funds.network, requireFunds(funds).usdcAtomic),
    }),
    lowUsdc: t.field({
      type: TokenAmountType,
      nullable: true,
      description: "The USDC balance below which funds are low.",
      resolve: (funds) => toUsdcAmount(funds.network, requireFunds(funds).lowUsdcAtomic),
    }),
    isLow: t.boolean({
      nullable: true,
      description: "Whether a balance is below its threshold. Null, with an error, if the nodes do not respond.",
      resolve: (funds) => requireFunds(funds).isLow,
    }),
  }),
});

interface Treasury {
  readonly evmAddress: string;
  readonly solanaAddress: string;
}

const TreasuryType = builder.objectRef<Treasury>("Treasury").implement({
  description: "The operator's wallet, which pays network fees, agent registrations and free credit.",
  fields: (t) => ({
    evmAddress: t.exposeString("evmAddress", { description: "The address on EVM networks." }),
    solanaAddress: t.exposeString("solanaAddress", { description: "The address on Solana networks." }),
    networks: t.field({
      type: [TreasuryNetworkType],
      complexity: { field: 5 * READING_COST, multiplier: 5 },
      description: "The funds on each configured network.",
      resolve: (_treasury, _args, { deps }): Promise<NetworkFunds[]> =>
        Promise.all(
          deps.chains.networks.map((network) =>
            readTreasuryFunds(deps, network).catch((failure: unknown) => ({ network, failure })),
          ),
        ),
    }),
  }),
});

builder.queryField("treasury", (t) =>
  t.field({
    type: TreasuryType,
    nullable: true,
    description: `The treasury's addresses and funds. ${ADMINISTRATORS_ONLY}`,
    resolve: (_root, _args, { deps, viewer }) => {
      requireReviewer(viewer);
      return deps.wallets.treasury();
    },
  }),
);
