import { getIntrospectionQuery } from "graphql";
import { expect, test } from "vitest";
import { post, startServer } from "./server.ts";

const RESPONSE_JSON = { accept: "application/graphql-response+json" };

test("responds to repeated POST requests with variables, interpreted and compiled", async () => {
  const { url } = await startServer();
  const query = "query ($name: String) { hello(name: $name) node { child { name } } }";
  for (const name of ["Ann", "Bob", "Cy"]) {
    const response = await post(url, { query, variables: { name } });
    expect(response.status).toBe(200);
    expect(response.type).toBe("application/json; charset=utf-8");
    expect(response.body).toEqual({ data: { hello: `Hello, ${name}`, node: { child: { name: "n." } } } });
  }
});

test.each([
  ["application/json", "application/json", 200],
  ["*/*", "application/json", 200],
  ["application/graphql-response+json", "application/graphql-response+json", 400],
  ["application/graphql-response+json, application/json;q=0.9", "application/graphql-response+json", 400],
  ["application/graphql-response+json;q=0, application/json", "application/json", 200],
  ["application/json, text/event-stream, multipart/mixed", "application/json", 200],
  ["application/json;q=0.5, application/graphql-response+json;q=0.9", "application/graphql-response+json", 400],
  ["*/*;q=0.1, application/graphql-response+json", "application/graphql-response+json", 400],
  ["application/json;q=0.9, application/graphql-response+json;q=0.9", "application/json", 200],
])("a request that accepts %s receives %s and %i for an invalid document", async (accept, type, status) => {
  const { url } = await startServer();
  for (const query of ["{ nope }", "{ hello", "query ($name: Int) { hello(name: $name) }"]) {
    const response = await post(url, { query }, { accept });
    expect(response).toMatchObject({ status, type: `${type}; charset=utf-8` });
    expect(response.body.errors).toHaveLength(1);
    expect(response.body).not.toHaveProperty("data");
  }
});

test("invalid variables cause the same error before and after compilation", async () => {
  const { url } = await startServer();
  const query = "query ($colour: Colour!) { paint(colour: $colour) }";
  const responses = [];
  for (let i = 0; i < 3; i++) responses.push(await post(url, { query, variables: { colour: "REDD" } }, RESPONSE_JSON));
  for (const response of responses) {
    expect(response.status).toBe(400);
    expect(response.body).toEqual(responses[0]?.body);
    expect(response.body.errors?.[0]?.extensions).toEqual({
      code: "BAD_USER_INPUT",
      problems: [{ path: ["colour"], message: 'The value does not exist in "Colour" enum.' }],
    });
    expect(response.text).not.toContain("Did you mean");
  }
});

test.each([
  ["not JSON", "{ hello }", 400],
  ["a number", "5", 400],
  ["null", "null", 400],
  ["no query", "{}", 400],
  ["an empty body", "", 400],
  ["variables that are a list", '{"query":"{hello}","variables":[]}', 400],
  ["an operation name that is a number", '{"query":"{hello}","operationName":5}', 400],
])("%s is rejected with %3$i for any Accept header", async (_what, createPost, status) => {
  const { url } = await startServer();
  for (const accept of ["application/json", "application/graphql-response+json"]) {
    const response = await post(url, createPost, { accept });
    expect(response.status).toBe(status);
    expect(response.body.errors?.[0]?.extensions?.["code"]).toBe("BAD_REQUEST");
  }
});

test("selects the named operation and rejects a missing or unknown name", async () => {
  const { url } = await startServer();
  const query = "query A { a: hello } query B { b: hello }";
  expect((await post(url, { query, operationName: "B" })).body.data).toEqual({ b: "Hello, world" });
  expect((await post(url, { query, operationName: "A" })).body.data).toEqual({ a: "Hello, world" });
  for (const operationName of [undefined, "C"]) {
    const response = await post(url, { query, operationName }, RESPONSE_JSON);
    expect(response.status).toBe(400);
    expect(response.body.errors?.[0]?.extensions?.["code"]).toBe("OPERATION_RESOLUTION_FAILURE");
  }
});

