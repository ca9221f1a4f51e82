/** Tools that swap tokens of the wallet. */
import { z } from "zod";
import {
  ExecuteTradeDocument,
  ListTradeTokensDocument,
  QuoteTradeDocument,
  type ToolTokenAmountFragment,
} from "../generated/graphql.ts";
import type { HandleTerms } from "../handles.ts";
import { NETWORK } from "../parameters.ts";
import { defineTool } from "../tool.ts";
import { requireSuccess } from "../tool-error.ts";
import { formatSymbol } from "./token-symbol.ts";

const AMOUNT = z.object({ amount: z.string(), currency: z.string() });
const TOKEN = z.string().min(1).max(100).meta({ description: "Symbol or contract address." });

const AMOUNT_ARGUMENT = z
  .string()
  .regex(/^\d{1,60}(?:\.\d{1,60})?(?:[eE][+-]?\d{1,2})?$/, 'must be a decimal string such as "12.5"');

const SWAP = {
  sell_token: TOKEN,
  buy_token: TOKEN,
  sell_amount: AMOUNT_ARGUMENT.optional().meta({
    description: 'Sells this, in whole tokens such as "12.5". Exactly one of sell_amount and buy_amount.',
  }),
  buy_amount: AMOUNT_ARGUMENT.optional().meta({ description: "Buys at least this, for at most max_sold." }),
  slippage_percentage: z.number().min(0).max(50).optional().meta({ description: "Default 1." }),
  network: NETWORK.optional(),
};

/** Reports an error at one of the amounts unless exactly one is present. The message continues the name of the argument. */
function requireOneAmount({ value: { sell_amount, buy_amount }, issues }: z.core.ParsePayload<Swap>): void {
  if ((sell_amount === undefined) !== (buy_amount === undefined)) return;
  const [field, message] =
    sell_amount === undefined
      ? ["sell_amount", "is required, or buy_amount in its place"]
      : ["buy_amount", "cannot be combined with sell_amount. Pass exactly one of them"];
  issues.push({ code: "custom", path: [field], message, input: undefined });
}

const SwapObject = z.strictObject(SWAP).check(requireOneAmount);
type Swap = z.output<z.ZodObject<typeof SWAP>>;

/** A `quote_id`: the limit that the quote stated, and a handle that is bound to it. */
const QUOTE_ID = /^(\d+(?:\.\d+)?)_([\w-]+)$/;

/**
 * Returns what the handle of a `quote_id` is bound to.
 * @param limit minimum bought of a sale, or maximum sold of an exact purchase
 */
function termsOf(
  { sell_token, buy_token, sell_amount, buy_amount, slippage_percentage, network }: Swap,
  limit: string,
): HandleTerms {
  const amount = buy_amount === undefined ? sell_amount : { buy_amount };
  const terms = [sell_token, buy_token, amount, slippage_percentage ?? null, network ?? null, limit];
  return { tool: "execute_trade", arguments: terms, field: "quote_id" };
}

function toVariables({ sell_token, buy_token, sell_amount, buy_amount, slippage_percentage, network }: Swap) {
  return {
    sellToken: sell_token,
    buyToken: buy_token,
    sellAmount: sell_amount ?? null,
    buyAmount: buy_amount ?? null,
    slippagePercentage: slippage_percentage ?? null,
    network: network ?? null,
  };
}

const format = ({ amount, symbol }: ToolTokenAmountFragment) => ({ amount, currency: formatSymbol(symbol) });

export const listTradeTokens = defineTool({
  name: "list_trade_tokens",
  title: "List trade tokens",
  description: "Lists the tokens that can be swapped.",
  group: "trade",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: false,
  input: z.strictObject({}),
  output: z.object({
    network: z.string(),
    tokens: z.array(z.object({ symbol: z.string(), name: z.string(), address: z.string(), is_native: z.boolean() })),
  }),
  document: ListTradeTokensDocument,
  async call(_input, { run }) {
    const { network, tokens } = requireSuccess((await run({})).tradeTokens);
    return {
      network,
      tokens: tokens.map(({ symbol, name, address, isNative }) => ({ symbol, name, address, is_native: isNative })),
    };
  },
});

