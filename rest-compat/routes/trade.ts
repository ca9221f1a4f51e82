import { z } from "zod";
import { TradeDocument } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";
import { MARKET_ERRORS, network, sellAmount, slippage, TokenShape, token, USDC, WETH } from "./trade-parameters.ts";

export const trade = defineRoute({
  method: "POST",
  path: "/api/trade",
  dialect: "native",
  summary: "Swap tokens",
  description:
    "Sells one token of the wallet for another within every limit, and waits for the network. A trade that the network has not taken in time is answered as `submitted` and goes on. At most 30 a minute, together with sending; `RateLimit-*` headers say how many are left.",
  scope: "payments:sign",
  movesMoney: true,
  limit: "send",
  announcesLimit: true,
  query: z.object({}),
  body: z.object({
    sellToken: token("What to sell."),
    buyToken: token("What to buy."),
    sellAmount,
    slippagePercentage: slippage.optional(),
    network: network.nullish(),
  }),
  exactNumbers: true,
  bodyExample: '{"sellToken": "USDC", "buyToken": "WETH", "sellAmount": 25, "slippagePercentage": 1}',
  document: TradeDocument,
  variables: ({ body }) => ({
    input: {
      sellToken: body.sellToken,
      buyToken: body.buyToken,
      sellAmount: body.sellAmount,
      slippagePercentage: body.slippagePercentage ?? null,
      network: body.network ?? null,
    },
  }),
  fieldNames: { idempotencyKey: "Idempotency-Key" },
  answer({ trade: result }) {
    if (result.__typename !== "TradeSuccess") return result;
    const { tradeId, txHash, status, sellToken, buyToken, ...rest } = result.trade;
    return { success: true, id: tradeId, txHash, status, sellToken, buyToken, ...rest };
  },
  success: {
    description: "The trade.",
    schema: z.object({
      success: z.literal(true).meta({ description: "It settled, or is on its way: `status` says which." }),
      id: z.string(),
      txHash: z.string().nullable().meta({ description: "The hash of the swap." }),
      status: z.enum(["pending", "approving", "submitted", "settled"]),
      sellToken: TokenShape,
      buyToken: TokenShape,
      sellAmount: z.string().meta({ description: "A decimal." }),
      buyAmount: z.string().meta({ description: "What arrived, or until it settled what was quoted; a decimal." }),
      minBuyAmount: z.string().meta({ description: "The least that was accepted; a decimal." }),
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
