import { z } from "zod";
import { TradeQuoteDocument } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";
import {
  MARKET_ERRORS,
  network,
  sellAmountText,
  slippageText,
  TokenShape,
  token,
  USDC,
  WETH,
} from "./trade-parameters.ts";

export const tradeQuote = defineRoute({
  method: "GET",
  path: "/api/trade/quote",
  dialect: "native",
  summary: "Preview a swap",
  description:
    "What a trade would bring now. Nothing is reserved or promised: the trade itself asks again. At most 1,000 a minute; `RateLimit-*` headers say how many are left.",
  scope: null,
  movesMoney: false,
  limit: "trade-quote",
  announcesLimit: true,
  query: z.object({
    sellToken: token("What to sell."),
    buyToken: token("What to buy."),
    sellAmount: sellAmountText,
    slippagePercentage: slippageText.optional(),
    network: network.optional(),
  }),
  body: null,
  document: TradeQuoteDocument,
  variables: ({ query }) => ({
    sellToken: query.sellToken,
    buyToken: query.buyToken,
    sellAmount: query.sellAmount,
    slippagePercentage: query.slippagePercentage ?? null,
    network: query.network ?? null,
  }),
  fieldNames: {},
  answer({ tradeQuote: result }) {
    if (result.__typename !== "TradeQuoteSuccess") return result;
    const { __typename, fees, ...quote } = result;
    const written = fees.map(({ kind, ...fee }) => ({ type: kind, ...fee }));
    return { ...quote, fees: written };
  },
  success: {
    description: "The preview.",
    schema: z.object({
      sellToken: TokenShape,
      buyToken: TokenShape,
      sellAmount: z.string().meta({ description: "A decimal." }),
      buyAmount: z.string().meta({ description: "What it would bring; a decimal." }),
      minBuyAmount: z.string().meta({ description: "The least that would be accepted; a decimal." }),
      price: z.string().meta({ description: "Whole bought tokens for one whole sold." }),
      slippagePercentage: z.number(),
      fees: z.array(
        z.object({
          type: z.enum(["exchange", "integrator", "gas", "network"]),
          amount: z.string().nullable(),
          amountAtomic: z.string(),
          token: z.string(),
        }),
      ),
      route: z.array(z.object({ source: z.string(), percentage: z.number() })),
      network: z.string(),
      expiresAt: z.iso.datetime(),
    }),
    example: {
      sellToken: USDC,
      buyToken: WETH,
      sellAmount: "25",
      buyAmount: "0.008329",
      minBuyAmount: "0.00824571",
      price: "0.00033316",
      slippagePercentage: 1,
      fees: [
        {
          type: "network",
          amount: "0.0000021",
          amountAtomic: "2100000000000",
          token: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE",
        },
      ],
      route: [{ source: "Uniswap_V3", percentage: 100 }],
      network: "base",
      expiresAt: "2026-11-20T17:29:46.000Z",
    },
  },
  errors: MARKET_ERRORS,
});
