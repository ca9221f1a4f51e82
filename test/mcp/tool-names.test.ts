/** Failures in the names of tools. */
import { expect, it } from "vitest";
import { nextStepOf } from "../../mcp/next-steps.ts";
import { ToolError } from "../../mcp/tool-error.ts";
import { inToolNames } from "../../mcp/tool-names.ts";
import { TOOLS } from "../../mcp/tools.ts";
import { ERROR_CODES } from "../../src/platform/error-codes.ts";
import { CATALOG } from "./catalog.ts";

const convert = (tool: string, field: string | null, message: string, details: object = {}) => {
  const entry = CATALOG.find((one) => one.tool.name === tool);
  if (!entry) throw new Error(`No tool ${tool}.`);
  const error = new ToolError({ code: "invalid_request", message, field }, details as never);
  const { failure, details: converted } = inToolNames(error, entry.inputSchema);
  return [failure.field, failure.message, converted];
};

it.each(ERROR_CODES)("the next step of %s names nothing of REST or GraphQL", (code) => {
  const step = nextStepOf(code);
  expect(step).not.toMatch(/\b[a-z]+[A-Z]\w*|(?:GET|POST) \/|Idempotency-Key|`x-|Nothing was|No payment/);
  for (const [name] of step.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)) {
    const isKnown =
      TOOLS.some(({ name: tool }) => tool === name) ||
      JSON.stringify(CATALOG.map(({ inputSchema }) => inputSchema)).includes(`"${name}"`);
    expect(isKnown || ["retry_after_seconds", "request_id"].includes(name), name).toBe(true);
  }
});

it.each([
  ["list_orders", "after", "after refers to a deleted item.", "cursor", "cursor refers to a deleted item."],
  ["list_models", "first", "first must be at most 50.", "limit", "limit must be at most 50."],
  ["execute_trade", "buyToken", "buyToken is unknown.", "buy_token", "buy_token is unknown."],
  ["fetch_paid_url", "maxValue", "maxValue is too low.", "max_usd", "max_usd is too low."],
  [
    "quote_cart",
    "input.shipTo.postalCode",
    "shipTo.postalCode is bad.",
    "ship_to.postal_code",
    "ship_to.postal_code is bad.",
  ],
  ["quote_cart", "items[0].sku", "items[0].sku is bad.", "items[0].sku", "items[0].sku is bad."],
  ["execute_trade", "idempotencyKey", "This Idempotency-Key was used.", "quote_id", "This quote_id was used."],
  ["chat", "idempotencyKey", "This Idempotency-Key was used.", "idempotency_key", "This idempotency_key was used."],
  ["chat", "model", "GET /v1/models lists them.", "model", "list_models lists them."],
  ["get_wallet", "userPrompt", "userPrompt is bad.", null, "userPrompt is bad."],
])("%s: %s", (tool, field, message, expectedField, expectedMessage) => {
  expect(convert(tool, field, message)).toEqual([expectedField, expectedMessage, {}]);
});

it("converts the detail of an address, and the names of members", () => {
  const details = { detail: "postalCode", requiredUsd: "1", nearest: [{ unitPrice: "2" }] };
  expect(convert("quote_cart", null, "shipTo.postalCode is missing.", details)).toEqual([
    "ship_to.postal_code",
    "ship_to.postal_code is missing.",
    { required_usd: "1", nearest: [{ unit_price: "2" }] },
  ]);
});
