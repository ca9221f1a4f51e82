import { z } from "zod";
import { X402FetchDocument } from "../generated/graphql.ts";
import { atomicAmount, oneOf, wholeNumber } from "../parameters.ts";
import { defineRoute } from "../route.ts";
import { PAYMENT_ERRORS } from "./payment-errors.ts";

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_TIMEOUT_MS = 120_000;

export const x402Fetch = defineRoute({
  method: "POST",
  path: "/api/x402/fetch",
  dialect: "proxy",
  summary: "Fetch, and pay if asked to",
  description:
    "Calls the target; if it answers 402, pays within every limit and calls it again. The target's final status, headers and body come back unchanged and streamed, with `X-Satchel-Payment-Id` and `X-Satchel-Amount-Paid` when a payment was made: US dollars, and for `upto` the most that may be charged. Free credit pays while it covers the whole amount, but never an offer `upto` of X402 version 1, which is a permit: the wallet pays that.",
  scope: "payments:sign",
  movesMoney: true,
  // Strict: a target's own parameters that were cut off, or a cap under another name, would pay for something else.
  query: z.strictObject({
    url: z
      .string("is missing")
      .max(8_192, "may have at most 8192 characters")
      .meta({ format: "uri", description: "The target, percent-encoded." }),
    method: oneOf(["GET", "POST", "PUT", "DELETE", "PATCH"], "The method used toward the target.")
      .meta({ default: "GET" })
      .optional(),
    maxValue: atomicAmount(
      "The most to pay, in the asset's smallest unit; default: the token's limits alone.",
    ).optional(),
    timeout: wholeNumber(
      { min: 1, max: MAX_TIMEOUT_MS, default: DEFAULT_TIMEOUT_MS },
      "How long the target may take, in milliseconds.",
    ).optional(),
  }),
  body: z.looseObject({}).meta({ description: "Any JSON object of at most 10 MiB; forwarded to the target as it is." }),
  document: X402FetchDocument,
  variables: ({ query: { url, method, maxValue, timeout } }) => ({
    input: {
      url,
      method: method ?? "GET",
      maxValue: maxValue ?? null,
      timeout: timeout ?? DEFAULT_TIMEOUT_MS,
    },
  }),
  fieldNames: { idempotencyKey: "Idempotency-Key" },
  answer: ({ x402Fetch: result }) => result,
  success: {
    description: "The target's final answer, with the target's own status and content type.",
    schema: z.unknown(),
    example: { report: "…" },
  },
  errors: [
    ...PAYMENT_ERRORS,
    "purchase_token_used",
    "max_value_exceeded",
    "url_not_allowed",
    "payload_too_large",
    "target_unreachable",
    "target_timeout",
    "target_response_invalid",
  ],
});
