import { GraphQLError, type ValidationRule } from "graphql";
import { expect, test } from "vitest";
import type { GraphqlLimits } from "../../src/platform/graphql/limits.ts";
import { PATHS, post, startServer } from "./server.ts";

const createNestedQuery = (depth: number) =>
  `{ node ${"{ child ".repeat(depth - 2)}{ name }${" }".repeat(depth - 2)} }`;
const repeat = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join(" ");
const createPaddedQuery = (bytes: number) => `{ hello } #${"é".repeat((bytes - 11) / 2)}`;

const fragments = (count: number) => repeat(count, (i) => `fragment F${i} on Query { hello }`);

type Case = [
  limit: keyof GraphqlLimits,
  allowed: number,
  make: (size: number) => { query: string; variables?: Record<string, unknown> },
];

const CASES: Case[] = [
  ["maxDepth", 5, (size) => ({ query: createNestedQuery(size) })],
  ["maxDepth", 5, (size) => ({ query: `{ ...F } fragment F on Query ${createNestedQuery(size)}` })],
  ["maxDepth", 5, (size) => ({ query: `{ ... on Query ${createNestedQuery(size)} }` })],
  ["maxAliases", 4, (size) => ({ query: `{ ${repeat(size, (i) => `a${i}: hello`)} }` })],
  ["maxAliases", 4, (size) => ({ query: `{ ${"...F ".repeat(size)} } fragment F on Query { a: hello }` })],
  ["maxRootFields", 3, (size) => ({ query: `{ ...F ${"hello ".repeat(size - 1)} } fragment F on Query { hello }` })],
  ["maxDirectives", 3, (size) => ({ query: `{ ${repeat(size, (i) => `a${i}: hello @include(if: true)`)} }` })],
  ["maxDirectives", 2, (size) => ({ query: `{ hello ${"@skip(if: false) ".repeat(size === 2 ? 1 : 3)} }` })],
  ["maxFields", 7, (size) => ({ query: `{ node { name ${"...F ".repeat(size - 2)} } } fragment F on Node { name }` })],
  [
    "maxDefinitions",
    4,
    (size) => ({ query: `query Q { ${repeat(size - 1, (i) => `...F${i}`)} } ${fragments(size - 1)}` }),
  ],
  ["maxOverlaps", 3, (size) => ({ query: `{ ${repeat(size, (i) => `a${i}: hello a${i}: hello`)} }` })],
  [
    "maxOverlaps",
    3,
    (size) => ({
      query: `{ node { name ...F } } fragment F on Node { child { ${"name ".repeat(size === 3 ? 3 : 4)} } }`,
    }),
  ],
  [
    "maxOverlaps",
    2,
    (size) => ({ query: `{ ${"...F node { name } ".repeat(size - 1)} } fragment F on Query { hello }` }),
  ],
  ["maxTokens", 20, (size) => ({ query: `{ ${"hello ".repeat(size - 2)} }` })],
  ["maxDocumentBytes", 211, (size) => ({ query: createPaddedQuery(size % 2 ? size : size + 1) })],
  [
    "maxVariablesBytes",
    100,
    (size) => ({ query: "query ($name: String) { hello(name: $name) }", variables: { name: "x".repeat(size - 11) } }),
  ],
];

