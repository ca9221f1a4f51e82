/** What the trade routes take, and how they write tokens. */
import { z } from "zod";
import { orMissing } from "../../src/platform/validation.ts";
import { isWrittenNumber, plainDecimalOf } from "../exact-json.ts";
import type { ErrorCode } from "../generated/graphql.ts";

const DECIMAL = /^\d{1,60}(?:\.\d{1,60})?$/;
const NOT_POSITIVE = "must be a decimal number more than 0";

/** A text as the caller wrote it, or a JSON number of a body that keeps its numbers' text; answers the plain decimal. */
function plainDecimal(value: unknown): string | null {
  if (isWrittenNumber(value)) return plainDecimalOf(value);
  return typeof value === "string" ? value : null;
}

const decimal = z.unknown().transform((value, context) => {
  const text = plainDecimal(value);
  if (text !== null && DECIMAL.test(text)) return text;
  context.addIssue({ code: "custom", message: value === undefined || value === null ? "is missing" : NOT_POSITIVE });
  return z.NEVER;
});

const AMOUNT = "How much to sell, in whole tokens; no more decimals than the token has.";

/** In a body: a JSON number, exact to its last digit, or a decimal as text. */
export const sellAmount = decimal.meta({
  anyOf: [{ type: "number", exclusiveMinimum: 0 }, { type: "string" }],
  description: AMOUNT,
});

/** In a query string. */
export const sellAmountText = z.string("is missing").regex(DECIMAL, NOT_POSITIVE).meta({ description: AMOUNT });

const PERCENT = "must be a number from 0 to 50 with at most 2 decimals";
const SLIPPAGE = { minimum: 0, maximum: 50, default: 1, description: "How far below the quote the price may move." };

/** In a body: a JSON number. */
export const slippage = z
  .unknown()
  .transform((value, context) => {
    if (value === undefined || value === null) return null;
    const text = isWrittenNumber(value) ? plainDecimalOf(value) : null;
    if (text !== null && DECIMAL.test(text)) return Number(text);
    context.addIssue({ code: "custom", message: PERCENT });
    return z.NEVER;
  })
  .meta({ type: "number", ...SLIPPAGE });

/** In a query string. */
export const slippageText = z
  .string()
  .regex(/^\d{1,3}(?:\.\d{1,10})?$/, PERCENT)
  .transform(Number)
  .meta({ type: "number", ...SLIPPAGE });

export const token = (description: string) =>
  z
    .string(orMissing("must be a string"))
    .min(1, "is missing")
    .max(100, "is no token")
    .meta({ description: `${description} A symbol (USDC, ETH, WETH, cbETH, DAI, AERO) or a contract's address.` });

export const network = z
  .string("must be a string")
  .max(60, "is no network")
  .meta({ default: "base", description: "Only `base` is supported." });

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
] as const satisfies readonly ErrorCode[];
