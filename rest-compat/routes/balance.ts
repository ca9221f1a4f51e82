import { z } from "zod";
import { BalanceDocument } from "../generated/graphql.ts";
import { NETWORKS, oneOf } from "../parameters.ts";
import { defineRoute } from "../route.ts";
import { TokenShape, USDC } from "./trade-parameters.ts";

const LIMIT = z.int().nullable();

export const balance = defineRoute({
  method: "GET",
  path: "/api/balance",
  dialect: "native",
  summary: "Get the wallet's balance",
  description:
    "Returns the wallet's USDC and native token balance on one network, read from the chain, and the remaining free credit.",
  movesMoney: false,
  query: z.object({
    network: oneOf(NETWORKS, "The network; default `base`, in the sandbox `base-sepolia`.").optional(),
  }),
  body: null,
  document: BalanceDocument,
  variables: ({ query }) => ({ network: query.network ?? null }),
  fieldNames: {},
  toResponse({ viewer }) {
    if (!viewer) return null;
    const { balance: balanceRecord } = viewer.wallet;
    if (!balanceRecord?.usdc || !balanceRecord.native) return null;
    const { cardBudget } = viewer;
    return {
      usdcBalance: balanceRecord.usdc.amount,
      address: balanceRecord.address,
      hasWallet: true,
      network: balanceRecord.network,
      creditUsd: balanceRecord.creditUsd,
      nativeBalance: balanceRecord.native.amount,
      tokens: (balanceRecord.holdings?.edges ?? []).flatMap((edge) =>
        edge
          ? [
              {
                ...edge.node.token,
                balance: edge.node.balance.amount,
                valueUsd: edge.node.valueUsd,
                isListed: edge.node.isListed,
              },
            ]
          : [],
      ),
      ...(cardBudget
        ? {
            cardBudget: {
              currency: cardBudget.currency,
              perOrderLimitMinor: cardBudget.perOrderLimit?.amountMinor ?? null,
              dailyLimitMinor: cardBudget.dailyLimit?.amountMinor ?? null,
              monthlyLimitMinor: cardBudget.monthlyLimit?.amountMinor ?? null,
              dayUsedMinor: cardBudget.dayUsed.amountMinor,
              monthUsedMinor: cardBudget.monthUsed.amountMinor,
            },
          }
        : {}),
    };
  },
  success: {
    description: "The balance.",
    schema: z.object({
      usdcBalance: z.string().meta({ description: "The USDC balance, with 6 decimal places." }),
      address: z.string().meta({ description: "The wallet's address on that network." }),
      hasWallet: z.boolean().meta({ description: "Always true: every account has a wallet." }),
      network: z.string().meta({ description: "The network." }),
      creditUsd: z.string().meta({ description: "The remaining free credit in US dollars." }),
      nativeBalance: z.string().meta({ description: "The balance of the native token, as an exact decimal." }),
      tokens: z
        .array(
          TokenShape.extend({
            name: z.string(),
            balance: z.string().meta({ description: "The balance, as an exact decimal." }),
            valueUsd: z.string().nullable().meta({ description: "The value in US dollars. Null without a price." }),
            isListed: z
              .boolean()
              .meta({ description: "Whether trades accept the symbol. Otherwise the contract chose symbol and name." }),
          }),
        )
        .meta({
          description: "On `base`, the tokens that trades accept by symbol or that the account has traded; else empty.",
        }),
      cardBudget: z
        .object({
          currency: z.string().meta({ description: "The currency (ISO 4217). Orders in others require approval." }),
          perOrderLimitMinor: LIMIT.meta({ description: "The maximum of one order. Null for no limit." }),
          dailyLimitMinor: LIMIT.meta({ description: "The maximum per UTC day. Null for no limit." }),
          monthlyLimitMinor: LIMIT.meta({ description: "The maximum per UTC month. Null for no limit." }),
          dayUsedMinor: z.int().meta({ description: "The amount used today." }),
          monthUsedMinor: z.int().meta({ description: "The amount used this month." }),
        })
        .optional()
        .meta({
          description:
            "Limits of this token or app for orders by card, in minor units. Absent if the checkout policy alone limits them.",
        }),
    }),
    example: {
      usdcBalance: "12.500000",
      address: "0x1c0F2c5E1a2B3c4D5e6F708192a3b4C5D6e7F809",
      hasWallet: true,
      network: "base",
      creditUsd: "4.75",
      nativeBalance: "0.010000000000000000",
      tokens: [{ ...USDC, name: "USD Coin", balance: "12.500000", valueUsd: "12.50", isListed: true }],
    },
  },
  errors: ["unsupported_network", "chain_unavailable", "network_degraded"],
});
