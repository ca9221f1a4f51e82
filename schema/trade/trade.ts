import { executeTrade } from "../../src/trade/execute-trade.ts";
import { builder } from "../builder.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { withRateLimitHeaders } from "../rate-limit-headers.ts";
import { PAYING_VIEWER, PAYING_WALLET } from "../wallet/payer-fields.ts";
import { TRADE_ERRORS } from "./trade-errors.ts";
import { TradeNode } from "./trades.ts";

const TOKEN = "A symbol such as `USDC`, or a contract address.";

/** Input fields of a swap, shared by a trade and its quote. */
export const SWAP_FIELDS = {
  sellToken: { required: true, description: `The token to sell. ${TOKEN}` },
  buyToken: { required: true, description: `The token to buy. ${TOKEN}` },
  sellAmount: {
    type: "Decimal",
    description:
      'The amount of the token to sell, for example `"12.5"`. At most as many decimal places as the token has. Required without `sellAll` and `buyAmount`.',
  },
  sellAll: {
    description:
      "Whether to sell the whole balance of the token, to its smallest unit, in place of `sellAmount`. Not for the native coin. Default: false.",
  },
  buyAmount: {
    type: "Decimal",
    description:
      "The amount of the token to buy at least, in place of `sellAmount`. The exchange determines the sold amount. The slippage tolerance limits how much more than quoted is sold.",
  },
  slippagePercentage: {
    description: "The slippage tolerance in percent, from 0 to 50 with at most 2 decimals; default 1.",
  },
  network: { type: "NetworkName", description: "The network of the trade. Only `base`, the default, is supported." },
} as const;

const TradeInput = builder.inputType("TradeInput", {
  description: "Input of `trade`.",
  fields: (t) => ({
    sellToken: t.string(SWAP_FIELDS.sellToken),
    buyToken: t.string(SWAP_FIELDS.buyToken),
    sellAmount: t.field(SWAP_FIELDS.sellAmount),
    sellAll: t.boolean(SWAP_FIELDS.sellAll),
    buyAmount: t.field(SWAP_FIELDS.buyAmount),
    slippagePercentage: t.float(SWAP_FIELDS.slippagePercentage),
    minBuyAmount: t.field({
      type: "Decimal",
      description:
        "The minimum of the token to buy, for example `minBought` of the quote that was shown. If the price fell below it, nothing is reserved or signed. Default: only the slippage tolerance bounds the trade.",
    }),
    maxSellAmount: t.field({
      type: "Decimal",
      description:
        "The maximum of the token to sell for `buyAmount`, for example `maxSold` of the quote that was shown. If the price rose above it, nothing is reserved or signed. Default: only the slippage tolerance bounds the trade.",
    }),
    network: t.field(SWAP_FIELDS.network),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const TradeSuccess = builder.objectRef<{ id: string }>("TradeSuccess").implement({
  description: "The trade settled or is in flight; see `trade.status`.",
  fields: (t) => ({
    trade: t.prismaField({
      type: TradeNode,
      description: "The trade.",
      resolve: (query, { id }, _args, { deps }) => deps.db.prisma.trade.findUniqueOrThrow({ ...query, where: { id } }),
    }),
    wallet: t.field(PAYING_WALLET),
    viewer: t.field(PAYING_VIEWER),
  }),
});

builder.mutationField("trade", (t) =>
  t.field({
    type: TradeSuccess,
    complexity: 50,
    extensions: { movesMoney: true },
    description:
      "Swaps tokens of the wallet. The sold amount counts against all limits at its value in US dollars, at most `maxSold` of its quote. At most 30 requests per minute, shared with `sendTokens`.",
    errors: {
      types: TRADE_ERRORS,
      union: { name: "TradeResult", description: "The trade, or the error." },
    },
    args: { input: t.arg({ type: TradeInput, required: true, description: "The swap to make." }) },
    resolve: (_root, { input }, context) =>
      executeTrade(withRateLimitHeaders(context), context.viewer, {
        sellToken: input.sellToken,
        buyToken: input.buyToken,
        sellAmount: input.sellAmount ?? null,
        sellAll: input.sellAll ?? false,
        buyAmount: input.buyAmount ?? null,
        slippagePercentage: input.slippagePercentage ?? null,
        minBuyAmount: input.minBuyAmount ?? null,
        maxSellAmount: input.maxSellAmount ?? null,
        network: input.network ?? null,
        idempotencyKey: idempotencyKeyOf(input, context),
      }),
  }),
);
