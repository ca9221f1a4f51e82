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

const AMOUNT = z.object({ amount: z.string(), currency: z.string() });
const TOKEN = z.string().min(1).max(100).meta({ description: "Symbol or contract address." });

const SWAP = {
  sell_token: TOKEN,
  buy_token: TOKEN,
  sell_amount: z
    .string()
    .regex(/^\d{1,60}(?:\.\d{1,60})?$/, 'must be a decimal string such as "12.5"')
    .meta({ description: 'In whole tokens, such as "12.5".' }),
  slippage_percentage: z.number().min(0).max(50).optional().meta({ description: "Default 1." }),
  network: NETWORK.optional(),
};
const SwapObject = z.strictObject(SWAP);
type Swap = z.output<typeof SwapObject>;

/** Returns what a `quote_id` is bound to. */
function termsOf({ sell_token, buy_token, sell_amount, slippage_percentage, network }: Swap): HandleTerms {
  const terms = [sell_token, buy_token, sell_amount, slippage_percentage ?? null, network ?? null];
  return { tool: "execute_trade", arguments: terms, field: "quote_id" };
}

function toVariables({ sell_token, buy_token, sell_amount, slippage_percentage, network }: Swap) {
  return {
    sellToken: sell_token,
    buyToken: buy_token,
    sellAmount: sell_amount,
    slippagePercentage: slippage_percentage ?? null,
    network: network ?? null,
  };
}

const format = ({ amount, symbol }: ToolTokenAmountFragment) => ({ amount, currency: symbol });

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
  description: "Returns what a swap buys now, and a quote_id with which execute_trade makes the swap once.",
  group: "trade",
  effect: "none",
  isIdempotent: true,
  isOpenWorld: true,
  input: SwapObject,
  output: z.object({
    sold: AMOUNT,
    bought: AMOUNT,
    min_bought: AMOUNT,
    price: z.string(),
    slippage_percentage: z.number(),
    fees: z.array(z.object({ kind: z.string(), amount: AMOUNT.nullable() })),
    network: z.string(),
    quote_id: z.string(),
    expires_at: z.string().meta({ description: "execute_trade gets a new price after this time." }),
  }),
  document: QuoteTradeDocument,
  async call(swap, { run, handles }) {
    const quote = requireSuccess((await run(toVariables(swap))).tradeQuote);
    return {
      sold: format(quote.sold),
      bought: format(quote.quoted),
      min_bought: format(quote.minBought),
      price: quote.price,
      slippage_percentage: quote.slippagePercentage,
      fees: quote.fees.map(({ kind, amount }) => ({ kind, amount: amount ? format(amount) : null })),
      network: quote.network,
      quote_id: await handles.create(termsOf(swap)),
      expires_at: quote.expiresAt,
    };
  },
});

export const executeTrade = defineTool({
  name: "execute_trade",
  title: "Execute trade",
  description:
    "Swaps tokens within the limits, with the quote_id and the arguments of quote_trade. Repeated calls with one quote_id swap once. The swap uses the price at its time, within the slippage.",
  group: "trade",
  effect: "spends",
  isIdempotent: true,
  isOpenWorld: true,
  input: z.strictObject({ ...SWAP, quote_id: z.string().max(200) }),
  output: z.object({
    id: z.string(),
    status: z.string(),
    sold: AMOUNT,
    bought: AMOUNT.nullable().meta({ description: "Null until the trade has settled." }),
    min_bought: AMOUNT,
    tx_hash: z.string().nullable(),
    network: z.string(),
    explorer_url: z.string().nullable(),
  }),
  document: ExecuteTradeDocument,
  async call({ quote_id, ...swap }, { run, handles }) {
    const { idempotencyKey } = await handles.open(quote_id, termsOf(swap));
    const { trade } = requireSuccess((await run({ input: { ...toVariables(swap), idempotencyKey } })).trade);
    return {
      id: trade.tradeId,
      status: trade.status,
      sold: format(trade.sold),
      bought: trade.bought ? format(trade.bought) : null,
      min_bought: format(trade.minBought),
      tx_hash: trade.txHash ?? null,
      network: trade.network,
      explorer_url: trade.explorerUrl ?? null,
    };
  },
});
