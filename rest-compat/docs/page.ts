/** `/docs`: the REST reference, generated from the route tables. */
import type { MeaningOf } from "../error-meanings.ts";
import { renderGroup, renderIndex } from "./group.ts";
import { html, prose, toText } from "./html.ts";
import { nativeGroups } from "./native.ts";
import { OAUTH_GROUP } from "./oauth.ts";
import { openAiGroup } from "./openai.ts";

const MARK = html`<svg class="mark" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" role="img" aria-label="Satchel"><path d="M2 4.5h12v9H2zM2 4.5c0 4 2.5 5.5 6 5.5s6-1.5 6-5.5"/><path d="M8 8.5v3"/></svg>`;

/** Renders the page as HTML. */
export function renderDocsPage(baseUrl: string, meaningOf: MeaningOf): string {
  const groups = [...nativeGroups(baseUrl, meaningOf), openAiGroup(baseUrl, meaningOf), OAUTH_GROUP];
  return toText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Satchel REST API</title>
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<header>
${MARK}
<h1>Satchel REST API</h1>
<p>A wallet for AI agents that pays for X402 resources within limits. Each route runs one GraphQL operation; <a href="/graphql">GraphQL</a> offers these operations and more. Machine-readable: <a href="/openapi.json">OpenAPI 3.1</a>.</p>
${renderIndex(groups)}
</header>
<main>
<h2 id="authentication">Authentication</h2>
<p>${prose("Send an API token as `X-Service-Token` or `Authorization: Bearer`. A token has its own limits per payment, day and month (UTC). Requests without a valid token get a 401 response.")}</p>
<p>${prose("The scope shown with a route is enforced for accounts, applications and grants with `strictScopes`; `account:manage` is always enforced. Limits always apply.")}</p>
<p>${prose("A one-time purchase token is sent the same way and is valid only for the fetch proxy. It permits one payment to one merchant, up to its cap and within five minutes. After its payment, any other use fails with `purchase_token_used`; a retry with the payment's `Idempotency-Key` succeeds.")}</p>
<p>${prose("In the examples, `$SATCHEL_TOKEN` is an API token and `$LOGIN_TOKEN` a login identity token, which proves that a user is signed in. The sandbox writes both to `sandbox.json` as `apiToken` and `loginToken`.")}</p>
<h2 id="repeating">Idempotency</h2>
<p>${prose("Routes that move money accept an `Idempotency-Key`. The same key with the same request returns the first response again and pays once. While the first request is in flight, a retry gets 409. The same key with a different request gets 422.")}</p>
<h2 id="failures">Errors</h2>
<p>${prose("Errors are `{ error, error_description, message }`. `error` is a stable code for programs; the text states what failed, what did not happen, and the next step. A 400 names the invalid parameter in `field`; a 402 includes the amounts. `docs/errors.md` in the source lists all codes with the next step.")}</p>
${groups.map(renderGroup)}
</main>
<footer>${prose("Atomic amounts are in the smallest unit of the asset: `250000` is 0.25 USDC.")}</footer>
</body>
</html>`);
}
