/** `/docs`: the route tables, for a person to read. */
import type { MeaningOf } from "../described-codes.ts";
import { jsonSchema, parametersOf } from "../json-schema.ts";
import { errorsByStatus, operationName } from "../openapi.ts";
import type { Route } from "../route.ts";
import { ROUTES } from "../routes.ts";
import { type Html, html, prose, toText } from "./html.ts";
import { oauthNav, oauthSections } from "./oauth.ts";
import { openAiNav, openAiSections } from "./openai.ts";
import { asParameter, failures, members, table } from "./tables.ts";

const MARK = html`<svg class="mark" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" role="img" aria-label="Satchel"><path d="M2 4.5h12v9H2zM2 4.5c0 4 2.5 5.5 6 5.5s6-1.5 6-5.5"/><path d="M8 8.5v3"/></svg>`;

/** The page as HTML. */
export function docsPage(baseUrl: string, meaningOf: MeaningOf): string {
  return toText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Satchel: REST</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header>
${MARK}
<h1>Satchel over REST</h1>
<p>A wallet that pays X402 resources within limits. Each route runs one GraphQL operation; <a href="/graphql">GraphQL</a> has these and more. For programs: <a href="/openapi.json">OpenAPI 3.1</a>.</p>
<nav aria-label="Routes"><ul>${ROUTES.map(navEntry)}${openAiNav()}${oauthNav()}</ul></nav>
</header>
<main>
<h2 id="authentication">Who is calling</h2>
<p>${prose("Send an API token as `X-Service-Token`, or as `Authorization: Bearer`. A token has limits of its own: the most a payment, a day and a month (UTC) may cost. Without a valid token the answer is 401.")}</p>
<p>${prose("A one-time purchase token goes the same way and opens the fetch proxy alone: one payment, to one merchant, within a cap and five minutes. Once it has a payment, any use but a repetition of that payment's `Idempotency-Key` is refused with `purchase_token_used`.")}</p>
<p>${prose("Routes that move money take an `Idempotency-Key`: the same key with the same request gives the first answer again, and pays once.")}</p>
<h2 id="failures">When something fails</h2>
<p>${prose("Failures are `{ error, error_description, message }`. `error` is for programs and never changes its meaning; the text says what happened, what did not, and what to do. A 400 names the parameter in `field`; a 402 has the figures behind it.")}</p>
${ROUTES.map((route) => section(route, baseUrl, meaningOf))}
${openAiSections(baseUrl, meaningOf)}
${oauthSections()}
</main>
<footer>${prose("Amounts called atomic are in the smallest unit of their asset: `250000` is 0.25 USDC.")}</footer>
</body>
</html>`);
}

const anchor = (route: Route) => operationName(route).toLowerCase();

function navEntry(route: Route): Html {
  return html`<li><a href="#${anchor(route)}"><span class="path"><span class="method">${route.method}</span>${route.path}</span><span>${route.summary}</span></a></li>`;
}

function section(route: Route, baseUrl: string, meaningOf: MeaningOf): Html {
  return html`
<h2 id="${anchor(route)}">${route.summary}</h2>
<p class="path"><span class="method">${route.method}</span>${route.path}</p>
<p>${prose(route.description)}</p>
<p>${prose(`${route.scope === null ? "" : `Scope \`${route.scope}\`. `}In GraphQL: \`${operationName(route)}\`.`)}</p>
${route.pathParameters ? table("In the path", parametersOf(route.pathParameters, "path").map(asParameter)) : null}
${table("Parameters", parametersOf(route.query, "query").map(asParameter))}
${route.body ? table("Body", members(jsonSchema(route.body, "input"))) : null}
<h3>Example</h3>
<pre><code>${curl(route, baseUrl)}</code></pre>
<pre><code>${JSON.stringify(route.success.example, null, 2)}</code></pre>
${failures(errorsByStatus(route, meaningOf), "error")}`;
}

function curl(route: Route, baseUrl: string): string {
  const query = route.path === "/api/x402/fetch" ? "?url=https://shop.example/report" : "";
  const lines = [`curl${route.method === "GET" ? "" : ` -X ${route.method}`} '${baseUrl}${route.path}${query}'`];
  const isLogin = route.authentication === "login_token";
  const isOpen = route.authentication === "none";
  if (!isOpen) lines.push(isLogin ? `-H "Authorization: Bearer $LOGIN_TOKEN"` : `-H "X-Service-Token: $SATCHEL_TOKEN"`);
  if (route.bodyExample) lines.push("-H 'Content-Type: application/json'", `-d '${route.bodyExample}'`);
  return lines.join(" \\\n  ");
}
