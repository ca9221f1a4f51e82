/** Parameters and token schema of the trade routes. */
import { z } from "zod";
import { toPlainDecimal } from "../../src/platform/decimal-notation.ts";
import { orMissing } from "../../src/platform/validation.ts";
import { isExactNumber, sourceOf } from "../exact-json.ts";
import { createFailure, RejectedInputError } from "../failure-response.ts";
import type { ErrorCode } from "../generated/graphql.ts";
import { NETWORKS } from "../parameters.ts";

/** Returns the exact plain decimal of a text, or of a JSON number whose source text was preserved; otherwise null. */
function readDecimal(value: unknown): string | null {
  const text = isExactNumber(value) ? sourceOf(value) : value;
  const decimal = typeof text === "string" ? toPlainDecimal(text) : null;
  return decimal?.startsWith("-") ? null : decimal;
}

const decimal = z.unknown().transform((value, context) => {
  const text = readDecimal(value);
  if (text !== null) return text;
  const isMissing = value === undefined || value === null;
  context.addIssue({ code: "custom", message: isMissing ? "is missing" : "must be a decimal number more than 0" });
  return z.NEVER;
});

const AMOUNT = "The amount to sell, in whole tokens; at most as many decimal places as the token has.";

/** The amount in a body, an exact JSON number or the same as text, and in a query string. */
export const sellAmount = decimal.meta({
  anyOf: [{ type: "number", exclusiveMinimum: 0 }, { type: "string" }],
  description: AMOUNT,
});
/** The minimum of the token to buy, in a body. */
export const minBuyAmount = decimal.meta({
  anyOf: [{ type: "number", minimum: 0 }, { type: "string" }],
  description:
    "The minimum of the token to buy, such as `minBuyAmount` of a quote. If the price fell below it, nothing is reserved or signed.",
});
export const sellAmountText = decimal.meta({ type: "string", description: AMOUNT });

/** The slippage: a JSON number in a body, a text in a query string. */
export const slippage = z
  .unknown()
  .transform((value, context) => {
    if (value === undefined || value === null) return null;
    const text = readDecimal(value);
    if (text !== null && /^\d{1,2}(?:\.\d{1,2})?$/.test(text)) return Number(text);
    context.addIssue({ code: "custom", message: "must be a number from 0 to 50 with at most 2 decimals" });
    return z.NEVER;
  })
  .meta({
    ...{ type: "number", minimum: 0, maximum: 50, default: 1 },
    description: "Maximum slippage below the quote, in percent.",
  });

export const token = (description: string) =>
  z
    .string(orMissing("must be a string"))
    .min(1, "is missing")
    .max(100, "is not a token")
    .meta({ description: `${description} A symbol (USDC, ETH, WETH, cbETH, DAI, AERO) or a contract address.` });

export const network = z
  .string("must be a string")
  .max(60, "is not a network")
  .meta({ default: "base", description: "Only `base` is supported." });

/**
 * Returns the network of a trade. The GraphQL type rejects unknown names, which this API reports as unsupported.
 * @throws {RejectedInputError}
 */
export function readTradeNetwork(name: string | null | undefined): string | null {
  if (name === undefined || name === null || NETWORKS.some((known) => known === name)) return name ?? null;
  const message = `network: ${JSON.stringify(name)} does not support trading. Available: base.`;
  throw new RejectedInputError(createFailure("unsupported_network", message, { field: "network" }));
}

export const TokenShape = z.object({ symbol: z.string(), address: z.string(), decimals: z.int() });

export const USDC = { symbol: "USDC", address: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", decimals: 6 };
export const WETH = { symbol: "WETH", address: "0x4200000000000000000000000000000000000006", decimals: 18 };

export const MARKET_ERRORS = [
  "unsupported_token",
  "unsupported_network",
  "rate_limited",
  "trading_not_configured",
  "dex_unavailable",
  "chain_unavailable",
  "network_degraded",
] as const satisfies readonly ErrorCode[];
