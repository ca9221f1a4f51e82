/** Amounts in REST requests: a fraction of the smallest unit is rejected before GraphQL, and the error names the parameter. */
import { expect, it } from "vitest";
import { z } from "zod";
import { parseExactJson } from "../../rest-compat/exact-json.ts";
import { readBody, readQuery } from "../../rest-compat/input.ts";
import { checkoutDispatch } from "../../rest-compat/routes/checkout/dispatch.ts";
import { purchaseTokenCreate } from "../../rest-compat/routes/purchase-token.ts";
import { x402Fetch } from "../../rest-compat/routes/x402-fetch.ts";

const readBodyOf = ({ body }: { body: z.ZodType | null }, sent: unknown) => readBody(body ?? z.never(), sent);
const fetchWith = (maxValue: unknown) => readQuery(x402Fetch.query, { url: "https://merchant.example/", maxValue });
const purchaseOf = (amount: unknown) => {
  const body = { merchant_url: "https://merchant.example/", network: "base", max_amount_usd: amount };
  return readBodyOf(purchaseTokenCreate, parseExactJson(JSON.stringify(body)));
};
const dispatchOf = (amount: unknown) =>
  readBodyOf(checkoutDispatch, {
    ...{ merchant_id: "mer_1", items: [{ sku: "socks" }], amount_minor: amount },
    ...{ user_confirmation_text: "Yes", user_approved_at_iso: "2026-11-20T17:29:16Z" },
  });

it.each<[string, (amount: unknown) => unknown, unknown, readonly unknown[]]>([
  ["maxValue", fetchWith, "1", ["0.5", "1.0", "1e3"]],
  ["max_amount_usd", purchaseOf, 0.000001, [0.000_000_1, 5.123_456_7, "0.5"]],
  ["amount_minor", dispatchOf, 1, [12.5, 0.1, "12"]],
])("%s", (field, read, whole, fractions) => {
  expect(() => read(whole)).not.toThrow();
  for (const fraction of fractions) {
    expect(() => read(fraction), String(fraction)).toThrow(expect.objectContaining({ code: "invalid_request", field }));
  }
});
