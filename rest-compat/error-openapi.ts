/** Error responses in OpenAPI: codes by status, and the schemas of their bodies. */
import { CHECKOUT_DETAILS } from "./checkout-details.ts";
import { type DescribedCode, formatCodeList, type MeaningOf } from "./error-meanings.ts";
import type { ErrorCode } from "./generated/graphql.ts";
import { getHeaders } from "./header-openapi.ts";
import { toJsonSchema } from "./json-schema.ts";
import { COMMON_ERRORS, groupByStatus, isErrorCode } from "./status.ts";

type Json = Record<string, unknown>;

/** Returns the error codes of a route by status, including those of all routes. */
export function groupErrorsByStatus(
  route: { readonly errors: readonly ErrorCode[]; readonly body: unknown },
  meaningOf: MeaningOf,
): Map<number, DescribedCode[]> {
  const codes = [...new Set([...COMMON_ERRORS, ...route.errors])].filter(
    (code) => code !== "payload_too_large" || route.body !== null,
  );
  const rows = [...groupByStatus(codes)];
  return new Map(rows.map(([status, own]) => [status, own.map((code) => ({ code, meaning: meaningOf(code) }))]));
}

/** Returns the error entries of a route's `responses`, by status. */
export function failureResponses(
  route: { readonly announcesLimit?: boolean },
  errors: ReadonlyMap<number, readonly DescribedCode[]>,
): Json {
  return Object.fromEntries(
    [...errors].map(([status, codes]) => [status, { ...failureResponse(codes), ...getHeaders(route, status) }]),
  );
}

function failureResponse(codes: readonly DescribedCode[]): Json {
  const names = codes.map(({ code }) => code);
  const details = Object.assign({}, ...names.map(getDetailProperties));
  return {
    description: formatCodeList(codes),
    content: {
      "application/json": {
        schema: {
          allOf: [
            { $ref: "#/components/schemas/Error" },
            { type: "object", properties: { error: { enum: names }, ...details } },
          ],
        },
      },
    },
  };
}

/** Returns the schema properties that a code adds to the common error body. */
function getDetailProperties(code: string): Json {
  const shape = isErrorCode(code) ? CHECKOUT_DETAILS[code] : undefined;
  return shape ? (toJsonSchema(shape, "output") as { properties: Json }).properties : {};
}

export const ERROR_SCHEMA = {
  type: "object",
  required: ["error", "error_description", "message"],
  properties: {
    error: { type: "string", description: "The error code. A code never changes its meaning." },
    error_description: {
      type: "string",
      description: "Human-readable message: what failed, what did not happen, and the next step.",
    },
    message: { type: "string", description: "The same text as `error_description`." },
    field: { type: "string", description: "The invalid parameter or body member." },
    limit: {
      type: ["number", "string"],
      description: "The exceeded limit: US dollars, or atomic units for `maxValue`.",
    },
    remaining: { type: ["number", "string"], description: "The remaining amount of the limit or balance." },
    required: { type: ["number", "string"], description: "The amount that the payment requires." },
    currency: { type: "string", description: "The currency of the amounts: `USD`, or a token's symbol." },
    unit: { const: "atomic", description: "The amounts are in the asset's smallest unit." },
    period: { enum: ["transaction", "day", "month"], description: "The period of the exceeded limit." },
    network: { type: "string", description: "The network of the insufficient balance." },
    asset: { type: "string", description: "The contract or mint address of the insufficient token, or `native`." },
    accepts: { type: "array", items: {}, description: "The target's offers, as received." },
    considered: {
      type: "array",
      description: "Each offer with the reason why it cannot be used.",
      items: {
        type: "object",
        required: ["index", "refusal", "explanation"],
        properties: {
          index: { type: "integer", description: "The position in `accepts`, starting at 0." },
          refusal: { type: ["string", "null"], description: "The reason, such as `unsupported_scheme`." },
          explanation: { type: "string", description: "Human-readable explanation of the reason." },
        },
      },
    },
    paymentId: { type: "string", description: "ID of the payment that was made before the target failed." },
    queued: { type: "boolean", description: "Whether Satchel retries the unsent email automatically." },
    id: { type: "string", description: "ID of the trade or message that was created." },
    txHash: { type: "string", description: "The hash of the failed transaction." },
    messageId: { type: "string", description: "The `Message-ID` of the email." },
    request_id: { type: "string", description: "ID of the request in the service's logs." },
  },
};