for (const [path, send] of Object.entries(PATHS)) {
  test.each(CASES)(`${path}: %s accepts %i and rejects one more (case %#)`, async (limit, allowed, make) => {
    const server = await startServer({ limits: { [limit]: allowed } });
    const under = await send(server, make(allowed));
    expect(under.errors).toBeUndefined();
    expect(under.data).toBeTruthy();
    const over = await send(server, make(allowed + 1));
    expect(over.errors?.[0]?.extensions?.["code"]).toBe("OPERATION_LIMIT_EXCEEDED");
    expect(over.data).toBeUndefined();
  });

  test.each([
    ["twice by alias", "mutation { a: pay b: pay }"],
    ["through a fragment", "mutation { pay ...F } fragment F on Mutation { again: pay }"],
    ["by two spreads of a fragment", "mutation { ...F ... on Mutation { ...F } } fragment F on Mutation { a: pay }"],
    ["among other mutations", 'mutation { rename(to: "x") a: pay other: rename(to: "y") b: pay }'],
  ])(`${path}: an operation cannot move money %s`, async (_how, query) => {
    const server = await startServer();
    const rejected = await send(server, { query });
    expect(rejected.errors?.[0]?.extensions?.["code"]).toBe("OPERATION_LIMIT_EXCEEDED");
    expect(server.counters.payments).toBe(0);
    const once = await send(server, { query: 'mutation { ...F rename(to: "x") } fragment F on Mutation { a: pay }' });
    expect(once).toEqual({ data: { a: 1, rename: "x" } });
  });

  test(`${path}: introspection and suggestions are available only if they are enabled`, async () => {
    const closed = await startServer();
    for (const query of ["{ __schema { types { name } } }", '{ __type(name: "Query") { name } }']) {
      expect((await send(closed, { query })).errors?.[0]?.message).toContain("introspection");
    }
    expect((await send(closed, { query: "{ __typename }" })).data).toEqual({ __typename: "Query" });
    const typo = { query: "{ hallo node { nam } }" };
    expect(JSON.stringify(await send(closed, typo))).not.toMatch(/did you mean/i);
    const open = await startServer({ introspection: true, suggestions: true });
    expect((await send(open, { query: '{ __type(name: "Tick") { name } }' })).data).toEqual({
      __type: { name: "Tick" },
    });
    expect(JSON.stringify(await send(open, typo))).toMatch(/Did you mean/);
  });

  test(`${path}: hides unexpected errors and returns expected ones, interpreted and compiled`, async () => {
    const server = await startServer();
    for (let round = 0; round < 3; round++) {
      const { data, errors = [] } = await send(server, {
        query: "{ crash codeless coded invalid broken { __typename } hello }",
      });
      expect(data).toEqual({
        crash: null,
        codeless: null,
        coded: null,
        invalid: null,
        broken: null,
        hello: "Hello, world",
      });
      const byPath = Object.fromEntries(errors.map((error) => [String(error.path), [error.message, error.extensions]]));
      const internal = [
        "The service failed unexpectedly. Report the request id.",
        { code: "internal_error", requestId: expect.stringMatching(/^req_/) },
      ];
      expect(byPath).toEqual({
        crash: internal,
        codeless: internal,
        coded: ["Too dear.", { code: "spending_limit_exceeded" }],
        invalid: ["Not an address.", { code: "invalid_request", field: "payTo" }],
        broken: internal,
      });
    }
    expect(server.unexpected.map(({ error }) => (error as Error).message)).toContain("password=hunter2");
  });

  test(`${path}: additional validation rules are applied`, async () => {
    const noHello: ValidationRule = (context) => ({
      Field(node) {
        if (node.name.value === "hello")
          context.reportError(new GraphQLError("Too dear.", { extensions: { code: "COST" } }));
      },
    });
    const server = await startServer({ rules: [noHello] });
    expect((await send(server, { query: "{ hello }" })).errors?.[0]?.extensions).toEqual({ code: "COST" });
    expect((await send(server, { query: "{ node { name } }" })).data).toBeTruthy();
  });
}

const createNestedVariables = (levels: number) => JSON.parse(`${'{"name":'.repeat(levels)}1${"}".repeat(levels)}`);
for (const [path, send] of Object.entries(PATHS)) {
  test(`${path}: accepts variables of 5 levels and rejects 6`, async () => {
    const server = await startServer({ limits: { maxVariablesDepth: 5 } });
    const query = "query ($other: String) { hello(name: $other) }";
    expect((await send(server, { query, variables: createNestedVariables(5) })).data).toBeTruthy();
    const over = await send(server, { query, variables: createNestedVariables(6) });
    expect(over.errors?.[0]?.extensions).toEqual({ code: "OPERATION_LIMIT_EXCEEDED", limit: 5 });
  });
}

test("a document that expands exponentially is rejected without expansion", async () => {
  const server = await startServer();
  const fragments = repeat(30, (i) => `fragment F${i} on Node { child { ...F${i + 1} } c2: child { ...F${i + 1} } }`);
  const query = `{ node { ...F0 } } ${fragments} fragment F30 on Node { name }`;
  // Expanded it would have a billion fields.
  expect((await PATHS.lean(server, { query })).errors?.[0]?.extensions?.["code"]).toBe("OPERATION_LIMIT_EXCEEDED");
});