test("a batch returns results in order, and a batch above the limit is rejected", async () => {
  const { url, counters } = await startServer({ limits: { maxBatch: 3 } });
  const batch = ["{ hello }", "{ nope }", "mutation { pay }"].map((query) => ({ query }));
  const response = await post(url, batch);
  expect(response.status).toBe(200);
  expect(JSON.parse(response.text)).toEqual([
    { data: { hello: "Hello, world" } },
    { errors: [expect.objectContaining({ message: 'Cannot query field "nope" on type "Query".' })] },
    { data: { pay: 1 } },
  ]);
  const over = await post(url, [...batch, { query: "mutation { pay }" }]);
  expect(over.status).toBe(413);
  expect(JSON.parse(over.text)).toEqual(
    Array(4).fill({
      errors: [
        {
          message: "The operation exceeds the limit of 3 operations in a batch.",
          extensions: { code: "OPERATION_LIMIT_EXCEEDED", limit: 3 },
        },
      ],
    }),
  );
  expect(counters.payments).toBe(1);
});

test.each([
  ["an empty batch", 0, {}, 400, 1, "BAD_REQUEST"],
  ["a batch of 100 operations", 100, {}, 413, 100, "OPERATION_LIMIT_EXCEEDED"],
  ["a batch of 100,000 operations", 100_000, {}, 413, 1, "OPERATION_LIMIT_EXCEEDED"],
  ["a batch whose results the client does not accept", 2, { accept: "text/html" }, 406, 2, "NOT_ACCEPTABLE"],
  ["a batch for an event stream", 2, { accept: "text/event-stream" }, 406, 2, "NOT_ACCEPTABLE"],
])("%s is rejected with an array of results", async (_what, operations, headers, status, results, code) => {
  const { url } = await startServer();
  const response = await post(url, Array(operations).fill(1), headers);
  expect(response.status).toBe(status);
  expect(JSON.parse(response.text)).toEqual(
    Array(results).fill({ errors: [{ message: expect.any(String), extensions: expect.objectContaining({ code }) }] }),
  );
});

test("GET accepts queries but not mutations", async () => {
  const { url, counters } = await startServer();
  const get = (query: string) => fetch(`${url}?query=${encodeURIComponent(query)}`);
  expect(await (await get("{ hello }")).json()).toEqual({ data: { hello: "Hello, world" } });
  const rejected = await get("mutation { pay }");
  expect(rejected.status).toBe(405);
  expect(rejected.headers.get("allow")).toBe("POST");
  expect(counters.payments).toBe(0);
});

test.each([
  "application/x-www-form-urlencoded",
  "text/plain",
  "multipart/form-data; boundary=x",
  "application/graphql",
  "",
])("a POST with content type %j, which any page can send, runs nothing", async (type) => {
  const { url, counters } = await startServer();
  const bodies: Record<string, string> = {
    "application/x-www-form-urlencoded": "query=mutation%20%7B%20pay%20%7D",
    "text/plain": '{"query":"mutation { pay }"}',
    "application/graphql": "mutation { pay }",
    "multipart/form-data; boundary=x":
      '--x\r\ncontent-disposition: form-data; name="operations"\r\n\r\n{"query":"mutation { pay }"}\r\n' +
      '--x\r\ncontent-disposition: form-data; name="map"\r\n\r\n{}\r\n--x--\r\n',
  };
  const body = new TextEncoder().encode(bodies[type] ?? '{"query":"mutation { pay }"}');
  const response = await fetch(url, { method: "POST", headers: type ? { "content-type": type } : {}, body });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("CSRF_PREVENTED");
  expect(counters.payments).toBe(0);
});

test("a form with a header that requires a preflight is accepted", async () => {
  const { url, counters } = await startServer();
  const body = new URLSearchParams({ query: "mutation { pay }" });
  const response = await fetch(url, { method: "POST", headers: { "x-graphql-yoga-csrf": "1" }, body });
  expect(await response.json()).toEqual({ data: { pay: 1 } });
  expect(counters.payments).toBe(1);
});

