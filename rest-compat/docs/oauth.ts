/** The OAuth routes on `/docs`. */
import { jsonSchema } from "../json-schema.ts";
import type { OAuthRoute } from "../oauth-route.ts";
import { OAUTH_ROUTES } from "../routes/oauth.ts";
import { type Html, html, prose } from "./html.ts";
import { members, table } from "./tables.ts";

const anchor = ({ path }: OAuthRoute) => path.replace(/[^a-z]+/gi, "-").replace(/^-/, "");
const methodsOf = ({ methods }: OAuthRoute) => methods.join(", ");

export function oauthNav(): Html[] {
  return OAUTH_ROUTES.map(
    (route) =>
      html`<li><a href="#${anchor(route)}"><span class="path"><span class="method">${methodsOf(route)}</span>${route.path}</span><span>${route.summary}</span></a></li>`,
  );
}

export function oauthSections(): Html {
  return html`
<h2 id="oauth">Acting for other people</h2>
<p>${prose("An application that was approved asks people for permission, by OAuth 2.0's authorization code flow with PKCE (S256). Each person sets limits and networks of their own for it and can take all back at any time. Failures are those of RFC 6749: `error`, `error_description` and `message`.")}</p>
${OAUTH_ROUTES.map(section)}`;
}

function section(route: OAuthRoute): Html {
  const example = route.success?.example ?? {};
  return html`
<h2 id="${anchor(route)}">${route.summary}</h2>
<p class="path"><span class="method">${methodsOf(route)}</span>${route.path}</p>
<p>${prose(route.description)}</p>
${table("Parameters", members(jsonSchema(route.parameters, "input")))}
${Object.keys(example).length === 0 ? null : html`<h3>Example</h3><pre><code>${JSON.stringify(example, null, 2)}</code></pre>`}`;
}
