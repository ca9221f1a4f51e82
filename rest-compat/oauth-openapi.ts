/** OAuth routes in OpenAPI. */
import { toJsonSchema, toParameters } from "./json-schema.ts";
import type { OAuthRoute } from "./oauth-route.ts";

type Json = Record<string, unknown>;

/** The error body of RFC 6749 section 5.2, with the `message` that every Satchel error has. */
export const OAUTH_ERROR_SCHEMA = {
  type: "object",
  required: ["error", "error_description", "message"],
  properties: {
    error: { type: "string", description: "The OAuth error code, such as `invalid_grant`." },
    error_description: { type: "string", description: "Human-readable message that describes the error." },
    message: { type: "string", description: "The same text as `error_description`." },
  },
};

const SECURITY: Readonly<Record<OAuthRoute["caller"], readonly object[]>> = {
  browser: [],
  client: [{ oauthClient: [] }, {}],
  bearer: [{ bearer: [] }],
  public: [],
};

/** Returns the operations of a route by method. */
export function oauthPath(route: OAuthRoute): Json {
  return Object.fromEntries(route.methods.map((method) => [method.toLowerCase(), operation(route, method)]));
}

/** Returns the path in camel case, such as `oauthToken`, followed by the method if the path has several. */
function createOperationId({ path, methods }: OAuthRoute, method: string): string {
  const words = path.split(/[^A-Za-z]+/).filter(Boolean);
  const name = words.map((word, i) => (i === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join("");
  return methods.length === 1 ? name : name + method[0] + method.slice(1).toLowerCase();
}

function operation(route: OAuthRoute, method: "GET" | "POST"): Json {
  const { summary, description, success, caller } = route;
  const hasBody = method === "POST" && Object.keys(route.parameters.shape).length > 0;
  const types = caller === "browser" ? [FORM] : route.body === "json" ? [JSON_TYPE] : [FORM, JSON_TYPE];
  return {
    operationId: createOperationId(route, method),
    summary,
    description,
    security: SECURITY[caller],
    parameters: method === "GET" ? toParameters(route.parameters, "query") : [],
    ...(hasBody && {
      requestBody: {
        required: true,
        content: createContent(types, { schema: toJsonSchema(route.parameters, "input") }),
      },
    }),
    responses: success
      ? { [success.status ?? 200]: createSuccessResponse(success), ...createErrorResponses(route) }
      : BROWSER_RESPONSES,
  };
}

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

function createContent(types: readonly string[], content: object): Json {
  return Object.fromEntries(types.map((type) => [type, content]));
}

function createSuccessResponse({ description, schema, example }: NonNullable<OAuthRoute["success"]>): Json {
  return { description, content: { "application/json": { schema: toJsonSchema(schema, "output"), example } } };
}

function createErrorResponses({ caller, methods, otherErrors = {} }: OAuthRoute): Json {
  if (caller === "public") return {};
  const content = { "application/json": { schema: { $ref: "#/components/schemas/OAuthError" } } };
  const authenticationError =
    caller === "client" ? "Client authentication failed." : "The access token is missing or invalid.";
  const hasBody = caller === "client" && methods.includes("POST");
  return {
    ...(caller === "client" && { "400": { description: "The request failed with an OAuth error.", content } }),
    "401": { description: authenticationError, content },
    ...Object.fromEntries(
      Object.entries(otherErrors).map(([status, description]) => [status, { description, content }]),
    ),
    ...(hasBody && { "413": { description: "The body is larger than 64 KiB.", content } }),
    "500": { description: "The service failed unexpectedly (`server_error`).", content },
  };
}

const PAGE = { "text/html": { schema: { type: "string" } } };

const BROWSER_RESPONSES = {
  "200": { description: "A page that posts the response to its opener (`response_mode=web_message`).", content: PAGE },
  "303": { description: "Redirect to the consent page, or to the application with the response." },
  "400": { description: "An error page. Nothing was sent to the application.", content: PAGE },
  "413": { description: "An error page: the body is larger than 64 KiB.", content: PAGE },
  "429": { description: "An error page: too many requests.", content: PAGE },
  "500": { description: "An error page: the service failed unexpectedly.", content: PAGE },
};
