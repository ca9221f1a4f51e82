/** `/docs`: the route tables, for a person to read. */
import type { MeaningOf } from "../described-codes.ts";
import { index, inFull } from "./group.ts";
import { html, prose, toText } from "./html.ts";
import { nativeGroups } from "./native.ts";
import { OAUTH_GROUP } from "./oauth.ts";
import { openAiGroup } from "./openai.ts";

const MARK = html`<svg class="mark" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" role="img" aria-label="Satchel"><path d="M2 4.5h12v9H2zM2 4.5c0 4 2.5 5.5 6 5.5s6-1.5 6-5.5"/><path d="M8 8.5v3"/></svg>`;

/** The page as HTML. */
export function docsPage(baseUrl: string, meaningOf: MeaningOf): string {
  const groups = [...nativeGroups(baseUrl, meaningOf), openAiGroup(baseUrl, meaningOf), OAUTH_GROUP];
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
${index(groups)}
</header>
<main>
<h2 id="authentication">Who is calling</h2>
<p>${prose("Send an API token as `X-Service-Token`, or as `Authorization: Bearer`. A token has limits of its own: the most a payment, a day and a month (UTC) may cost. Without a valid token the answer is 401.")}</p>
<p>${prose("The scope that stands with a route is enforced only for accounts and applications with `strictScopes` on; `account:manage` is enforced for all. Limits always hold.")}</p>
<p>${prose("A one-time purchase token goes the same way and opens the fetch proxy alone: one payment, to one merchant, within a cap and five minutes. Once it has a payment, any use but a repetition of that payment's `Idempotency-Key` is refused with `purchase_token_used`.")}</p>
<p>${prose("In the examples `$SATCHEL_TOKEN` is an API token, and `$LOGIN_TOKEN` a login identity token, which shows that a person has signed in. In the sandbox they are `apiToken` and `loginToken` in `sandbox.json`.")}</p>
<h2 id="repeating">Asking again</h2>
<p>${prose("Routes that move money take an `Idempotency-Key`: the same key with the same request gives the first answer again, and pays once. While the first is under way it is 409, with another request 422.")}</p>
<h2 id="failures">When something fails</h2>
<p>${prose("Failures are `{ error, error_description, message }`. `error` is for programs and never changes its meaning; the text says what happened, what did not, and what to do. A 400 names the parameter in `field`; a 402 has the figures behind it. `docs/errors.md` in the source lists every code with what to do.")}</p>
${groups.map(inFull)}
</main>
<footer>${prose("Amounts called atomic are in the smallest unit of their asset: `250000` is 0.25 USDC.")}</footer>
</body>
</html>`);
}
