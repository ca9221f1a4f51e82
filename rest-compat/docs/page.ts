/** `/docs`: the route table, for a person to read. */
import type { ErrorCode } from "../generated/graphql.ts";
import { errorsByStatus, jsonSchema, operationName, parametersOf } from "../openapi.ts";
import type { Route } from "../route.ts";
import { ROUTES } from "../routes.ts";
import { type Html, html, prose, toText } from "./html.ts";

interface Described {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

const MARK = html`<svg class="mark" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" role="img" aria-label="Satchel"><path d="M2 4.5h12v9H2zM2 4.5c0 4 2.5 5.5 6 5.5s6-1.5 6-5.5"/><path d="M8 8.5v3"/></svg>`;

/** The page as HTML. */
export function docsPage(baseUrl: string): string {
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
<nav aria-label="Routes"><ul>${ROUTES.map(navEntry)}</ul></nav>
</header>
<main>
<h2 id="authentication">Who is calling</h2>
<p>${prose("Send an API token as `X-Service-Token`, or as `Authorization: Bearer`. A token has limits of its own: the most a payment, a day and a month (UTC) may cost. Without a valid token the answer is 401.")}</p>
<p>${prose("A one-time purchase token goes the same way and opens the fetch proxy alone: one payment, to one merchant, within a cap and five minutes. Once it has a payment, any use but a repetition of that payment's `Idempotency-Key` is refused with `purchase_token_used`.")}</p>
<p>${prose("Routes that move money take an `Idempotency-Key`: the same key with the same request gives the first answer again, and pays once.")}</p>
<h2 id="failures">When something fails</h2>
<p>${prose("Failures are `{ error, error_description, message }`. `error` is for programs and never changes its meaning; the text says what happened, what did not, and what to do. A 400 names the parameter in `field`; a 402 has the figures behind it.")}</p>
${ROUTES.map((route) => section(route, baseUrl))}
</main>
<footer>${prose("Amounts called atomic are in the smallest unit of their asset: `250000` is 0.25 USDC.")}</footer>
</body>
</html>`);
}

const anchor = (route: Route) => operationName(route).toLowerCase();

function navEntry(route: Route): Html {
  return html`<li><a href="#${anchor(route)}"><span class="path"><span class="method">${route.method}</span>${route.path}</span><span>${route.summary}</span></a></li>`;
}

function section(route: Route, baseUrl: string): Html {
  return html`
<h2 id="${anchor(route)}">${route.summary}</h2>
<p class="path"><span class="method">${route.method}</span>${route.path}</p>
<p>${prose(route.description)}</p>
<p>${prose(`${route.scope === null ? "" : `Scope \`${route.scope}\`. `}In GraphQL: \`${operationName(route)}\`.`)}</p>
${table("Parameters", parametersOf(route).map(asParameter))}
${route.body ? table("Body", members(jsonSchema(route.body, "input"))) : null}
<h3>Example</h3>
<pre><code>${curl(route, baseUrl)}</code></pre>
<pre><code>${JSON.stringify(route.success.example, null, 2)}</code></pre>
<h3>Failures</h3>
<div class="wide"><table><thead><tr><th>Status</th><th>error</th></tr></thead><tbody>${[...errorsByStatus(route)].map(failureRow)}</tbody></table></div>`;
}

function failureRow([status, codes]: readonly [number, readonly ErrorCode[]]): Html {
  return html`<tr><td class="figure">${status}</td><td>${codes.map((code) => html`<code>${code}</code> `)}</td></tr>`;
}

function table(title: string, rows: readonly Described[]): Html | null {
  if (rows.length === 0) return null;
  return html`<h3>${title}</h3>
<div class="wide"><table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.map(
    ({ name, type, required, description }) =>
      html`<tr><td><code>${name}</code></td><td>${type}${required ? html`, required` : null}</td><td>${prose(description)}</td></tr>`,
  )}</tbody></table></div>`;
}

function asParameter(parameter: Record<string, unknown>): Described {
  return described(
    String(parameter["name"]),
    parameter["schema"],
    parameter["required"] === true,
    parameter["description"],
  );
}

function members(schema: Record<string, unknown>, prefix = ""): Described[] {
  const {
    properties = {},
    required = [],
    description,
  } = schema as {
    properties?: Record<string, Record<string, unknown>>;
    required?: string[];
    description?: string;
  };
  const own = Object.entries(properties).flatMap(([name, member]) => [
    described(prefix + name, member, required.includes(name), member["description"]),
    ...members({ ...member, description: undefined }, `${prefix}${name}.`),
  ]);
  return own.length === 0 && description ? [described("(any)", schema, false, description)] : own;
}

function described(name: string, schema: unknown, required: boolean, description: unknown): Described {
  const {
    enum: values,
    type,
    minimum,
    maximum,
    default: byDefault,
  } = schema as {
    enum?: string[];
    type?: string | string[];
    minimum?: number;
    maximum?: number;
    default?: unknown;
  };
  const kind = values
    ? values.join(", ")
    : [type ?? "any"]
        .flat()
        .filter((one) => one !== "null")
        .join(" or ");
  const range = minimum !== undefined && maximum !== undefined ? `, ${minimum} to ${maximum}` : "";
  const otherwise = byDefault === undefined ? "" : ` Default \`${byDefault}\`.`;
  return { name, type: kind + range, required, description: `${description ?? ""}${otherwise}` };
}

function curl(route: Route, baseUrl: string): string {
  const query = route.path === "/api/x402/fetch" ? "?url=https://shop.example/report" : "";
  const lines = [`curl${route.method === "GET" ? "" : ` -X ${route.method}`} '${baseUrl}${route.path}${query}'`];
  const isLogin = route.authentication === "login_token";
  lines.push(isLogin ? `-H "Authorization: Bearer $LOGIN_TOKEN"` : `-H "X-Service-Token: $SATCHEL_TOKEN"`);
  if (route.bodyExample) lines.push("-H 'Content-Type: application/json'", `-d '${route.bodyExample}'`);
  return lines.join(" \\\n  ");
}
