/** Errors of 0x's Swap API v2 by which it refuses a swap (docs.0x.org, "API issues"). Any other error is a failure of 0x. */
import { z } from "zod";
import { DexRefusalError, type DexRefusalReason, TradingNotConfiguredError } from "./dex.ts";

const failure = z.object({
  name: z.string().catch(""),
  data: z
    .object({
      details: z
        .array(z.object({ field: z.string().catch("") }))
        .max(20)
        .catch([]),
    })
    .catch({ details: [] }),
});

type Side = "sellToken" | "buyToken" | null;

const REFUSALS: ReadonlyMap<string, readonly [DexRefusalReason, Side]> = new Map([
  ["SELL_AMOUNT_TOO_SMALL", ["too_little", null]],
  ["BUY_AMOUNT_TOO_SMALL", ["too_little", null]],
  ["INSUFFICIENT_ASSET_LIQUIDITY", ["no_liquidity", null]],
  ["SWAP_VALIDATION_FAILED", ["no_liquidity", null]],
  ["TOKEN_PAIR_NOT_SUPPORTED", ["no_liquidity", null]],
  ["TOKEN_NOT_SUPPORTED", ["unknown_token", null]],
  ["SELL_TOKEN_NOT_AUTHORIZED_FOR_TRADE", ["restricted_token", "sellToken"]],
  ["BUY_TOKEN_NOT_AUTHORIZED_FOR_TRADE", ["restricted_token", "buyToken"]],
  ["INSUFFICIENT_BALANCE", ["insufficient_balance", null]],
  ["INSUFFICIENT_BALANCE_OR_ALLOWANCE", ["insufficient_balance", null]],
  ["TAKER_NOT_AUTHORIZED_FOR_TRADE", ["taker", null]],
  ["RECIPIENT_NOT_SUPPORTED", ["taker", null]],
]);

/** Refusals of `INPUT_INVALID`, by the parameter that it names. Other parameters are not the caller's. */
const INVALID_INPUTS: ReadonlyMap<string, readonly [DexRefusalReason, Side]> = new Map([
  ["sellToken", ["unknown_token", "sellToken"]],
  ["buyToken", ["unknown_token", "buyToken"]],
  ["sellAmount", ["invalid_amount", null]],
  ["buyAmount", ["invalid_amount", null]],
  ["taker", ["taker", null]],
]);

/**
 * Returns the refusal of a response with a status other than 200, or null for a failure that may pass. An invalid API key, which
 * the gateway of 0x reports without a name, is an error of the configuration.
 */
export function readRefusal(status: number, body: unknown): DexRefusalError | TradingNotConfiguredError | null {
  if (status < 400 || status >= 500 || status === 408 || status === 429) return null;
  const { name, data } = failure.safeParse(body).data ?? { name: "", data: { details: [] } };
  if (status === 401 || name === "USER_NOT_AUTHORIZED" || (status === 403 && name === "")) {
    return new TradingNotConfiguredError();
  }
  const field =
    name === "INPUT_INVALID" ? data.details.find((detail) => INVALID_INPUTS.has(detail.field))?.field : null;
  const [reason, side] = (field ? INVALID_INPUTS.get(field) : REFUSALS.get(name)) ?? [];
  return reason === undefined ? null : new DexRefusalError(reason, side);
}
