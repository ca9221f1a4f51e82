/** The OpenAI table in OpenAPI. */
import { type DescribedCode, described, type MeaningOf } from "./described-codes.ts";
import { isRetried, openAiCode } from "./dialects/openai-failure.ts";
import { jsonSchema, parametersOf } from "./json-schema.ts";
import type { OpenAiRoute } from "./openai-route.ts";
import { idempotencyHeader } from "./parameters.ts";
import { byStatus } from "./status.ts";

type Json = Record<string, unknown>;

/** Failures as OpenAI's clients read them. */
export const OPENAI_ERROR_SCHEMA = {
  type: "object",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["message", "type", "code", "param"],
      properties: {
        message: { type: "string", description: "What happened, what did not, and what to do." },
        type: { type: "string", description: "The kind of failure, in OpenAI's words." },
        code: { type: ["string", "null"], description: "What went wrong, for programs." },
        param: { type: ["string", "null"], description: "The parameter at fault." },
      },
    },
  },
};

export const OPENAI_HEADERS = {
  "x-request-id": { description: "Finds the call in the service's logs.", schema: { type: "string" } },
  "x-satchel-cost-usd": {
    description:
      "What the call cost, in US dollars; of a stream whose cost is not known before its end, the most it can become. `0.00` with a failure that nothing was paid for.",
    schema: { type: "string" },
  },
  "x-satchel-payment-id": {
    description: "The ledger's entry that paid; absent when nothing was paid.",
    schema: { type: "string" },
  },
  "x-satchel-call-id": { description: "The call's record.", schema: { type: "string" } },
  "x-should-retry": {
    description: "`false` where money has moved, or may have: clients do not repeat the call by themselves.",
    schema: { const: "false" },
  },
  "retry-after": { description: "When to ask again, in seconds.", schema: { type: "string" } },
};

type Header = keyof typeof OPENAI_HEADERS;

const COST: readonly Header[] = ["x-satchel-cost-usd", "x-satchel-payment-id"];
/** A provider's refusal goes on with the provider's own status. */
const REFUSED = "4XX";

/** A route's failures by status, with the codes that OpenAI's clients are told; several failures may share one. */
export function openAiErrors({ errors }: OpenAiRoute, meaningOf: MeaningOf): Map<string, DescribedCode[]> {
  const isTheirs = errors.includes("provider_refused");
  const own = errors.filter((code) => code !== "provider_refused");
  const toldAs = (code: (typeof errors)[number]) => ({ code: openAiCode(code), meaning: meaningOf(code) });
  const rows = [...byStatus(own)].map(([status, codes]): [string, DescribedCode[]] => [
    String(status),
    codes.map(toldAs),
  ]);
  return new Map(isTheirs ? [...rows, [REFUSED, [toldAs("provider_refused")]]] : rows);
}

/** A stream as it is written, with the comment that has its cost. */
export function eventStream(data: readonly object[]): string {
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
    parameters: [...parametersOf(parameters, "path"), ...(movesMoney ? parametersOf(idempotencyHeader, "header") : [])],
    ...(body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: jsonSchema(body.schema, "input"), example: body.example } },
      },
    }),
    responses: {
      "200": {
        description: success.description,
        headers: named(headers),
        content: {
          "application/json": { schema: jsonSchema(success.schema, "output"), example: success.example },
          ...(stream && {
            "text/event-stream": {
              schema: { type: "string", description: stream.description },
              example: eventStream(stream.example),
            },
          }),
        },
      },
      ...Object.fromEntries(
        [...openAiErrors(route, meaningOf)].map(([status, codes]) => [status, failure(status, codes, movesMoney)]),
      ),
    },
  };
}

function failure(status: string, codes: readonly DescribedCode[], movesMoney: boolean): Json {
  const isTheirs = status === REFUSED;
  const theirs =
    "The provider's own refusal, with a status of its own, also one of the others here, and in its own words. Where it names no code:\n";
  const headers: readonly Header[] = [
    "x-request-id",
    ...(movesMoney ? COST : []),
    ...(isTheirs || isRetried(Number(status)) ? ["x-should-retry" as const] : []),
    ...(status === "429" ? ["retry-after" as const] : []),
  ];
  return {
    description: `${isTheirs ? theirs : ""}${described(codes)}`,
    headers: named(headers),
    content: { "application/json": { schema: { $ref: "#/components/schemas/OpenAiError" } } },
  };
}

function named(headers: readonly Header[]): Json {
  return Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
