import { executeTrade } from "../../src/trade/execute-trade.ts";
import { builder } from "../builder.ts";
import { IDEMPOTENCY_KEY, idempotencyKeyOf } from "../idempotency.ts";
import { announcingLimits } from "../rate-limit-headers.ts";
import { TRADE_ERRORS } from "./trade-errors.ts";
import { TradeNode } from "./trades.ts";

const TOKEN = "A symbol such as `USDC`, or a contract's address.";

/** What is swapped: the same for a trade and its preview. */
export const SWAP_FIELDS = {
  sellToken: { required: true, description: `What to sell. ${TOKEN}` },
  buyToken: { required: true, description: `What to buy. ${TOKEN}` },
  sellAmount: { required: true, description: 'How much to sell, in whole tokens as a decimal: `"12.5"`.' },
  slippagePercentage: {
    description: "How far below the quote the price may move, from 0 to 50 with at most 2 decimals; default 1.",
  },
  network: { description: "The network; `base` is the default and the only one." },
} as const;

const TradeInput = builder.inputType("TradeInput", {
  description: "What to swap.",
  fields: (t) => ({
    sellToken: t.string(SWAP_FIELDS.sellToken),
    buyToken: t.string(SWAP_FIELDS.buyToken),
    sellAmount: t.string(SWAP_FIELDS.sellAmount),
    slippagePercentage: t.float(SWAP_FIELDS.slippagePercentage),
    network: t.string(SWAP_FIELDS.network),
    idempotencyKey: t.string(IDEMPOTENCY_KEY),
  }),
});

const TradeSuccess = builder.objectRef<{ id: string }>("TradeSuccess").implement({
  description: "The trade settled, or is on its way: `trade.status` says which.",
  fields: (t) => ({
    trade: t.prismaField({
      type: TradeNode,
      description: "The trade.",
      resolve: (query, { id }, _args, { deps }) => deps.db.prisma.trade.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

builder.mutationField("trade", (t) =>
  t.field({
    type: TradeSuccess,
    complexity: 50,
    extensions: { movesMoney: true },
    description:
      "Swaps tokens of the wallet. What is sold counts against every limit at its value in US dollars. At most 30 a minute, together with `sendTokens`.",
    errors: {
      types: TRADE_ERRORS,
      union: { name: "TradeResult", description: "The trade, or why nothing was sold." },
    },
    args: { input: t.arg({ type: TradeInput, required: true, description: "The swap." }) },
    resolve: (_root, { input }, context) =>
      executeTrade(announcingLimits(context), context.viewer, {
        sellToken: input.sellToken,
        buyToken: input.buyToken,
        sellAmount: input.sellAmount,
        slippagePercentage: input.slippagePercentage ?? null,
        network: input.network ?? null,
        idempotencyKey: idempotencyKeyOf(input, context),
      }),
  }),
);