test.each([
  [
    "fragments",
    `{ node { ${repeat(400, (i) => `...F${i}`)} } } ${repeat(400, (i) => `fragment F${i} on Node { name }`)}`,
  ],
  ["operations", repeat(400, (i) => `query Q${i} { hello }`)],
  ["repeated fields", `{ node { ${"child { name } ".repeat(400)} } }`],
  [
    "repeated fields in fragments",
    `{ node { ${repeat(48, (i) => `...F${i}`)} } } ${repeat(48, (i) => `fragment F${i} on Node { ${"child { name } ".repeat(9)} }`)}`,
  ],
  ["fields in an unused fragment", `{ hello } fragment F on Node { ${"child { name } ".repeat(400)} }`],
  [
    "fragments that all spread the next ones",
    `{ hello } ${repeat(30, (i) => `fragment F${i} on Node { name ${repeat(29 - i, (j) => `...F${i + 1 + j}`)} }`)}`,
  ],
])("many %s are rejected before they are compared with each other", async (_what, query) => {
  const server = await startServer();
  expect((await PATHS.lean(server, { query })).errors?.[0]?.extensions?.["code"]).toBe("OPERATION_LIMIT_EXCEEDED");
});

test("a request may contain at most five documents", async () => {
  const { url } = await startServer();
  const batch = Array.from({ length: 6 }, (_, i) => ({ query: `query Q${i} { hello }` }));
  expect((await post(url, batch.slice(1))).status).toBe(200);
  expect((await post(url, batch)).status).toBe(413);
});

test.each([
  ["two fragments", "{ node { ...A } } fragment A on Node { child { ...B } } fragment B on Node { child { ...A } }"],
  ["themselves", "{ node { ...A } } fragment A on Node { name ...A }"],
  ["all others", `{ hello } ${repeat(30, (i) => `fragment F${i} on Node { ${repeat(30, (j) => `...F${j}`)} }`)}`],
])("fragments that spread %s cause one error", async (_what, query) => {
  const server = await startServer();
  expect((await PATHS.lean(server, { query })).errors).toEqual([
    expect.objectContaining({
      message: expect.stringContaining("Cannot spread fragment"),
      extensions: { code: "GRAPHQL_VALIDATION_FAILED" },
    }),
  ]);
});

test("errors of a document are limited in number and size, and not repeated", async () => {
  const server = await startServer();
  const name = "x".repeat(60_000);
  for (const query of [
    `{ ${name} }`,
    `{ hello(name: ${JSON.stringify(" ".repeat(60_000))}`,
    `{ hello ${repeat(15, (i) => `n${i}`)} }`,
    repeat(10, (i) => `query Q${i} { node ${"{ child ".repeat(20)} { name } ${"}".repeat(20)} }`),
    `{ ${repeat(19, (i) => `hello(name: "${i}")`)} }`,
    repeat(5, (i) => `fragment F${i} on Node { ${repeat(400, () => "name")} }`),
  ]) {
    const { errors = [] } = await PATHS.lean(server, { query });
    expect(JSON.stringify(errors).length).toBeLessThan(10_000);
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.length).toBeLessThanOrEqual(11);
    expect(new Set(errors.map((error) => JSON.stringify(error))).size).toBe(errors.length);
  }
});

test.each([
  ["a list value", (size: number) => `{ hello(name: ${"[".repeat(size - 2)}${"]".repeat(size - 2)}) }`],
  ["a list type", (size: number) => `query ($v: ${"[".repeat(size - 1)}Int${"]".repeat(size - 1)}) { hello }`],
  ["inline fragments", (size: number) => `{ ${"...{ ".repeat(size - 1)} hello ${"} ".repeat(size - 1)} }`],
])("brackets of %s may be nested 100 levels", async (_what, make) => {
  const server = await startServer();
  for (const size of [101, 1_900]) {
    expect((await PATHS.lean(server, { query: make(size) })).errors).toEqual([
      {
        message: "The operation exceeds the limit of 100 levels of brackets.",
        extensions: { code: "OPERATION_LIMIT_EXCEEDED", limit: 100 },
      },
    ]);
  }
  expect(JSON.stringify(await PATHS.lean(server, { query: make(100) }))).not.toContain("OPERATION_LIMIT_EXCEEDED");
});

test("a body of the maximum size is accepted, and a larger one causes 413, as JSON and as a form", async () => {
  const { url } = await startServer({ limits: { maxBodyBytes: 1_000 } });
  const body = JSON.stringify({ query: "{ hello }" });
  expect((await post(url, body.padEnd(1_000))).status).toBe(200);
  const over = await post(url, body.padEnd(1_001));
  expect(over.status).toBe(413);
  expect(over.body.errors?.[0]?.extensions?.["code"]).toBe("OPERATION_LIMIT_EXCEEDED");
  const form = await fetch(url, {
    method: "POST",
    headers: { "apollo-require-preflight": "1" },
    body: new URLSearchParams({ query: "{ hello }", padding: "x".repeat(1_000) }),
  });
  expect(form.status).toBe(413);
});
