import { Validator } from "@seriousme/openapi-schema-validator";
import fastify from "fastify";
import { type GraphQLUnionType, validate } from "graphql";
import { beforeAll, describe, expect, it } from "vitest";
import { toOpenAiCode } from "../../rest-compat/dialects/openai-failure.ts";
import { readErrorMeanings } from "../../rest-compat/error-meanings.ts";
import { groupErrorsByStatus } from "../../rest-compat/error-openapi.ts";
import { FILE_ROUTES } from "../../rest-compat/file-routes.ts";
import { toJsonSchema } from "../../rest-compat/json-schema.ts";
import { formatEventStream, groupOpenAiErrors } from "../../rest-compat/openai-openapi.ts";
import { getOperationName } from "../../rest-compat/openapi.ts";
import { registerRestRoutes } from "../../rest-compat/register.ts";
import { routerPath } from "../../rest-compat/route.ts";
import { OAUTH_ROUTES } from "../../rest-compat/routes/oauth.ts";
import { OPENAI_ROUTES } from "../../rest-compat/routes/openai.ts";
import { ROUTES } from "../../rest-compat/routes.ts";
import { buildSchema } from "../../schema/schema.ts";
import { getSharedBrowser } from "../support/browser.ts";
import { findSeriousIssues } from "../support/pages.ts";
import { type Stack, sharedStack } from "../support/stack.ts";

/** Routes without an operation: the documentation, a page's script and catch-all routes. */
const UNDESCRIBED = ["/openapi.json", "/docs", "/docs/style.css", "/oauth/opener.js", "/api/*", "/v1/*"];

const meaningOf = readErrorMeanings(buildSchema());

let stack: Stack;
// biome-ignore lint/suspicious/noExplicitAny: the document is read as any client reads it.
let document: any;

beforeAll(async () => {
  stack = await sharedStack();
  document = (await stack.rest(null, "GET", "/openapi.json")).json;
});

it("is a valid OpenAPI 3.1 document with the service's base URL", async () => {
  expect(document.openapi).toBe("3.1.0");
  expect(document.servers).toEqual([{ url: stack.baseUrl }]);
  expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
});

it("describes exactly the registered routes", async () => {
  const app = fastify();
  const urls = new Set<string>();
  app.addHook("onRoute", ({ url }) => void urls.add(url));
  const { site } = stack.service.deps;
  const unlimited = { countRequest: async () => {}, unknownMembers: "refuse" as const };
  registerRestRoutes(app, { schema: buildSchema(), createContext: async () => ({ viewer: null }), ...unlimited, site });
  await app.ready();
  // The service registers file routes in addition.
  const paths = [...urls, ...FILE_ROUTES.map(routerPath)]
    .filter((url) => !UNDESCRIBED.includes(url))
    .map((url) => url.replace("*", "{id}").replaceAll(/:(\w+)/g, "{$1}"));
  expect(Object.keys(document.paths).toSorted()).toEqual(paths.toSorted());
});

describe.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))("%s", (_name, route) => {
  const operation = () => document.paths[route.path][route.method.toLowerCase()];

  it("runs a document that is valid for the schema", () => {
    expect(validate(buildSchema(), route.document)).toEqual([]);
    expect(operation().operationId).toBe(getOperationName(route));
  });

  it("documents each of its statuses and codes", () => {
    for (const [status, codes] of groupErrorsByStatus(route, meaningOf)) {
      const { description, content } = operation().responses[status];
      for (const { code, meaning } of codes) {
        expect(meaning).toMatch(/\S/);
        expect(description).toContain(`\`${code}\`: ${meaning}`);
      }
      expect(content["application/json"].schema.allOf[0].$ref).toBe("#/components/schemas/Error");
    }
    expect(Object.keys(operation().responses)).toEqual(expect.arrayContaining(["200", "400", "401", "500"]));
  });

  it("describes every parameter, and its example fits its schema", () => {
    for (const parameter of operation().parameters) {
      expect(parameter).toMatchObject({
        name: expect.any(String),
        description: expect.stringMatching(/\S/),
        schema: expect.any(Object),
      });
    }
    expect(
      operation()
        .parameters.map(({ name }: { name: string }) => name)
        .includes("Idempotency-Key"),
    ).toBe(route.movesMoney || route.acceptsIdempotencyKey === true);
    expect(route.success.schema.safeParse(route.success.example).error).toBeUndefined();
  });
});

