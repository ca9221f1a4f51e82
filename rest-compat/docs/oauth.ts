/** OAuth routes on `/docs`. */
import { toJsonSchema } from "../json-schema.ts";
import type { OAuthRoute } from "../oauth-route.ts";
import { OAUTH_ROUTES } from "../routes/oauth.ts";
import type { Entry, Group } from "./group.ts";
import { example, members, table } from "./tables.ts";

export const OAUTH_GROUP: Group = {
  id: "oauth",
  title: "OAuth",
  introduction:
    "An approved application requests access with the OAuth 2.0 authorization code flow and PKCE (S256). Each account owner sets limits and networks for the application, and can revoke access at any time. Errors follow RFC 6749: `error`, `error_description` and `message`.",
  entries: OAUTH_ROUTES.map(entry),
};

function entry({ methods, path, summary, description, parameters, success }: OAuthRoute): Entry {
  const responseExample = success?.example ?? {};
  return {
    anchor: path.replace(/[^a-z]+/gi, "-").replace(/^-/, ""),
    method: methods.join(", "),
    path,
    summary,
    description,
    details: [
      table("Parameters", members(toJsonSchema(parameters, "input"))),
      Object.keys(responseExample).length === 0 ? null : example(JSON.stringify(responseExample, null, 2)),
    ],
  };
}
