import { RateLimitedError } from "../../src/platform/errors.ts";
import { networkOf } from "../../src/platform/http/client-address.ts";
import { KNOWN_TOKENS, listTokens, NATIVE_ADDRESS, type Token, TRADE_NETWORK } from "../../src/trade/tokens.ts";
import { builder } from "../builder.ts";
import { announcingLimits } from "../rate-limit-headers.ts";

export const TradeTokenType = builder.objectRef<Token>("TradeToken").implement({
  description: "A token that can be traded.",
  fields: (t) => ({
    symbol: t.exposeString("symbol", {
      description: "Its symbol. A contract that takes a known token's symbol for itself is shown by its address.",
    }),
    name: t.exposeString("name", { description: "Its name." }),
    address: t.exposeString("address", {
      description: `Its contract; \`${NATIVE_ADDRESS}\` stands for the network's own coin.`,
    }),
    decimals: t.exposeInt("decimals", { description: "How many decimal places one whole has." }),
    isNative: t.exposeBoolean("isNative", { description: "Whether it is the network's own coin." }),
  }),
});

/** A token as a trade's row remembers it. */
export function tokenOfAsset(asset: string, symbol: string, decimals: number): Token {
  const address = asset === "native" ? NATIVE_ADDRESS : (asset as `0x${string}`);
  const known = KNOWN_TOKENS.find((token) => token.address === address);
  return known ?? { symbol, name: symbol, address, decimals, isNative: false };
}

const TradeTokensSuccess = builder.objectRef<readonly Token[]>("TradeTokensSuccess").implement({
  description: "The tokens known by symbol.",
  fields: (t) => ({
    network: t.field({ type: "NetworkName", description: "The network they are on.", resolve: () => TRADE_NETWORK }),
    tokens: t.field({ type: [TradeTokenType], description: "The tokens.", resolve: (tokens) => [...tokens] }),
  }),
});

builder.queryField("tradeTokens", (t) =>
  t.field({
    type: TradeTokensSuccess,
    complexity: { field: 1, multiplier: KNOWN_TOKENS.length },
    description:
      "The tokens that trades know by symbol; any other is traded by its contract's address. Needs no credential. At most 1,000 a minute.",
    errors: {
      types: [RateLimitedError],
      union: { name: "TradeTokensResult", description: "The tokens, or why they were not listed." },
    },
    resolve: (_root, _args, context) => {
      const { viewer, ip } = context;
      return listTokens(announcingLimits(context), viewer?.kind === "account" ? viewer.accountId : networkOf(ip));
    },
  }),
);
