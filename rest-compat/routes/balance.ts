import { z } from "zod";
import { BalanceDocument } from "../generated/graphql.ts";
import { NETWORKS, oneOf } from "../parameters.ts";
import { defineRoute } from "../route.ts";

export const balance = defineRoute({
  method: "GET",
  path: "/api/balance",
  dialect: "native",
  summary: "What the wallet holds",
  description: "The wallet's USDC and native coin on one network, read from the chain, and the free credit left.",
  scope: "balance:read",
  movesMoney: false,
  query: z.object({
    network: oneOf(NETWORKS, "The network; default `base`, in the sandbox `base-sepolia`.").optional(),
  }),
  body: null,
  document: BalanceDocument,
  variables: ({ query }) => ({ network: query.network ?? null }),
  fieldNames: {},
  answer({ viewer }) {
    if (!viewer) return null;
    const { balance: held } = viewer.wallet;
    if (!held.usdc || !held.native) return null;
    return {
      usdcBalance: held.usdc.amount,
      address: held.address,
      hasWallet: true,
      network: held.network,
      creditUsd: held.creditUsd,
      nativeBalance: held.native.amount,
    };
  },
  success: {
    description: "The balance.",
    schema: z.object({
      usdcBalance: z.string().meta({ description: "USDC with 6 fractional digits." }),
      address: z.string().meta({ description: "The wallet's address on that network." }),
      hasWallet: z.boolean().meta({ description: "Whether there is a wallet; every account has one." }),
      network: z.string().meta({ description: "The network." }),
      creditUsd: z.string().meta({ description: "Free credit left, in US dollars." }),
      nativeBalance: z.string().meta({ description: "The network's own coin, as an exact decimal." }),
    }),
    example: {
      usdcBalance: "12.500000",
      address: "0x1c0F2c5E1a2B3c4D5e6F708192a3b4C5D6e7F809",
      hasWallet: true,
      network: "base",
      creditUsd: "4.75",
      nativeBalance: "0.010000000000000000",
    },
  },
  errors: ["unsupported_network", "chain_unavailable"],
});
