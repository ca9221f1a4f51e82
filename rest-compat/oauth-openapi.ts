/** The OAuth table in OpenAPI. */
import { jsonSchema, parametersOf } from "./json-schema.ts";
import type { OAuthRoute } from "./oauth-route.ts";

type Json = Record<string, unknown>;

/** RFC 6749 section 5.2, with the `message` that every failure of this service has. */
export const OAUTH_ERROR_SCHEMA = {
  type: "object",
  required: ["error", "error_description", "message"],
  properties: {
    error: { type: "string", description: "The protocol's code, such as `invalid_grant`." },
    error_description: { type: "string", description: "What happened, in words." },
    message: { type: "string", description: "The same text." },
  },
};

const SECURITY: Readonly<Record<OAuthRoute["caller"], readonly object[]>> = {
  browser: [],
  client: [{ oauthClient: [] }, {}],
  bearer: [{ bearer: [] }],
  anybody: [],
};

/** A row's operations by method. */
export function oauthPath(route: OAuthRoute): Json {
  return Object.fromEntries(route.methods.map((method) => [method.toLowerCase(), operation(route, method)]));
}

/** The path as a name, such as `oauthToken`; with the method where there are several. */
function operationIdOf({ path, methods }: OAuthRoute, method: string): string {
  const words = path.split(/[^A-Za-z]+/).filter(Boolean);
  const name = words.map((word, i) => (i === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join("");
  return methods.length === 1 ? name : name + method[0] + method.slice(1).toLowerCase();
}

function operation(route: OAuthRoute, method: "GET" | "POST"): Json {
  const { summary, description, success, caller } = route;
  const hasBody = method === "POST" && Object.keys(route.parameters.shape).length > 0;
  const types = caller === "browser" ? [FORM] : [FORM, "application/json"];
  return {
    operationId: operationIdOf(route, method),
    summary,
    description,
    security: SECURITY[caller],
    parameters: method === "GET" ? parametersOf(route.parameters, "query") : [],
    ...(hasBody && {
      requestBody: { required: true, content: byType(types, { schema: jsonSchema(route.parameters, "input") }) },
    }),
    responses: success ? { "200": answered(success), ...failures(route) } : BROWSER_RESPONSES,
  };
}

const FORM = "application/x-www-form-urlencoded";

function byType(types: readonly string[], content: object): Json {
  return Object.fromEntries(types.map((type) => [type, content]));
}

function answered({ description, schema, example }: NonNullable<OAuthRoute["success"]>): Json {
  if (Object.keys(example).length === 0) return { description };
  return { description, content: { "application/json": { schema: jsonSchema(schema, "output"), example } } };
}

function failures({ caller }: OAuthRoute): Json {
  if (caller === "anybody") return {};
  const content = { "application/json": { schema: { $ref: "#/components/schemas/OAuthError" } } };
  const unknown =
    caller === "client" ? "The application is not known, or not proven." : "No valid access token was sent.";
  return {
    ...(caller === "client" && { "400": { description: "The request is refused in the protocol's terms.", content } }),
    "401": { description: unknown, content },
  };
}

const BROWSER_RESPONSES = {
  "200": { description: "A page that hands the answer to the window that opened it (`display=popup`)." },
  "303": { description: "On to the consent page, or back to the application with the answer." },
  "400": { description: "A page that says why nothing was sent to the application." },
  "429": { description: "A page: too many requests." },
};
