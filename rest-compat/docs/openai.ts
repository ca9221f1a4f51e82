/** The gateway's routes on `/docs`. */
import type { MeaningOf } from "../described-codes.ts";
import { jsonSchema, parametersOf } from "../json-schema.ts";
import { eventStream, openAiErrors } from "../openai-openapi.ts";
import type { OpenAiRoute } from "../openai-route.ts";
import { OPENAI_ROUTES } from "../routes/openai.ts";
import type { Entry, Group } from "./group.ts";
import { html, prose } from "./html.ts";
import { asParameter, example, failures, members, table, verbatim } from "./tables.ts";

export function openAiGroup(baseUrl: string, meaningOf: MeaningOf): Group {
  return {
    id: "gateway",
    title: "Language models",
    introduction: `OpenAI's clients work unchanged with \`${baseUrl}/v1\` as their address and an API token as their key; each call is paid for as it is made. \`x-satchel-cost-usd\` says what a call cost, \`x-satchel-payment-id\` which entry of the ledger paid, \`x-request-id\` what to quote when something went wrong. Failures are OpenAI's: \`{ error: { message, type, code, param } }\`. Once money has moved, those that clients would repeat by themselves carry \`x-should-retry: false\`.`,
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
      table("Parameters", parametersOf(parameters, "path").map(asParameter)),
      body ? table("Body", members(jsonSchema(body.schema, "input"))) : null,
      example(...texts.map((one) => JSON.stringify(one, null, 2))),
      stream
        ? html`<h4>Streamed</h4><p>${prose(stream.description)}</p>${verbatim(eventStream(stream.example))}`
        : null,
      failures(openAiErrors(route, meaningOf), "code"),
    ],
  };
}
