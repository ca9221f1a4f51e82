import { RateLimitedError } from "../../src/platform/errors.ts";
import { networkOf } from "../../src/platform/http/client-address.ts";
import {
  assetOf,
  KNOWN_TOKENS,
  listTokens,
  NATIVE_ADDRESS,
  type Token,
  TRADE_NETWORK,
} from "../../src/trade/tokens.ts";
import type { TokenAmount } from "../amounts.ts";
import { builder } from "../builder.ts";
import { withRateLimitHeaders } from "../rate-limit-headers.ts";

export const TradeTokenType = builder.objectRef<Token>("TradeToken").implement({
  description: "A token that can be traded.",
  fields: (t) => ({
    symbol: t.exposeString("symbol", {
      description: "The symbol of the token, or its address if the contract reuses the symbol of a known token.",
    }),
    name: t.exposeString("name", { description: "The name of the token." }),
    address: t.exposeString("address", {
      description: `The contract address; \`${NATIVE_ADDRESS}\` for the network's native coin.`,
    }),
    decimals: t.exposeInt("decimals", { description: "The number of decimal places." }),
    isNative: t.exposeBoolean("isNative", { description: "Whether the token is the network's native coin." }),
  }),
});

/** Returns the token stored in a trade's row. */
export function tokenOfAsset(asset: string, symbol: string, decimals: number): Token {
  const address = asset === "native" ? NATIVE_ADDRESS : (asset as `0x${string}`);
  const known = KNOWN_TOKENS.find((token) => token.address === address);
  return known ?? { symbol, name: symbol, address, decimals, isNative: false };
}

/** Returns an amount of a token on a network. */
export function toTokenAmount(token: Token, network: string, atomic: bigint): TokenAmount {
  return { atomic, decimals: token.decimals, symbol: token.symbol, asset: assetOf(token), network };
}

const TradeTokensSuccess = builder.objectRef<readonly Token[]>("TradeTokensSuccess").implement({
  description: "The tokens that trades accept by symbol.",
  fields: (t) => ({
    network: t.field({
      type: "NetworkName",
      description: "The network of the tokens.",
      resolve: () => TRADE_NETWORK,
    }),
    tokens: t.field({ type: [TradeTokenType], description: "The tokens.", resolve: (tokens) => [...tokens] }),
  }),
});

builder.queryField("tradeTokens", (t) =>
  t.field({
    type: TradeTokensSuccess,
    complexity: { field: 1, multiplier: KNOWN_TOKENS.length },
    description:
      "The tokens that trades accept by symbol. Any other token is traded by its contract address. Requires no credential. At most 1,000 requests per minute.",
    errors: {
      types: [RateLimitedError],
      union: { name: "TradeTokensResult", description: "The tokens, or the error." },
    },
    resolve: (_root, _args, context) => {
      const { viewer, ip } = context;
      return listTokens(withRateLimitHeaders(context), viewer?.kind === "account" ? viewer.accountId : networkOf(ip));
    },
  }),
);