export const quoteTrade = defineTool({
  name: "quote_trade",
  title: "Quote trade",
  description: "Returns what a swap sells and buys now, and a quote_id with which execute_trade makes the swap once.",
  group: "trade",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: true,
  input: SwapObject,
  output: z.object({
    sold: AMOUNT,
    max_sold: AMOUNT,
    bought: AMOUNT,
    min_bought: AMOUNT,
    price: z.string(),
    slippage_percentage: z.number(),
    price_impact_percentage: z.number().nullable(),
    sell_tax_percentage: z.number().nullable(),
    buy_tax_percentage: z.number().nullable(),
    warnings: z.array(z.string()),
    fees: z.array(z.object({ kind: z.string(), amount: AMOUNT.nullable() })),
    network: z.string(),
    quote_id: z.string(),
    expires_at: z.string().meta({
      description:
        "The price may change at any time; execute_trade sells at most max_sold and buys at least min_bought.",
    }),
  }),
  document: QuoteTradeDocument,
  async call(swap, { run, handles }) {
    const quote = requireSuccess((await run(toVariables(swap))).tradeQuote);
    const limit = swap.buy_amount === undefined ? quote.minBought.amount : quote.maxSold.amount;
    return {
      sold: format(quote.sold),
      max_sold: format(quote.maxSold),
      bought: format(quote.quoted),
      min_bought: format(quote.minBought),
      price: quote.price,
      slippage_percentage: quote.slippagePercentage,
      price_impact_percentage: quote.priceImpactPercentage ?? null,
      sell_tax_percentage: quote.sellTaxPercentage ?? null,
      buy_tax_percentage: quote.buyTaxPercentage ?? null,
      warnings: quote.warnings,
      fees: quote.fees.map(({ kind, amount }) => ({ kind, amount: amount ? format(amount) : null })),
      network: quote.network,
      quote_id: `${limit}_${await handles.create(termsOf(swap, limit))}`,
      expires_at: quote.expiresAt,
    };
  },
});

export const executeTrade = defineTool({
  name: "execute_trade",
  title: "Execute trade",
  description:
    "Swaps tokens within the limits, with the quote_id and the arguments of quote_trade. Repeated calls with one quote_id swap once. The swap sells at most max_sold and buys at least min_bought of the quote, or fails without a trade.",
  group: "trade",
  effect: "spends",
  isIdempotent: true,
  isOpenWorld: true,
  input: z.strictObject({ ...SWAP, quote_id: z.string().max(300) }).check(requireOneAmount),
  output: z.object({
    id: z.string(),
    status: z.string(),
    sold: AMOUNT,
    max_sold: AMOUNT,
    bought: AMOUNT.nullable().meta({ description: "Null until the trade has settled." }),
    min_bought: AMOUNT,
    tx_hash: z.string().nullable(),
    network: z.string(),
    explorer_url: z.string().nullable(),
  }),
  document: ExecuteTradeDocument,
  async call({ quote_id, ...swap }, { run, handles }) {
    const [, limit = "", handle = ""] = QUOTE_ID.exec(quote_id) ?? [];
    const { idempotencyKey } = await handles.open(handle, termsOf(swap, limit));
    const isPurchase = swap.buy_amount !== undefined;
    const limits = isPurchase ? { maxSellAmount: limit } : { minBuyAmount: limit };
    const input = { ...toVariables(swap), ...limits, idempotencyKey };
    const { trade } = requireSuccess((await run({ input })).trade);
    return {
      id: trade.tradeId,
      status: trade.status,
      sold: format(trade.sold),
      max_sold: format(trade.requested),
      bought: trade.bought ? format(trade.bought) : null,
      min_bought: format(trade.minBought),
      tx_hash: trade.txHash ?? null,
      network: trade.network,
      explorer_url: trade.explorerUrl ?? null,
    };
  },
});
