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
  summary: "Fetch a URL and pay if required",
  description:
    "Calls the target. If it responds with 402, Satchel pays within all limits and repeats the call. The target's final status, headers and body are returned unchanged and streamed. After a payment the response has `X-Satchel-Payment-Id` and `X-Satchel-Amount-Paid`: US dollars, for `upto` the maximum charge. Free credit pays if it covers the whole amount. An `upto` offer of X402 version 1 is a permit, which the wallet pays, never free credit.",
  movesMoney: true,
  query: z.object({
    url: z
      .string("is missing")
      .max(8_192, "must have at most 8192 characters")
      .meta({ format: "uri", description: "The URL of the target, percent-encoded." }),
    method: oneOf(["GET", "POST", "PUT", "DELETE", "PATCH"], "The HTTP method of the call to the target.")
      .meta({ default: "GET" })
      .optional(),
    maxValue: atomicAmount(
      "Maximum payment in the asset's smallest unit; default: only the token's limits apply.",
    ).optional(),
    timeout: wholeNumber(
      { min: 1, max: MAX_TIMEOUT_MS, default: DEFAULT_TIMEOUT_MS },
      "Timeout of the target, in milliseconds.",
    ).optional(),
  }),
  body: z
    .looseObject({})
    .meta({ description: "Any JSON object of at most 10 MiB; forwarded to the target unchanged." }),
  document: X402FetchDocument,
  variables: ({ query: { url, method, maxValue, timeout } }) => ({
    input: {
      url,
      method: method ?? "GET",
      maxValue: maxValue ?? null,
      timeoutMs: timeout ?? DEFAULT_TIMEOUT_MS,
    },
  }),
  fieldNames: { idempotencyKey: "Idempotency-Key", timeoutMs: "timeout" },
  toResponse: ({ x402Fetch: result }) => result,
  success: {
    description: "The target's final response, with its status and content type.",
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
