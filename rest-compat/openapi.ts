/** OpenAPI 3.1, generated from the route tables. */
import type { MeaningOf } from "./error-meanings.ts";
import { ERROR_SCHEMA, failureResponses, groupErrorsByStatus } from "./error-openapi.ts";
import { fileOperation } from "./file-openapi.ts";
import { FILE_ROUTES } from "./file-routes.ts";
import { getHeaders, HEADERS } from "./header-openapi.ts";
import { toJsonSchema, toParameters } from "./json-schema.ts";
import { OAUTH_ERROR_SCHEMA, oauthPath } from "./oauth-openapi.ts";
import { OPENAI_ERROR_SCHEMA, OPENAI_HEADERS, openAiOperation } from "./openai-openapi.ts";
import { idempotencyHeader } from "./parameters.ts";
import type { Route } from "./route.ts";
import { describeScopes } from "./route-access.ts";
import { OAUTH_ROUTES } from "./routes/oauth.ts";
import { OPENAI_ROUTES } from "./routes/openai.ts";
import { ROUTES } from "./routes.ts";

type Json = Record<string, unknown>;

function operation(route: Route, meaningOf: MeaningOf): Json {
  const { success, query, pathParameters, body, summary, description, dialect } = route;
  const { movesMoney, acceptsIdempotencyKey = false } = route;
  const media = dialect === "proxy" ? "*/*" : "application/json";
  return {
    operationId: getOperationName(route),
    summary,
    description: `${description}\n\n${describeScopes(route)}GraphQL: \`${getOperationName(route)}\`.`,
    ...(route.authentication === "login_token" ? { security: [{ loginToken: [] }] } : {}),
    ...(route.authentication === "none" ? { security: [] } : {}),
    parameters: [
      ...(pathParameters ? toParameters(pathParameters, "path") : []),
      ...toParameters(query, "query"),
      ...(movesMoney || acceptsIdempotencyKey ? toParameters(idempotencyHeader, "header") : []),
    ],
    ...(body
      ? {
          requestBody: {
            required: dialect !== "proxy" && !body.safeParse(undefined).success,
            content: { "application/json": { schema: toJsonSchema(body, "input") } },
          },
        }
      : {}),
    responses: {
      [dialect === "proxy" ? "default" : "200"]: { ...successResponse(success, media), ...getHeaders(route, 200) },
      ...(route.accepted ? { "202": successResponse(route.accepted, media) } : {}),
      ...(dialect === "proxy"
        ? { "200": { description: success.description, content: { "*/*": { schema: {} } } } }
        : {}),
      ...failureResponses(route, groupErrorsByStatus(route, meaningOf)),
    },
  };
}

function successResponse({ description, schema, example }: Route["success"], media: string): Json {
  return { description, content: { [media]: { schema: toJsonSchema(schema, "output"), example } } };
}

/** Returns the name of the GraphQL operation that a route runs. */
export function getOperationName({ document }: Route): string {
  const [definition] = document.definitions;
  return definition && "name" in definition ? (definition.name?.value ?? "") : "";
}

/** Builds the OpenAPI document. */
export function buildOpenApiDocument(baseUrl: string, meaningOf: MeaningOf): Json {
  const paths: Record<string, Json> = {};
  for (const route of ROUTES) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, meaningOf) };
  }
  for (const route of FILE_ROUTES) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: fileOperation(route, meaningOf) };
  }
  for (const route of OAUTH_ROUTES) paths[route.path] = oauthPath(route);
  for (const route of OPENAI_ROUTES) {
    paths[route.path] = { [route.method.toLowerCase()]: openAiOperation(route, meaningOf) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Satchel",
      version: "1",
      description:
        "A wallet for AI agents that pays for X402 resources within limits. GraphQL at `/graphql` offers the same operations and more.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: baseUrl }],
    security: [{ serviceToken: [] }, { bearer: [] }],
    paths,
    components: {
      securitySchemes: {
        serviceToken: {
          type: "apiKey",
          in: "header",
          name: "X-Service-Token",
          description: "An API token, or on the fetch proxy a one-time purchase token.",
        },
        loginToken: {
          type: "http",
          scheme: "bearer",
          description:
            "A login identity token: one from the dashboard, or an access token of the login identity provider.",
        },
        bearer: { type: "http", scheme: "bearer", description: "An API token or an OAuth access token." },
        oauthClient: {
          type: "http",
          scheme: "basic",
          description: "The client ID and secret of an application; both may be sent in the body instead.",
        },
      },
      headers: { ...HEADERS, ...OPENAI_HEADERS },
      schemas: { Error: ERROR_SCHEMA, OAuthError: OAUTH_ERROR_SCHEMA, OpenAiError: OPENAI_ERROR_SCHEMA },
    },
  };
}