test("an invalid credential causes 401, and operations are reported", async () => {
  const { url, operations } = await startServer();
  const response = await post(url, { query: "{ me }" }, { "x-service-token": "nobody" });
  expect(response.status).toBe(401);
  expect(response.body.errors).toEqual([
    { message: "Authentication is missing or invalid.", extensions: { code: "unauthorized" } },
  ]);
  expect((await post(url, { query: "query Me { me }" }, { "x-service-token": "ann" })).body.data).toEqual({
    me: "ann",
  });
  expect(operations.at(-1)).toMatchObject({ operationName: "Me", kind: "query", transport: "http", errorCount: 0 });
  expect(operations.at(-1)?.durationNs).toBeGreaterThan(0);
});

test("responds with 406 if no accepted type is supported", async () => {
  const { url } = await startServer();
  expect((await post(url, { query: "{ hello }" }, { accept: "text/html" })).status).toBe(406);
  expect((await post(url, { query: 'subscription { tick(channel: "a") { count } }' })).status).toBe(406);
});

const REJECTED: [string, RequestInit & { query?: string }, number, string][] = [
  [
    "a GET that accepts no supported type",
    { query: "?query={hello}", headers: { accept: "text/plain" } },
    406,
    "NOT_ACCEPTABLE",
  ],
  ["a GET without a query", {}, 400, "BAD_REQUEST"],
  ["a form without a query", createFormPost("variables={}"), 400, "BAD_REQUEST"],
  ["variables that are not JSON", { query: "?query={hello}&variables={" }, 400, "BAD_REQUEST"],
  ["extensions that are not JSON", { query: "?query={hello}&extensions=x" }, 400, "BAD_REQUEST"],
  ["a form whose variables are not JSON", createFormPost("query={hello}&variables={"), 400, "BAD_REQUEST"],
  ["a body of an unsupported type", body("application/xml"), 415, "UNSUPPORTED_MEDIA_TYPE"],
  ["a body without a type", body(""), 415, "UNSUPPORTED_MEDIA_TYPE"],
  ["PUT", { method: "PUT", body: "{}" }, 405, "BAD_REQUEST"],
  ["DELETE", { method: "DELETE" }, 405, "BAD_REQUEST"],
];

function body(type: string) {
  const headers = { "apollo-require-preflight": "1", ...(type ? { "content-type": type } : {}) };
  return { method: "POST", headers, body: new TextEncoder().encode("<hello/>") };
}

function createFormPost(text: string) {
  return { ...body("application/x-www-form-urlencoded"), body: text };
}

test.each(REJECTED)("%s is rejected with a coded error", async (_what, { query = "", ...init }, status, code) => {
  const { url } = await startServer();
  const response = await fetch(url + query, init);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ errors: [{ message: expect.any(String), extensions: { code } }] });
  if (status === 405) expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
});

test("GraphiQL is served to browsers if it is enabled, with its own content security policy", async () => {
  const on = await startServer({ graphiql: true });
  const page = await fetch(on.url, { headers: { accept: "text/html" } });
  expect(page.headers.get("content-type")).toContain("text/html");
  expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(await page.text()).toContain('"subscriptionsProtocol":"SSE"');
  const own = await startServer({ graphiql: true, renderGraphiql: () => "<p>offline</p>" });
  const offline = await fetch(own.url, { headers: { accept: "text/html" } });
  expect(await offline.text()).toBe("<p>offline</p>");
  expect(offline.headers.get("content-security-policy")).not.toContain("https://unpkg.com");
  const off = await startServer();
  for (const search of ["", "?variables={", "?query=&variables={}"]) {
    expect((await fetch(off.url + search, { headers: { accept: "text/html,*/*" } })).status).toBe(400);
  }
});

test("the introspection query of common tools is within the default limits", async () => {
  const { url } = await startServer({ introspection: true });
  const query = getIntrospectionQuery({
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    inputValueDeprecation: true,
  });
  const response = await post(url, { query, operationName: "IntrospectionQuery" });
  expect(response.body.errors).toBeUndefined();
  expect(response.body.data?.["__schema"]).toHaveProperty("types");
});
