/** OpenAPI 3.1, generated from the route tables. */
import { type DescribedCode, described, type MeaningOf } from "./described-codes.ts";
import { jsonSchema, parametersOf } from "./json-schema.ts";
import { OAUTH_ERROR_SCHEMA, oauthPath } from "./oauth-openapi.ts";
import { OPENAI_ERROR_SCHEMA, OPENAI_HEADERS, openAiOperation } from "./openai-openapi.ts";
import { idempotencyHeader } from "./parameters.ts";
import type { Route } from "./route.ts";
import { OAUTH_ROUTES } from "./routes/oauth.ts";
import { OPENAI_ROUTES } from "./routes/openai.ts";
import { ROUTES } from "./routes.ts";
import { byStatus, COMMON_ERRORS } from "./status.ts";

type Json = Record<string, unknown>;

/** The failures of a route by status. */
export function errorsByStatus(route: Route, meaningOf: MeaningOf): Map<number, DescribedCode[]> {
  const codes = [...new Set([...COMMON_ERRORS, ...route.errors])].filter(
    (code) => code !== "payload_too_large" || route.body !== null,
  );
  const rows = [...byStatus(codes)];
  return new Map(rows.map(([status, own]) => [status, own.map((code) => ({ code, meaning: meaningOf(code) }))]));
}

function operation(route: Route, meaningOf: MeaningOf): Json {
  const { success, query, pathParameters, body, summary, description, dialect } = route;
  const { movesMoney, takesIdempotencyKey = false } = route;
  const media = dialect === "proxy" ? "*/*" : "application/json";
  return {
    operationId: operationName(route),
    summary,
    description: `${description}\n\n${route.scope === null ? "" : `Scope: \`${route.scope}\`. `}GraphQL: \`${operationName(route)}\`.`,
    ...(route.authentication === "login_token" ? { security: [{ loginToken: [] }] } : {}),
    ...(route.authentication === "none" ? { security: [] } : {}),
    parameters: [
      ...(pathParameters ? parametersOf(pathParameters, "path") : []),
      ...parametersOf(query, "query"),
      ...(movesMoney || takesIdempotencyKey ? parametersOf(idempotencyHeader, "header") : []),
    ],
    ...(body
      ? {
          requestBody: {
            required: dialect !== "proxy" && !body.safeParse(undefined).success,
            content: { "application/json": { schema: jsonSchema(body, "input") } },
          },
        }
      : {}),
    responses: {
      [dialect === "proxy" ? "default" : "200"]: successResponse(success, media),
      ...(route.accepted ? { "202": successResponse(route.accepted, media) } : {}),
      ...(dialect === "proxy"
        ? { "200": { description: success.description, content: { "*/*": { schema: {} } } } }
        : {}),
      ...Object.fromEntries(
        [...errorsByStatus(route, meaningOf)].map(([status, codes]) => [status, failureResponse(codes)]),
      ),
    },
  };
}

function successResponse({ description, schema, example }: Route["success"], media: string): Json {
  return { description, content: { [media]: { schema: jsonSchema(schema, "output"), example } } };
}

function failureResponse(codes: readonly DescribedCode[]): Json {
  const named = codes.map(({ code }) => code);
  return {
    description: described(codes),
    content: {
      "application/json": {
        schema: {
          allOf: [{ $ref: "#/components/schemas/Error" }, { properties: { error: { enum: named } } }],
        },
      },
    },
  };
}

/** The name of the GraphQL operation that a route runs. */
export function operationName({ document }: Route): string {
  const [definition] = document.definitions;
  return definition && "name" in definition ? (definition.name?.value ?? "") : "";
}

const ERROR_SCHEMA = {
  type: "object",
  required: ["error", "error_description", "message"],
  properties: {
    error: { type: "string", description: "What went wrong, for programs; it never changes its meaning." },
    error_description: { type: "string", description: "What happened, what did not, and what to do." },
    message: { type: "string", description: "The same text." },
    field: { type: "string", description: "The parameter or member at fault." },
    limit: {
      type: ["number", "string"],
      description: "The limit in the way: US dollars, or atomic units for maxValue.",
    },
    remaining: { type: ["number", "string"], description: "What is left of it." },
    required: { type: ["number", "string"], description: "What the payment needs." },
    accepts: { type: "array", items: {}, description: "The target's offers, as received." },
    paymentId: { type: "string", description: "The payment that was made before the target failed." },
    queued: { type: "boolean", description: "Whether a letter that was not sent is tried again by itself." },
    id: { type: "string", description: "The trade or the message that was begun." },
    messageId: { type: "string", description: "The letter's `Message-ID`." },
    request_id: { type: "string", description: "Finds the failure in the service's logs." },
  },
};

/** The whole document. */
export function openApiDocument(baseUrl: string, meaningOf: MeaningOf): Json {
  const paths: Record<string, Json> = {};
  for (const route of ROUTES) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route, meaningOf) };
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
        "A wallet that pays X402 resources within limits. The same operations, and more, are in GraphQL at `/graphql`.",
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
          description: "An API token; on the fetch proxy a one-time purchase token too.",
        },
        loginToken: {
          type: "http",
          scheme: "bearer",
          description:
            "A login identity token: the dashboard's own, or an access token of the login identity provider.",
        },
        bearer: { type: "http", scheme: "bearer", description: "The same token, or an access token." },
        oauthClient: {
          type: "http",
          scheme: "basic",
          description: "An application's client id and secret; both may also be sent in the body.",
        },
      },
      headers: OPENAI_HEADERS,
      schemas: { Error: ERROR_SCHEMA, OAuthError: OAUTH_ERROR_SCHEMA, OpenAiError: OPENAI_ERROR_SCHEMA },
    },
  };
}