it("describes the payment requirements to sign, with additional members", () => {
  const { requestBody } = document.paths["/api/sign-payment"].post;
  const { paymentRequirements } = requestBody.content["application/json"].schema.properties;
  const { accepts } = paymentRequirements.properties;
  expect([paymentRequirements.additionalProperties, accepts.items.additionalProperties]).toEqual([{}, true]);
  const named = ["scheme", "network", "maxAmountRequired", "resource", "payTo", "asset", "maxTimeoutSeconds", "extra"];
  expect(Object.keys(accepts.items.properties)).toEqual(expect.arrayContaining(named));
});

it("describes response headers", () => {
  const limit = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
  const headersOf = (path: string, method: string, status: number) =>
    Object.keys(document.paths[path][method].responses[status].headers ?? {});
  expect(headersOf("/api/trade", "post", 200)).toEqual(limit);
  expect(headersOf("/api/trade", "post", 400)).toEqual(limit);
  expect(headersOf("/api/trade", "post", 429)).toEqual([...limit, "Retry-After"]);
  expect(headersOf("/api/agent/email/send", "post", 429)).toEqual([...limit, "Retry-After"]);
  expect(headersOf("/api/autofill/dispatch", "post", 429)).toEqual(["Retry-After"]);
  expect(headersOf("/api/balance", "get", 401)).toEqual(["WWW-Authenticate"]);
  expect(headersOf("/api/balance", "get", 200)).toEqual([]);
});

it("documents defaults of optional parameters, and the accepted time formats", () => {
  const schemaOf = (path: string, method: string, name: string) =>
    document.paths[path][method].parameters.find((parameter: { name: string }) => parameter.name === name).schema;
  expect(schemaOf("/api/x402/fetch", "post", "timeout")).toEqual({
    type: "integer",
    minimum: 1,
    maximum: 120_000,
    default: 30_000,
  });
  expect(schemaOf("/api/x402/fetch", "post", "method").default).toBe("GET");
  expect(schemaOf("/api/transactions", "get", "limit").default).toBe(20);
  expect(schemaOf("/api/trade/quote", "get", "slippagePercentage").default).toBe(1);
  const from = schemaOf("/api/transactions", "get", "from");
  expect(from.anyOf.map(({ format }: { format: string }) => format)).toEqual(["date-time", "date"]);
  expect(from).not.toHaveProperty("format");
});

describe.each(OAUTH_ROUTES.map((route) => [route.path, route] as const))("%s", (path, route) => {
  it("runs a document that is valid for the schema", () => {
    expect(validate(buildSchema(), route.document)).toEqual([]);
  });

  it("describes every parameter, where it is sent, and its example fits its schema", () => {
    expect(Object.keys(document.paths[path])).toEqual(route.methods.map((method) => method.toLowerCase()));
    const names = Object.keys(route.parameters.shape);
    const { get, post } = document.paths[path];
    for (const parameter of get?.parameters ?? []) expect(parameter.description).toMatch(/\S/);
    if (get) expect(get.parameters.map(({ name }: { name: string }) => name)).toEqual(names);
    if (post && names.length > 0) {
      const type = route.body === "json" ? "application/json" : "application/x-www-form-urlencoded";
      const { schema } = post.requestBody.content[type];
      expect(Object.keys(schema.properties)).toEqual(names);
    }
    if (route.success) expect(route.success.schema.safeParse(route.success.example).error).toBeUndefined();
  });
});

