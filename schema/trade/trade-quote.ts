import { formatDecimal } from "../../src/platform/money.ts";
import type { DexFee, DexFill } from "../../src/trade/dex.ts";
import { quoteTrade, type TradeQuote } from "../../src/trade/quote-trade.ts";
import { ETH } from "../../src/trade/tokens.ts";
import { builder } from "../builder.ts";
import { announcingLimits } from "../rate-limit-headers.ts";
import { SWAP_FIELDS } from "./trade.ts";
import { QUOTE_ERRORS } from "./trade-errors.ts";
import { TradeTokenType } from "./trade-tokens.ts";

const FeeKind = builder.enumType("TradeFeeKind", {
  description: "What a fee of a trade is for.",
  values: {
    exchange: { description: "The exchange's own, taken from what is bought or sold." },
    integrator: { description: "This service's, taken from what is bought or sold." },
    gas: { description: "The exchange's for gas, taken from what is bought or sold." },
    network: { description: "The network's, paid in its own coin." },
  },
});

interface Fee {
  readonly kind: DexFee["kind"] | "network";
  readonly amountAtomic: bigint;
  readonly token: string;
  /** Null for a token that is neither sold nor bought. */
  readonly decimals: number | null;
}

const TradeFeeType = builder.objectRef<Fee>("TradeFee").implement({
  description: "A fee of a trade. Those of the exchange are in the quoted amount already.",
  fields: (t) => ({
    kind: t.expose("kind", { type: FeeKind, description: "What it is for." }),
    token: t.exposeString("token", { description: "The address of the token it is paid in." }),
    amountAtomic: t.expose("amountAtomic", { type: "AtomicAmount", description: "How much, in the smallest unit." }),
    amount: t.string({
      nullable: true,
      description: "The same as a decimal; null for a token that is neither sold nor bought.",
      resolve: ({ amountAtomic, decimals }) => (decimals === null ? null : formatDecimal(amountAtomic, decimals)),
    }),
  }),
});

const TradeFillType = builder.objectRef<DexFill>("TradeFill").implement({
  description: "A part of the way that a trade takes.",
  fields: (t) => ({
    source: t.exposeString("source", { description: "Who exchanges it." }),
    percentage: t.float({
      description: "How much of the trade.",
      resolve: ({ proportionBps }) => proportionBps / 100,
    }),
  }),
});

const TradeQuoteSuccess = builder.objectRef<TradeQuote>("TradeQuoteSuccess").implement({
  description: "What a trade would bring now. A preview: the trade itself asks again.",
  fields: (t) => ({
    network: t.expose("network", { type: "NetworkName", description: "The network." }),
    sellToken: t.expose("sell", { type: TradeTokenType, description: "What would be sold." }),
    buyToken: t.expose("buy", { type: TradeTokenType, description: "What would be bought." }),
    sellAmount: t.string({
      description: "How much would be sold, as a decimal.",
      resolve: ({ sellAtomic, sell }) => formatDecimal(sellAtomic, sell.decimals),
    }),
    buyAmount: t.string({
      description: "What it would bring, as a decimal.",
      resolve: ({ buyAtomic, buy }) => formatDecimal(buyAtomic, buy.decimals),
    }),
    minBuyAmount: t.string({
      description: "The least that would be accepted, as a decimal.",
      resolve: ({ minBuyAtomic, buy }) => formatDecimal(minBuyAtomic, buy.decimals),
    }),
    price: t.exposeString("price", { description: "Whole bought tokens for one whole sold, as a decimal." }),
    slippagePercentage: t.float({
      description: "How far below the quote the price may move.",
      resolve: ({ slippageBps }) => slippageBps / 100,
    }),
    fees: t.field({ type: [TradeFeeType], description: "What it costs.", resolve: feesOf }),
    route: t.field({ type: [TradeFillType], description: "The way it takes.", resolve: ({ route }) => [...route] }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "When the preview says little any more." }),
  }),
});

builder.queryField("tradeQuote", (t) =>
  t.field({
    type: TradeQuoteSuccess,
    complexity: 20,
    authScopes: { account: true },
    description: "What a trade would bring now. At most 1,000 a minute.",
    errors: {
      types: QUOTE_ERRORS,
      union: { name: "TradeQuoteResult", description: "The preview, or why there is none." },
    },
    args: {
      sellToken: t.arg.string(SWAP_FIELDS.sellToken),
      buyToken: t.arg.string(SWAP_FIELDS.buyToken),
      sellAmount: t.arg.string(SWAP_FIELDS.sellAmount),
      slippagePercentage: t.arg.float(SWAP_FIELDS.slippagePercentage),
      network: t.arg.string(SWAP_FIELDS.network),
    },
    resolve: (_root, { slippagePercentage, network, ...swap }, context) =>
      quoteTrade(announcingLimits(context), context.viewer, {
        ...swap,
        slippagePercentage: slippagePercentage ?? null,
        network: network ?? null,
      }),
  }),
);

function feesOf({ sell, buy, fees, networkFeeWei }: TradeQuote): Fee[] {
  const tokens = [sell, buy];
  const own = fees.map((fee) => {
    const token = tokens.find(({ address }) => address.toLowerCase() === fee.token.toLowerCase());
    return { ...fee, token: token?.address ?? fee.token, decimals: token?.decimals ?? null };
  });
  if (networkFeeWei === null) return own;
  return [...own, { kind: "network", amountAtomic: networkFeeWei, token: ETH.address, decimals: ETH.decimals }];
}
