/** OpenAI routes in OpenAPI. */

import { REQUEST_FAULT_STATUSES } from "../src/platform/http/request-fault-statuses.ts";
import { isRetried, toOpenAiCode } from "./dialects/openai-failure.ts";
import { type DescribedCode, formatCodeList, type MeaningOf } from "./error-meanings.ts";
import type { ErrorCode } from "./generated/graphql.ts";
import { toJsonSchema, toParameters } from "./json-schema.ts";
import type { OpenAiRoute } from "./openai-route.ts";
import { idempotencyHeader } from "./parameters.ts";
import { groupByStatus } from "./status.ts";

type Json = Record<string, unknown>;

/** The error body of OpenAI's API. */
export const OPENAI_ERROR_SCHEMA = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["message", "type", "code", "param"],
      properties: {
        message: {
          type: "string",
          description: "Human-readable message: what failed, what did not happen, and the next step.",
        },
        type: { type: "string", description: "OpenAI's error type." },
        code: { type: ["string", "null"], description: "The error code." },
        param: { type: ["string", "null"], description: "The invalid parameter." },
      },
    },
  },
};

export const OPENAI_HEADERS = {
  "x-request-id": { description: "ID of the request in the service's logs.", schema: { type: "string" } },
  "x-satchel-cost-usd": {
    description: "Cost of the call in US dollars; absent from streams. `0.00` on an error without a payment.",
    schema: { type: "string" },
  },
  "x-satchel-max-cost-usd": {
    description:
      "Maximum cost of a streamed call in US dollars. The last chunk has the cost as `usage.cost` if `stream_options.include_usage` is true.",
    schema: { type: "string" },
  },
  "x-satchel-payment-id": {
    description: "ID of the ledger entry that paid for the call; absent if nothing was paid.",
    schema: { type: "string" },
  },
  "x-satchel-call-id": { description: "ID of the call record.", schema: { type: "string" } },
  "x-should-retry": {
    description: "`false` if a payment was or may have been made: clients must not retry the call automatically.",
    schema: { const: "false" },
  },
  "retry-after": { description: "Seconds to wait before a retry.", schema: { type: "string" } },
};

type Header = keyof typeof OPENAI_HEADERS;

const COST: readonly Header[] = ["x-satchel-cost-usd", "x-satchel-max-cost-usd", "x-satchel-payment-id"];
/** The code of a provider's error that has none of its own. */
const PROVIDER_CODE = "provider_refused";

/** Returns the error codes of a route by status, in the form OpenAI clients receive; several errors may share one code. */
export function groupOpenAiErrors({ errors }: OpenAiRoute, meaningOf: MeaningOf): Map<number, DescribedCode[]> {
  const own = groupByStatus(errors.filter((code) => code !== PROVIDER_CODE));
  const providerStatuses = errors.includes(PROVIDER_CODE) ? REQUEST_FAULT_STATUSES : [];
  const statuses = [...new Set([...own.keys(), ...providerStatuses])].toSorted((a, b) => a - b);
  const describeCode = (code: ErrorCode) => ({ code: toOpenAiCode(code), meaning: meaningOf(code) });
  return new Map(
    statuses.map((status) => {
      const ofProvider: readonly ErrorCode[] = providerStatuses.includes(status) ? [PROVIDER_CODE] : [];
      const codes = [...(own.get(status) ?? []), ...ofProvider];
      return [status, codes.map(describeCode)];
    }),
  );
}

/** Formats chunks as an event stream, with the comment that contains the cost. */
export function formatEventStream(data: readonly object[]): string {
  const events = data.map((event) => `data: ${JSON.stringify(event)}\n\n`);
  return [...events, ": x-satchel-cost-usd 0.000005\n\n", "data: [DONE]\n\n"].join("");
}

export function openAiOperation(route: OpenAiRoute, meaningOf: MeaningOf): Json {
  const { operationId, summary, description, parameters, body, success, stream, movesMoney } = route;
  const headers: readonly Header[] = ["x-request-id", ...(movesMoney ? [...COST, "x-satchel-call-id" as const] : [])];
  return {
    operationId,
    summary,
    description,
    parameters: [...toParameters(parameters, "path"), ...(movesMoney ? toParameters(idempotencyHeader, "header") : [])],
    ...(body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: toJsonSchema(body.schema, "input"), example: body.example } },
      },
    }),
    responses: {
      "200": {
        description: success.description,
        headers: referHeaders(headers),
        content: {
          "application/json": { schema: toJsonSchema(success.schema, "output"), example: success.example },
          ...(stream && {
            "text/event-stream": {
              schema: { type: "string", description: stream.description },
              example: formatEventStream(stream.example),
            },
          }),
        },
      },
      ...Object.fromEntries(
        [...groupOpenAiErrors(route, meaningOf)].map(([status, codes]) => [status, failure(status, codes, movesMoney)]),
      ),
    },
  };
}

function failure(status: number, codes: readonly DescribedCode[], movesMoney: boolean): Json {
  const isProviderError = codes.some(({ code }) => code === PROVIDER_CODE);
  const providerText =
    "An error of the provider is passed on with its status and body, and has its own code instead if it has one.\n\n";
  const headers: readonly Header[] = [
    "x-request-id",
    ...(movesMoney ? COST : []),
    ...(isRetried(status) ? ["x-should-retry" as const] : []),
    ...(status === 429 || status === 502 ? ["retry-after" as const] : []),
  ];
  return {
    description: `${isProviderError ? providerText : ""}${formatCodeList(codes)}`,
    headers: referHeaders(headers),
    content: { "application/json": { schema: { $ref: "#/components/schemas/OpenAiError" } } },
  };
}

function referHeaders(headers: readonly Header[]): Json {
  return Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