describe.each(OPENAI_ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))("%s", (_name, route) => {
  const operation = () => document.paths[route.path][route.method.toLowerCase()];

  it("describes its input, and its examples fit their schemas", () => {
    const names = [...Object.keys(route.parameters.shape), ...(route.movesMoney ? ["Idempotency-Key"] : [])];
    expect(operation().parameters.map(({ name }: { name: string }) => name)).toEqual(names);
    for (const parameter of operation().parameters) expect(parameter.description).toMatch(/\S/);
    expect(route.body?.schema.safeParse(route.body.example).error).toBeUndefined();
    expect(route.success.schema.safeParse(route.success.example).error).toBeUndefined();
  });

  it("documents each of its statuses, codes and headers", () => {
    const { "200": successful, ...failed } = operation().responses;
    const always = route.movesMoney ? ["x-request-id", "x-satchel-cost-usd", "x-satchel-payment-id"] : ["x-request-id"];
    expect(Object.keys(successful.headers)).toEqual(expect.arrayContaining(always));
    const errors = groupOpenAiErrors(route, meaningOf);
    expect(Object.keys(failed)).toEqual([...errors.keys()].map(String));
    for (const [status, codes] of errors) {
      const { description, content, headers } = failed[status];
      for (const { code, meaning } of codes) expect(description).toContain(`\`${code}\`: ${meaning}`);
      expect(content["application/json"].schema.$ref).toBe("#/components/schemas/OpenAiError");
      expect(Object.keys(headers)).toEqual(expect.arrayContaining(always));
    }
    expect(failed["500"].headers).toHaveProperty("x-should-retry");
  });
});

describe.each(FILE_ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))("%s", (_name, route) => {
  const { method, path, query, response: answer } = route;

  it("is served, rejects other methods, and requires authentication", async () => {
    const requestPath = path.replaceAll(/\{\w+\}/g, "none");
    const unknown = await stack.rest(null, method, requestPath, method === "POST" ? "{}" : undefined);
    expect([unknown.status, unknown.json.error]).toEqual([401, "unauthorized"]);
    expect(unknown.headers.get("cache-control")).toBe("no-store");
    const { token } = await stack.account();
    const other = await stack.rest(token, "DELETE", requestPath);
    const allowed = method === "GET" ? "GET, HEAD, OPTIONS" : `${method}, OPTIONS`;
    const isApi = path.startsWith("/api/");
    expect([other.status, other.headers.get("allow")]).toEqual(isApi ? [405, allowed] : [404, null]);
  });

  it("documents its input and response", () => {
    const { parameters, responses, requestBody } = document.paths[path][method.toLowerCase()];
    expect(parameters.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(Object.keys(query.shape)),
    );
    for (const { description } of parameters) expect(description).toMatch(/\S/);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "400", "401", "403", "404", "500"]));
    expect(Object.keys(responses["200"].content)).not.toEqual([]);
    expect(requestBody !== undefined).toBe(method === "POST");
    if (answer.json) expect(answer.json.schema.safeParse(answer.json.example).error).toBeUndefined();
  });
});

it("parameters with their own error code for absence are documented as required", () => {
  const required = (path: string) =>
    document.paths[path].get.parameters
      .filter((parameter: { required: boolean }) => parameter.required)
      .map(({ name }: { name: string }) => name);
  expect(required("/api/autofill/products/search")).toEqual(["q", "country"]);
  expect(required("/api/autofill/products/lookup")).toEqual(["url"]);
});

it("error details are described in the routes that return them", () => {
  const figures = (path: string, status: number) => {
    const { content } = document.paths[path].post.responses[status];
    return Object.keys(content["application/json"].schema.allOf[1].properties);
  };
  expect(figures("/api/autofill/shopify/quote", 409)).toEqual(
    expect.arrayContaining([
      "max_total_minor",
      "expected_amount_minor",
      "max_shipping_minor",
      "shipping_minor",
      "option_id",
    ]),
  );
  expect(figures("/api/autofill/shopify/quote", 400)).toContain("detail");
  expect(figures("/api/autofill/shopify/quote", 422)).toEqual(["error", "sku", "nearest"]);
  expect(figures("/api/autofill/dispatch", 409)).toContain("pickup_resolution");
});

it("documents the errors of the chat operation", () => {
  const union = buildSchema().getType("CompleteChatResult") as GraphQLUnionType;
  const failures = union.getTypes().map(({ name }) =>
    name
      .replace(/Error$/, "")
      .replace(/(?<!^)(?=[A-Z])/g, "_")
      .toLowerCase(),
  );
  const [chat] = OPENAI_ROUTES;
  // The excluded code concerns purchase tokens, which are not valid for chats.
  const elsewhere = ["complete_chat_success", "not_found"];
  expect(chat?.errors).toEqual(expect.arrayContaining(failures.filter((name) => !elsewhere.includes(name))));
});

