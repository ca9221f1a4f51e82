/** OpenAI routes on `/docs`. */
import type { MeaningOf } from "../error-meanings.ts";
import { toJsonSchema, toParameters } from "../json-schema.ts";
import { formatEventStream, groupOpenAiErrors } from "../openai-openapi.ts";
import type { OpenAiRoute } from "../openai-route.ts";
import { OPENAI_ROUTES } from "../routes/openai.ts";
import type { Entry, Group } from "./group.ts";
import { html, prose } from "./html.ts";
import { asParameter, errorTable, example, members, table, verbatim } from "./tables.ts";

export function openAiGroup(baseUrl: string, meaningOf: MeaningOf): Group {
  return {
    id: "gateway",
    title: "Language models",
    introduction: `OpenAI clients work unchanged: set the base URL to \`${baseUrl}/v1\` and use an API token as the API key. Satchel pays for each call. \`x-satchel-cost-usd\` is the cost of the call, \`x-satchel-payment-id\` the ID of the ledger entry, and \`x-request-id\` the ID to quote in a report. Errors have OpenAI's format, \`{ error: { message, type, code, param } }\`. After a payment, an error that clients would retry automatically has \`x-should-retry: false\`.`,
    entries: OPENAI_ROUTES.map((route) => entry(route, meaningOf)),
  };
}

function entry(route: OpenAiRoute, meaningOf: MeaningOf): Entry {
  const { operationId, method, path, summary, description, parameters, body, success, stream } = route;
  const texts = [body?.example, success.example].filter((one) => one !== undefined);
  return {
    anchor: operationId.toLowerCase(),
    method,
    path,
    summary,
    description,
    details: [
      table("Parameters", toParameters(parameters, "path").map(asParameter)),
      body ? table("Body", members(toJsonSchema(body.schema, "input"))) : null,
      example(...texts.map((one) => JSON.stringify(one, null, 2))),
      stream
        ? html`<h4>Streaming</h4><p>${prose(stream.description)}</p>${verbatim(formatEventStream(stream.example))}`
        : null,
      errorTable(groupOpenAiErrors(route, meaningOf), "code"),
    ],
  };
}
