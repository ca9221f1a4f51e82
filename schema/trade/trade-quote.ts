import type { DexFee, DexFill } from "../../src/trade/dex.ts";
import { quoteTrade, type TradeQuote } from "../../src/trade/quote-trade.ts";
import { ETH, type Token, TRADE_NETWORK } from "../../src/trade/tokens.ts";
import { TokenAmountType } from "../amounts.ts";
import { builder } from "../builder.ts";
import { withRateLimitHeaders } from "../rate-limit-headers.ts";
import { wireEnum } from "../wire-enum.ts";
import { SWAP_FIELDS } from "./trade.ts";
import { QUOTE_ERRORS } from "./trade-errors.ts";
import { TradeTokenType, toTokenAmount } from "./trade-tokens.ts";

const FeeKind = wireEnum("TradeFeeKind", "The kind of a trade fee.", {
  exchange: "The exchange's fee, deducted from the sold or bought amount.",
  integrator: "Satchel's fee, deducted from the sold or bought amount.",
  gas: "The exchange's gas fee, deducted from the sold or bought amount.",
  network: "The network fee, paid in the network's native coin.",
});

const QuoteWarningType = wireEnum("TradeQuoteWarning", "A reason to consider a trade again.", {
  high_price_impact: "The price is at least 5% worse than that of a small amount.",
  token_tax: "The contract of a token deducts a tax.",
  unlisted_token: "A token is not one that trades accept by symbol. Its contract chose symbol and name.",
  insufficient_balance: "The wallet has less of the sold token.",
  not_simulated: "The exchange could not simulate the swap.",
  network_fee_in_usdc:
    "The wallet lacks the native coin. The network fee is paid in USDC, which counts against the limits.",
});

const toPercentage = (bps: number | null) => (bps === null ? null : bps / 100);

interface Fee {
  readonly kind: DexFee["kind"] | "network";
  readonly atomic: bigint;
  readonly address: string;
  /** Null for a token that is neither sold nor bought. */
  readonly token: Token | null;
}

const TradeFeeType = builder.objectRef<Fee>("TradeFee").implement({
  description: "A fee of a trade. The quoted amount already includes all but the network fee.",
  fields: (t) => ({
    kind: t.expose("kind", { type: FeeKind, description: "The kind of fee." }),
    token: t.exposeString("address", { description: "The address of the token the fee is paid in." }),
    amountAtomic: t.expose("atomic", {
      type: "AtomicAmount",
      description: "The amount in the token's smallest unit.",
    }),
    amount: t.field({
      type: TokenAmountType,
      nullable: true,
      description: "The amount. Null for a token that is neither sold nor bought: its decimal places are unknown.",
      resolve: ({ token, atomic }) => token && toTokenAmount(token, TRADE_NETWORK, atomic),
    }),
  }),
});

const TradeFillType = builder.objectRef<DexFill>("TradeFill").implement({
  description: "A part of a trade's route.",
  fields: (t) => ({
    source: t.exposeString("source", { description: "The name of the liquidity source." }),
    percentage: t.float({
      description: "The share of the trade in percent.",
      resolve: ({ proportionBps }) => proportionBps / 100,
    }),
  }),
});