it("the example of a stream is a complete event stream", () => {
  const [chat] = OPENAI_ROUTES;
  const { "application/json": whole, "text/event-stream": streamed } =
    document.paths["/v1/chat/completions"].post.responses["200"].content;
  expect(whole.example.object).toBe("chat.completion");
  expect(streamed.example).toBe(formatEventStream(chat?.stream?.example ?? []));
  const data = [...streamed.example.matchAll(/^data: (.*)$/gm)].map(([, text]) => text);
  expect(data.pop()).toBe("[DONE]");
  for (const text of data) expect(JSON.parse(text).object).toBe("chat.completion.chunk");
});

it("the model list fits its schema", async () => {
  const { token } = await stack.account();
  const [, models, model] = OPENAI_ROUTES;
  const list = await stack.rest(token, "GET", "/v1/models");
  expect(list.json.data.map(({ id }: { id: string }) => id)).toContain("sandbox/echo");
  expect(models?.success.schema.safeParse(list.json).error).toBeUndefined();
  for (const path of ["/v1/models/sandbox/echo", "/v1/models/sandbox%2Fecho"]) {
    const one = await stack.rest(token, "GET", path);
    expect([path, one.status, one.json.id]).toEqual([path, 200, "sandbox/echo"]);
    expect(model?.success.schema.safeParse(one.json).error).toBeUndefined();
  }
});

it("operation IDs are unique", () => {
  const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

it("every reference resolves", () => {
  for (const [, pointer] of JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)) {
    const target = pointer
      ?.slice(1)
      .split("/")
      .reduce((node, part) => node?.[part], document);
    expect(target, pointer).toBeDefined();
  }
});

it("/docs is one page without scripts that lists every route", async () => {
  const { status, text, headers } = await stack.rest(null, "GET", "/docs");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toContain("text/html");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(text).not.toMatch(/<script|<style|style=|(?:src|href)="https?:/);
  for (const { path, query } of [...ROUTES, ...FILE_ROUTES]) {
    expect(text.split(`</span>${path}</span>`).length, path).toBeGreaterThan(2);
    for (const name of Object.keys(query.shape)) expect(text).toContain(`<code>${name}</code>`);
  }
  for (const { path, parameters } of OAUTH_ROUTES) {
    expect(text).toContain(path);
    for (const name of Object.keys(parameters.shape)) expect(text).toContain(`<code>${name}</code>`);
  }
  for (const { path, body, errors } of OPENAI_ROUTES) {
    expect(text).toContain(path);
    const { properties = {} } = body ? (toJsonSchema(body.schema, "input") as { properties?: object }) : {};
    for (const name of Object.keys(properties)) expect(text).toContain(`<code>${name}</code>`);
    for (const code of errors) expect(text).toContain(`<code>${toOpenAiCode(code)}</code>`);
  }
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, target] of text.matchAll(/ href="#([^"]+)"/g)) expect(ids).toContain(target);
  for (const title of ["Wallet and payments", "Trading", "Agent and mail", "Shopping", "Language models", "OAuth"]) {
    expect(text).toMatch(new RegExp(`<h2 id="[a-z]+">${title}</h2>`));
  }
  expect((await stack.rest(null, "GET", "/docs/style.css")).headers.get("content-type")).toContain("text/css");
});

it("/docs is accessible by keyboard and on a phone, with all details open", async ({ onTestFinished }) => {
  const page = await (await getSharedBrowser()).newPage({ viewport: { width: 320, height: 640 } });
  onTestFinished(() => page.close());
  await page.goto(`${stack.baseUrl}/docs`);
  await page.evaluate("document.querySelectorAll('details').forEach((it) => { it.open = true; })");
  const beyond = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
  expect(beyond).toBe(0);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await findSeriousIssues(page), "light").toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findSeriousIssues(page, "colours"), "dark").toEqual([]);
  await expect
    .poll(() => page.locator("section > details").count())
    .toBe(ROUTES.length + FILE_ROUTES.length + OPENAI_ROUTES.length);
  await page.locator(".up a").last().click();
  expect(new URL(page.url()).hash).toBe("#index");
});
