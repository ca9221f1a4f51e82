import { createHash } from "node:crypto";
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { BatchHttpLink } from "@apollo/client/link/batch-http";
import { PersistedQueryLink } from "@apollo/client/link/persisted-queries";
import { expect, test } from "vitest";
import { createPersistedDocuments } from "../../src/platform/graphql/persisted-documents.ts";
import { post, startServer } from "./server.ts";
import { TRANSPORTS } from "./transports.ts";

const sha256 = (query: string) => createHash("sha256").update(query).digest("hex");
const byHash = (sha256Hash: unknown, version: unknown = 1) => ({
  extensions: { persistedQuery: { version, sha256Hash } },
});
const NOT_FOUND = [{ message: "PersistedQueryNotFound", extensions: { code: "PERSISTED_QUERY_NOT_FOUND" } }];

test.each(Object.entries(TRANSPORTS))("%s: registers a document, then finds it by its hash", async (_name, send) => {
  const server = await startServer();
  const query = "query Greet($name: String) { hello(name: $name) } query Other { hello }";
  const params = { operationName: "Greet", variables: { name: "Ann" }, ...byHash(sha256(query)) };
  const greeting = { data: { hello: "Hello, Ann" } };
  expect(await send(server, params)).toEqual({ errors: NOT_FOUND });
  expect(await send(server, { ...params, query })).toEqual(greeting);
  expect(await send(server, params)).toEqual(greeting);
  // The store is shared by all transports.
  expect((await post(server.url, params)).body).toEqual(greeting);
});

test.each([
  ["application/json", 200],
  ["application/graphql-response+json", 400],
])("an unknown hash causes %2$i for %1$s", async (accept, status) => {
  const { url } = await startServer();
  const response = await post(url, byHash(sha256("{ hello }")), { accept });
  expect(response.status).toBe(status);
  expect(response.body).toEqual({ errors: NOT_FOUND });
});

test.each([
  ["a hash of another document", { query: "{ hello }", ...byHash(sha256("{ me }")) }],
  ["another version", { query: "{ hello }", ...byHash(sha256("{ hello }"), 2) }],
  ["a malformed hash", byHash("d8d8")],
  ["a hash that is a list", byHash([sha256("{ hello }")])],
  ["a persisted query that is a list", { extensions: { persistedQuery: [] } }],
])("%s is rejected with 400 on each transport and registers nothing", async (_what, params) => {
  const server = await startServer();
  expect((await post(server.url, params)).status).toBe(400);
  for (const send of Object.values(TRANSPORTS)) {
    expect((await send(server, params)).errors).toEqual([
      { message: expect.any(String), extensions: { code: "BAD_REQUEST" } },
    ]);
  }
  for (const query of ["{ hello }", "{ me }"]) {
    expect((await post(server.url, byHash(sha256(query)))).body).toEqual({ errors: NOT_FOUND });
  }
});

test("invalid and oversized documents are not registered", async () => {
  const { url } = await startServer({ limits: { maxDocumentBytes: 100 } });
  for (const query of ["{ nope }", "{ hello", `{ hello } # ${"x".repeat(100)}`]) {
    expect((await post(url, { query, ...byHash(sha256(query)) })).body.errors).toHaveLength(1);
    expect((await post(url, byHash(sha256(query)))).body).toEqual({ errors: NOT_FOUND });
  }
});

test("a mutation by its hash requires POST", async () => {
  const { url, counters } = await startServer();
  const query = "mutation { pay }";
  await post(url, { query, ...byHash(sha256(query)) });
  const search = new URLSearchParams({ extensions: JSON.stringify(byHash(sha256(query)).extensions) });
  expect((await fetch(`${url}?${search}`)).status).toBe(405);
  expect(counters.payments).toBe(1);
});

test.each([
  ["POST", false],
  ["GET", true],
])(
  "Apollo's PersistedQueryLink registers its documents by %s, then sends only hashes",
  async (_method, useGETForHashedQueries) => {
    const { url } = await startServer();
    const bodies: string[] = [];
    const record: typeof fetch = (input, init) => {
      bodies.push(`${input} ${init?.body ?? ""}`);
      return fetch(input, init);
    };
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: new PersistedQueryLink({ sha256, useGETForHashedQueries }).concat(
        new HttpLink({ uri: url, fetch: record }),
      ),
    });
    const query = gql`query Greet($name: String) { hello(name: $name) }`;
    for (const name of ["Ann", "Bob"]) {
      expect((await client.query({ query, variables: { name } })).data).toEqual({ hello: `Hello, ${name}` });
    }
    expect(bodies.map((body) => decodeURIComponent(body).includes("query Greet"))).toEqual([false, true, false]);
    client.stop();
  },
);

test("Apollo's batches register each document and receive each error of a batch above the limit", async () => {
  const { url } = await startServer({ limits: { maxBatch: 2 } });
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: new PersistedQueryLink({ sha256 }).concat(new BatchHttpLink({ uri: url, batchMax: 10 })),
  });
  const queries = [gql`query A { hello }`, gql`query B { me }`, gql`query C { hello }`];
  const run = (count: number) =>
    Promise.all(
      queries.slice(0, count).map((query) => client.query({ query, errorPolicy: "all", fetchPolicy: "network-only" })),
    );
  for (let round = 0; round < 2; round++) {
    expect((await run(2)).map(({ data }) => data)).toEqual([{ hello: "Hello, world" }, { me: null }]);
  }
  const over = await run(3);
  expect(over.map(({ error }) => error?.message)).toEqual(
    queries.map(() => "The operation exceeds the limit of 2 operations in a batch."),
  );
  client.stop();
});

test("documents that are registered once do not evict documents that are requested by their hash", () => {
  const documents = createPersistedDocuments();
  documents.register("used", "{ hello }");
  expect(documents.find("used")).toBe("{ hello }");
  documents.register("unused", "{ me }");
  for (let i = 0; i < 300; i++) documents.register(`large ${i}`, "x".repeat(65_536));
  expect(documents.find("used")).toBe("{ hello }");
  expect(documents.find("unused")).toBeUndefined();
  expect(documents.find("large 299")).toHaveLength(65_536);
  expect(documents.find("large 0")).toBeUndefined();
});