const TradeQuoteSuccess = builder.objectRef<TradeQuote>("TradeQuoteSuccess").implement({
  description: "An indicative price of a trade. The trade itself requests a new quote.",
  fields: (t) => ({
    network: t.expose("network", { type: "NetworkName", description: "The network of the trade." }),
    sellToken: t.expose("sell", { type: TradeTokenType, description: "The token to sell." }),
    buyToken: t.expose("buy", { type: TradeTokenType, description: "The token to buy." }),
    sold: t.field({
      type: TokenAmountType,
      description: "The amount to sell. For a stated amount to buy, the quoted amount.",
      resolve: ({ sell, network, sellAtomic }) => toTokenAmount(sell, network, sellAtomic),
    }),
    maxSold: t.field({
      type: TokenAmountType,
      description:
        "The maximum amount to sell, which a trade reserves. For a stated amount to buy, the quoted amount plus the slippage tolerance. Otherwise the amount to sell.",
      resolve: ({ sell, network, maxSellAtomic }) => toTokenAmount(sell, network, maxSellAtomic),
    }),
    quoted: t.field({
      type: TokenAmountType,
      description: "The quoted amount to buy.",
      resolve: ({ buy, network, buyAtomic }) => toTokenAmount(buy, network, buyAtomic),
    }),
    minBought: t.field({
      type: TokenAmountType,
      description: "The minimum amount to buy: the stated amount, or the quoted amount less the slippage tolerance.",
      resolve: ({ buy, network, minBuyAtomic }) => toTokenAmount(buy, network, minBuyAtomic),
    }),
    price: t.expose("price", { type: "Decimal", description: "The price of one sold token in bought tokens." }),
    slippagePercentage: t.float({
      description: "The slippage tolerance in percent of the quoted amount.",
      resolve: ({ slippageBps }) => slippageBps / 100,
    }),
    fees: t.field({ type: [TradeFeeType], description: "The fees of the trade.", resolve: feesOf }),
    route: t.field({
      type: [TradeFillType],
      description: "The liquidity sources of the trade.",
      resolve: ({ route }) => [...route],
    }),
    priceImpactPercentage: t.float({
      nullable: true,
      description:
        "How much worse the price is than that of a thousandth of the amount, in percent. Null if that cannot be compared.",
      resolve: ({ priceImpactBps }) => toPercentage(priceImpactBps),
    }),
    sellTaxPercentage: t.float({
      nullable: true,
      description:
        "The tax that the sold token's contract deducts, in percent. Null if the exchange does not state it.",
      resolve: ({ sellTaxBps }) => toPercentage(sellTaxBps),
    }),
    buyTaxPercentage: t.float({
      nullable: true,
      description:
        "The tax that the bought token's contract deducts, in percent. Null if the exchange does not state it.",
      resolve: ({ buyTaxBps }) => toPercentage(buyTaxBps),
    }),
    warnings: t.field({
      type: [QuoteWarningType],
      description: "What to consider before the trade.",
      resolve: ({ warnings }) => [...warnings],
    }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Timestamp when the quote becomes stale." }),
  }),
});

builder.queryField("tradeQuote", (t) =>
  t.field({
    type: TradeQuoteSuccess,
    complexity: 20,
    authScopes: { account: true },
    description: "The current price of a trade. Nothing is reserved. At most 1,000 requests per minute.",
    errors: {
      types: QUOTE_ERRORS,
      union: { name: "TradeQuoteResult", description: "The quote, or the error." },
    },
    args: {
      sellToken: t.arg.string(SWAP_FIELDS.sellToken),
      buyToken: t.arg.string(SWAP_FIELDS.buyToken),
      sellAmount: t.arg(SWAP_FIELDS.sellAmount),
      sellAll: t.arg.boolean(SWAP_FIELDS.sellAll),
      buyAmount: t.arg(SWAP_FIELDS.buyAmount),
      slippagePercentage: t.arg.float(SWAP_FIELDS.slippagePercentage),
      network: t.arg(SWAP_FIELDS.network),
    },
    resolve: (_root, { slippagePercentage, network, sellAmount, sellAll, buyAmount, ...swap }, context) =>
      quoteTrade(withRateLimitHeaders(context), context.viewer, {
        ...swap,
        sellAmount: sellAmount ?? null,
        sellAll: sellAll ?? false,
        buyAmount: buyAmount ?? null,
        slippagePercentage: slippagePercentage ?? null,
        network: network ?? null,
      }),
  }),
);

function feesOf({ sell, buy, fees, networkFeeWei }: TradeQuote): Fee[] {
  const tokens = [sell, buy];
  const own = fees.map(({ kind, amountAtomic, token: address }) => {
    const token = tokens.find((known) => known.address.toLowerCase() === address.toLowerCase()) ?? null;
    return { kind, atomic: amountAtomic, address: token?.address ?? address, token };
  });
  if (networkFeeWei === null) return own;
  return [...own, { kind: "network", atomic: networkFeeWei, address: ETH.address, token: ETH }];
}
