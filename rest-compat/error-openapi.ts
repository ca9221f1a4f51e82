/** Failures as OpenAPI describes them: which come with which status, and what their bodies hold. */
import { CHECKOUT_FIGURES } from "./checkout-figures.ts";
import { type DescribedCode, described, type MeaningOf } from "./described-codes.ts";
import type { ErrorCode } from "./generated/graphql.ts";
import { headersOf } from "./header-openapi.ts";
import { jsonSchema } from "./json-schema.ts";
import { byStatus, COMMON_ERRORS, isErrorCode } from "./status.ts";

type Json = Record<string, unknown>;

/** The failures of a route by status, with those that all routes have. */
export function errorsByStatus(
  route: { readonly errors: readonly ErrorCode[]; readonly body: unknown },
  meaningOf: MeaningOf,
): Map<number, DescribedCode[]> {
  const codes = [...new Set([...COMMON_ERRORS, ...route.errors])].filter(
    (code) => code !== "payload_too_large" || route.body !== null,
  );
  const rows = [...byStatus(codes)];
  return new Map(rows.map(([status, own]) => [status, own.map((code) => ({ code, meaning: meaningOf(code) }))]));
}

/** A route's `responses` that are failures, by status. */
export function failureResponses(
  route: { readonly announcesLimit?: boolean },
  errors: ReadonlyMap<number, readonly DescribedCode[]>,
): Json {
  return Object.fromEntries(
    [...errors].map(([status, codes]) => [status, { ...failureResponse(codes), ...headersOf(route, status) }]),
  );
}

function failureResponse(codes: readonly DescribedCode[]): Json {
  const named = codes.map(({ code }) => code);
  const figures = Object.assign({}, ...named.map(figuresOf));
  return {
    description: described(codes),
    content: {
      "application/json": {
        schema: {
          allOf: [{ $ref: "#/components/schemas/Error" }, { properties: { error: { enum: named }, ...figures } }],
        },
      },
    },
  };
}

/** What a code's body has beside what all have. */
function figuresOf(code: string): Json {
  const shape = isErrorCode(code) ? CHECKOUT_FIGURES[code] : undefined;
  return shape ? (jsonSchema(shape, "output") as { properties: Json }).properties : {};
}

export const ERROR_SCHEMA = {
  type: "object",
  required: ["error", "error_description", "message"],
  properties: {
    error: { type: "string", description: "What went wrong, for programs; it never changes its meaning." },
    error_description: { type: "string", description: "What happened, what did not, and what to do." },
    message: { type: "string", description: "The same text." },
    field: { type: "string", description: "The parameter or member at fault." },
    limit: {
      type: ["number", "string"],
      description: "The limit in the way: US dollars, or atomic units for maxValue.",
    },
    remaining: { type: ["number", "string"], description: "What is left of it." },
    required: { type: ["number", "string"], description: "What the payment needs." },
    accepts: { type: "array", items: {}, description: "The target's offers, as received." },
    paymentId: { type: "string", description: "The payment that was made before the target failed." },
    queued: { type: "boolean", description: "Whether a letter that was not sent is tried again by itself." },
    id: { type: "string", description: "The trade or the message that was begun." },
    messageId: { type: "string", description: "The letter's `Message-ID`." },
    request_id: { type: "string", description: "Finds the failure in the service's logs." },
  },
};
