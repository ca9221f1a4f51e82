import { z } from "zod";
import { TradeDocument } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";
import { formatTokenAmount } from "../token-amount.ts";
import {
  MARKET_ERRORS,
  minBuyAmount,
  network,
  readTradeNetwork,
  sellAmount,
  slippage,
  TokenShape,
  token,
  USDC,
  WETH,
} from "./trade-parameters.ts";

export const trade = defineRoute({
  method: "POST",
  path: "/api/trade",
  dialect: "native",
  summary: "Swap tokens",
  description:
    "Swaps one token of the wallet for another within all limits, and waits for confirmation. If the network does not confirm in time, the status is `submitted` and the trade continues. Rate limit: 30 per minute, shared with transfers and reported in `RateLimit-*` headers.",
  movesMoney: true,
  limit: "send",
  announcesLimit: true,
  query: z.object({}),
  body: z.object({
    sellToken: token("The token to sell."),
    buyToken: token("The token to buy."),
    sellAmount,
    slippagePercentage: slippage.optional(),
    minBuyAmount: minBuyAmount.nullish(),
    network: network.nullish(),
  }),
  hasExactNumbers: true,
  bodyExample: '{"sellToken": "USDC", "buyToken": "WETH", "sellAmount": 25, "slippagePercentage": 1}',
  document: TradeDocument,
  variables: ({ body }) => ({
    input: {
      sellToken: body.sellToken,
      buyToken: body.buyToken,
      sellAmount: body.sellAmount,
      slippagePercentage: body.slippagePercentage ?? null,
      minBuyAmount: body.minBuyAmount ?? null,
      network: readTradeNetwork(body.network),
    },
  }),
  fieldNames: { idempotencyKey: "Idempotency-Key" },
  toResponse({ trade: result }) {
    if (result.__typename !== "TradeSuccess") return result;
    const { tradeId, txHash, status, sellToken, buyToken, sold, bought, quoted, minBought, networkFeeCharge, ...rest } =
      result.trade;
    return {
      success: true,
      id: tradeId,
      txHash,
      status,
      sellToken,
      buyToken,
      sellAmount: formatTokenAmount(sold),
      buyAmount: formatTokenAmount(bought ?? quoted),
      minBuyAmount: formatTokenAmount(minBought),
      networkFeeCharge: networkFeeCharge ? formatTokenAmount(networkFeeCharge) : null,
      network: rest.network,
      explorerUrl: rest.explorerUrl,
    };
  },
  success: {
    description: "The trade.",
    schema: z.object({
      success: z.literal(true).meta({ description: "Whether the trade was accepted; `status` is its state." }),
      id: z.string(),
      txHash: z.string().nullable().meta({ description: "The hash of the swap transaction." }),
      status: z.enum(["pending", "approving", "submitted", "settled"]),
      sellToken: TokenShape,
      buyToken: TokenShape,
      sellAmount: z.string().meta({ description: "The sold amount, as a decimal." }),
      buyAmount: z
        .string()
        .meta({ description: "The bought amount, as a decimal; the quoted amount until the trade settles." }),
      minBuyAmount: z.string().meta({ description: "The minimum accepted amount, as a decimal." }),
      networkFeeCharge: z.string().nullable().meta({
        description: "The USDC paid for the network fee, if the wallet lacked the native coin; as a decimal.",
      }),
      network: z.string(),
      explorerUrl: z.string().nullable(),
    }),
    example: {
      success: true,
      id: "trd_1795195756000_k3v9Qm2LxT7a",
      txHash: "0x2f1c8f1b0d4c9d7e6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f",
      status: "settled",
      sellToken: USDC,
      buyToken: WETH,
      sellAmount: "25",
      buyAmount: "0.008329",
      minBuyAmount: "0.00824571",
      networkFeeCharge: null,
      network: "base",
      explorerUrl: "https://basescan.org/tx/0x2f1c8f1b0d4c9d7e6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f",
    },
  },
  errors: [
    ...MARKET_ERRORS,
    "forbidden",
    "spending_limit_exceeded",
    "insufficient_balance",
    "trade_failed",
    "idempotency_key_reused",
    "idempotency_in_flight",
  ],
});
