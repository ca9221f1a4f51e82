/** The OAuth routes on `/docs`. */
import { jsonSchema } from "../json-schema.ts";
import type { OAuthRoute } from "../oauth-route.ts";
import { OAUTH_ROUTES } from "../routes/oauth.ts";
import type { Entry, Group } from "./group.ts";
import { example, members, table } from "./tables.ts";

export const OAUTH_GROUP: Group = {
  id: "oauth",
  title: "OAuth",
  introduction:
    "An application that was approved asks people for permission, by OAuth 2.0's authorization code flow with PKCE (S256). Each person sets limits and networks of their own for it and can take all back at any time. Failures are those of RFC 6749: `error`, `error_description` and `message`.",
  entries: OAUTH_ROUTES.map(entry),
};

function entry({ methods, path, summary, description, parameters, success }: OAuthRoute): Entry {
  const answer = success?.example ?? {};
  return {
    anchor: path.replace(/[^a-z]+/gi, "-").replace(/^-/, ""),
    method: methods.join(", "),
    path,
    summary,
    description,
    details: [
      table("Parameters", members(jsonSchema(parameters, "input"))),
      Object.keys(answer).length === 0 ? null : example(JSON.stringify(answer, null, 2)),
    ],
  };
}
