import { z } from "zod";
import { TradeTokensDocument } from "../generated/graphql.ts";
import { defineRoute } from "../route.ts";
import { TokenShape, USDC } from "./trade-parameters.ts";

export const tradeTokens = defineRoute({
  method: "GET",
  path: "/api/trade/tokens",
  dialect: "native",
  summary: "List tokens",
  description:
    "Returns the tokens that can be traded by symbol; any other ERC-20 token of the network is traded by its contract address. Requires no credential. Rate limit: 1,000 per minute, reported in `RateLimit-*` headers.",
  authentication: "none",
  movesMoney: false,
  announcesLimit: true,
  query: z.object({}),
  body: null,
  document: TradeTokensDocument,
  variables: () => ({}),
  fieldNames: {},
  toResponse({ tradeTokens: result }) {
    if (result.__typename !== "TradeTokensSuccess") return result;
    return { network: result.network, tokens: result.tokens };
  },
  success: {
    description: "The tokens.",
    schema: z.object({
      network: z.string(),
      tokens: z.array(TokenShape.extend({ name: z.string(), isNative: z.boolean() })),
    }),
    example: {
      network: "base",
      tokens: [
        { ...USDC, name: "USD Coin", isNative: false },
        {
          symbol: "ETH",
          name: "Ether",
          address: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE",
          decimals: 18,
          isNative: true,
        },
      ],
    },
  },
  errors: ["rate_limited"],
});
