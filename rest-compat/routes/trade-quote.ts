import { z } from "zod";
import { TradeQuoteDocument } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";
import { formatTokenAmount } from "../token-amount.ts";
import {
  MARKET_ERRORS,
  network,
  readTradeNetwork,
  sellAmountText,
  slippage,
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
    "Returns the current result of a swap. The quote reserves and guarantees nothing; the trade requests its own quote. Rate limit: 1,000 per minute, reported in `RateLimit-*` headers.",
  movesMoney: false,
  limit: "trade-quote",
  announcesLimit: true,
  query: z.object({
    sellToken: token("The token to sell."),
    buyToken: token("The token to buy."),
    sellAmount: sellAmountText,
    slippagePercentage: slippage.optional(),
    network: network.optional(),
  }),
  body: null,
  document: TradeQuoteDocument,
  variables: ({ query }) => ({
    sellToken: query.sellToken,
    buyToken: query.buyToken,
    sellAmount: query.sellAmount,
    slippagePercentage: query.slippagePercentage ?? null,
    network: readTradeNetwork(query.network),
  }),
  fieldNames: {},
  toResponse({ tradeQuote: result }) {
    if (result.__typename !== "TradeQuoteSuccess") return result;
    const { sellToken, buyToken, sold, quoted, minBought, fees, ...rest } = result;
    return {
      sellToken,
      buyToken,
      sellAmount: formatTokenAmount(sold),
      buyAmount: formatTokenAmount(quoted),
      minBuyAmount: formatTokenAmount(minBought),
      price: rest.price,
      slippagePercentage: rest.slippagePercentage,
      priceImpactPercentage: rest.priceImpactPercentage,
      sellTaxPercentage: rest.sellTaxPercentage,
      buyTaxPercentage: rest.buyTaxPercentage,
      warnings: rest.warnings,
      route: rest.route,
      network: rest.network,
      expiresAt: rest.expiresAt,
      fees: fees.map(({ kind, amount, amountAtomic, token: address }) => ({
        type: kind,
        amount: amount && formatTokenAmount(amount),
        amountAtomic,
        token: address,
      })),
    };
  },
  success: {
    description: "The quote.",
    schema: z.object({
      sellToken: TokenShape,
      buyToken: TokenShape,
      sellAmount: z.string().meta({ description: "The amount to sell, as a decimal." }),
      buyAmount: z.string().meta({ description: "The expected amount of bought tokens, as a decimal." }),
      minBuyAmount: z.string().meta({ description: "The minimum accepted amount of bought tokens, as a decimal." }),
      price: z.string().meta({ description: "Bought tokens per sold token, both in whole tokens." }),
      slippagePercentage: z.number(),
      priceImpactPercentage: z.number().nullable().meta({
        description: "How much worse the price is than that of a thousandth of the amount, in percent.",
      }),
      sellTaxPercentage: z.number().nullable().meta({ description: "Tax of the sold token's contract, in percent." }),
      buyTaxPercentage: z.number().nullable().meta({ description: "Tax of the bought token's contract, in percent." }),
      warnings: z.array(z.string()).meta({
        description:
          "`high_price_impact`, `token_tax`, `unlisted_token`, `insufficient_balance`, `not_simulated`, `network_fee_in_usdc`.",
      }),
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
      priceImpactPercentage: 0.01,
      sellTaxPercentage: 0,
      buyTaxPercentage: 0,
      warnings: [],
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
