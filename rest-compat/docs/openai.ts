/** The gateway's routes on `/docs`. */
import type { MeaningOf } from "../described-codes.ts";
import { jsonSchema, parametersOf } from "../json-schema.ts";
import { eventStream, openAiErrors } from "../openai-openapi.ts";
import type { OpenAiRoute } from "../openai-route.ts";
import { OPENAI_ROUTES } from "../routes/openai.ts";
import { type Html, html, prose } from "./html.ts";
import { asParameter, failures, members, table } from "./tables.ts";

const anchor = ({ operationId }: OpenAiRoute) => operationId.toLowerCase();

export function openAiNav(): Html[] {
  return OPENAI_ROUTES.map(
    (route) =>
      html`<li><a href="#${anchor(route)}"><span class="path"><span class="method">${route.method}</span>${route.path}</span><span>${route.summary}</span></a></li>`,
  );
}

export function openAiSections(baseUrl: string, meaningOf: MeaningOf): Html {
  return html`
<h2 id="gateway">Language models</h2>
<p>${prose(`OpenAI's clients work unchanged with \`${baseUrl}/v1\` as their address and an API token as their key; each call is paid for as it is made. \`x-satchel-cost-usd\` says what a call cost, \`x-satchel-payment-id\` which entry of the ledger paid, \`x-request-id\` what to quote when something went wrong. Failures are OpenAI's: \`{ error: { message, type, code, param } }\`. Once money has moved, those that clients would repeat by themselves carry \`x-should-retry: false\`.`)}</p>
${OPENAI_ROUTES.map((route) => section(route, meaningOf))}`;
}

function section(route: OpenAiRoute, meaningOf: MeaningOf): Html {
  const { parameters, body, success, stream } = route;
  return html`
<h2 id="${anchor(route)}">${route.summary}</h2>
<p class="path"><span class="method">${route.method}</span>${route.path}</p>
<p>${prose(route.description)}</p>
${table("Parameters", parametersOf(parameters, "path").map(asParameter))}
${body ? table("Body", members(jsonSchema(body.schema, "input"))) : null}
<h3>Example</h3>
${body ? html`<pre><code>${JSON.stringify(body.example, null, 2)}</code></pre>` : null}
<pre><code>${JSON.stringify(success.example, null, 2)}</code></pre>
${stream ? html`<h3>Streamed</h3><p>${prose(stream.description)}</p><pre><code>${eventStream(stream.example)}</code></pre>` : null}
${failures(openAiErrors(route, meaningOf), "code")}`;
}
