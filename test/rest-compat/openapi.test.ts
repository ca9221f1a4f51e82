import { validate } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorsByStatus, operationName } from "../../rest-compat/openapi.ts";
import { OAUTH_ROUTES } from "../../rest-compat/routes/oauth.ts";
import { ROUTES } from "../../rest-compat/routes.ts";
import { buildSchema } from "../../schema/schema.ts";
import { type Stack, startStack } from "../support/stack.ts";

let stack: Stack;
// biome-ignore lint/suspicious/noExplicitAny: the document is read as any client reads it.
let document: any;

beforeAll(async () => {
  stack = await startStack();
  document = (await stack.rest(null, "GET", "/openapi.json")).json;
});
afterAll(() => stack.stop());

it("is OpenAPI 3.1 and names this service's address", () => {
  expect(document.openapi).toBe("3.1.0");
  expect(document.servers).toEqual([{ url: stack.baseUrl }]);
  const paths = [...ROUTES, ...OAUTH_ROUTES].map(({ path }) => path);
  expect(Object.keys(document.paths).toSorted()).toEqual(paths.toSorted());
});

describe.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))("%s", (_name, route) => {
  const operation = () => document.paths[route.path][route.method.toLowerCase()];

  it("runs a document that is valid for the schema", () => {
    expect(validate(buildSchema(), route.document)).toEqual([]);
    expect(operation().operationId).toBe(operationName(route));
  });

  it("documents each of its statuses and codes", () => {
    for (const [status, codes] of errorsByStatus(route)) {
      const { description, content } = operation().responses[status];
      for (const code of codes) expect(description).toContain(`\`${code}\``);
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
    ).toBe(route.movesMoney);
    expect(route.success.schema.safeParse(route.success.example).error).toBeUndefined();
  });
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
      const { schema } = post.requestBody.content["application/x-www-form-urlencoded"];
      expect(Object.keys(schema.properties)).toEqual(names);
    }
    if (route.success) expect(route.success.schema.safeParse(route.success.example).error).toBeUndefined();
  });
});

it("no two operations have one name", () => {
  const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
});

it("every reference leads somewhere", () => {
  for (const [, pointer] of JSON.stringify(document).matchAll(/"\$ref":"#([^"]+)"/g)) {
    const target = pointer
      ?.slice(1)
      .split("/")
      .reduce((node, part) => node?.[part], document);
    expect(target, pointer).toBeDefined();
  }
});

it("/docs is one page without script that shows every route", async () => {
  const { status, text, headers } = await stack.rest(null, "GET", "/docs");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toContain("text/html");
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(text).not.toMatch(/<script|<style|style=|(?:src|href)="https?:/);
  for (const { path, query } of ROUTES) {
    expect(text).toContain(path);
    for (const name of Object.keys(query.shape)) expect(text).toContain(`<code>${name}</code>`);
  }
  for (const { path, parameters } of OAUTH_ROUTES) {
    expect(text).toContain(path);
    for (const name of Object.keys(parameters.shape)) expect(text).toContain(`<code>${name}</code>`);
  }
  expect((await stack.rest(null, "GET", "/docs/style.css")).headers.get("content-type")).toContain("text/css");
});
