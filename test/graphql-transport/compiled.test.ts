import {
  buildSchema,
  execute,
  type GraphQLError,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  Kind,
  parse,
  validate,
} from "graphql";
import { expect, test } from "vitest";
import { compileOperation } from "../../src/platform/graphql/compile-operation.ts";
import { createTestSchema } from "./schema.ts";

const context = { viewer: { account: "ann", credential: "ann" }, requestId: "req" };

const DOCUMENTS: [string, Record<string, unknown>[]][] = [
  ["query ($name: String) { hello(name: $name) other: hello }", [{}, { name: null }, { name: "Ann" }, { name: 5 }]],
  ["query ($c: Colour!) { paint(colour: $c) }", [{}, { c: "RED" }, { c: "BLUE" }, { c: null }]],
  [
    "query ($n: Int = 2) { node { children(first: $n) { name children(first: 1) { name } } } }",
    [{}, { n: 0 }, { n: 3 }, { n: 1.5 }],
  ],
  [
    "query ($a: Boolean!, $b: Boolean!) { node @include(if: $a) { name @skip(if: $b) ...F @include(if: $b) child { ...F @skip(if: $a) } } me } fragment F on Node { child { name } deep: child { child { name @skip(if: $b) } } }",
    [true, false].flatMap((a) => [true, false].map((b) => ({ a, b }))),
  ],
  [
    "query ($a: Boolean!) { x: node { ...F } y: node { ...F @include(if: $a) name } } fragment F on Node { ... on Node @skip(if: $a) { name } child { name @include(if: $a) n: name } }",
    [{ a: true }, { a: false }],
  ],
  ["{ crash codeless coded invalid hello broken { __typename } }", [{}]],
  ['mutation { rename(to: "x") a: rename(to: "y") pay }', [{}]],
];

test.each(DOCUMENTS)("compiled and interpreted operations have the same result: %s", async (text, inputs) => {
  const { schema } = createTestSchema();
  const document = parse(text);
  expect(validate(schema, document)).toEqual([]);
  const run = compileOperation(schema, document);
  for (const variables of inputs) {
    const plain = (result: object) => {
      const { errors, data } = JSON.parse(JSON.stringify(result));
      const sorted = errors?.map((error: GraphQLError) => ({ ...error, extensions: error.extensions ?? {} }));
      return {
        data,
        errors: sorted?.sort((a: GraphQLError, b: GraphQLError) => (String(a.path) < String(b.path) ? -1 : 1)),
      };
    };
    const fresh = createTestSchema().schema;
    const interpreted = await execute({ schema: fresh, document, variableValues: variables, contextValue: context });
    const compiled = await run(variables, context);
    if (text.includes("broken")) {
      // A type resolver that throws causes an error of its field in both. Only the message differs.
      expect(compiled.errors?.map((error) => String(error.path)).sort()).toEqual(
        interpreted.errors?.map((error) => String(error.path)).sort(),
      );
      expect(plain(compiled).data).toEqual(plain(interpreted).data);
    } else {
      const { pay: _one, ...a } = plain(compiled).data ?? {};
      const { pay: _two, ...b } = plain(interpreted).data ?? {};
      expect(a).toEqual(b);
      expect(plain(compiled).errors).toEqual(plain(interpreted).errors);
    }
  }
});

test("a literal, a default value and a variable in a literal have the scalar's type before and after compilation", async () => {
  const Bytes = new GraphQLScalarType({
    name: "Bytes",
    parseValue: (value) => Buffer.from(String(value)),
    parseLiteral: (node, variables) =>
      node.kind === Kind.LIST
        ? Buffer.concat(
            node.values.map((it) =>
              it.kind === Kind.VARIABLE ? Buffer.from(String(variables?.[it.name.value])) : Buffer.alloc(0),
            ),
          )
        : Buffer.from("value" in node ? String(node.value) : ""),
  });
  const read = {
    type: new GraphQLNonNull(GraphQLString),
    args: { bytes: { type: Bytes } },
    resolve: (_root: unknown, { bytes }: { bytes?: unknown }) =>
      bytes instanceof Buffer ? bytes.toString() : "not the scalar's type",
  };
  const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields: { read } }) });
  for (const text of [
    '{ read(bytes: "ab") }',
    'query ($b: Bytes = "ab") { read(bytes: $b) }',
    "query ($b: Bytes!) { read(bytes: $b) }",
    "query ($b: Bytes!, $s: String) { read(bytes: [$s]) other: read(bytes: $b) }",
  ]) {
    const run = compileOperation(schema, parse(text));
    const variables = { ...(text.includes("!") ? { b: "ab" } : {}), ...(text.includes("$s") ? { s: "ab" } : {}) };
    for (let i = 0; i < 2; i++) expect(await run(variables, context), text).toMatchObject({ data: { read: "ab" } });
  }
});

test("a compiled operation requires exactly one field of a @oneOf input, also within another input", async () => {
  const schema = buildSchema(`input Choice @oneOf { id: ID name: String }
    input Order { choices: [Choice!] }
    type Query { order(order: Order): Boolean }`);
  const field = schema.getQueryType()?.getFields()["order"];
  if (field) field.resolve = () => true;
  const run = compileOperation(schema, parse("query ($order: Order) { order(order: $order) }"));
  for (const choice of [{ id: "1" }, { name: "Ann" }]) {
    expect(await run({ order: { choices: [choice] } }, context)).toEqual({ data: { order: true } });
  }
  for (const choice of [{}, { id: "1", name: "Ann" }, { id: null }]) {
    const { data, errors } = await run({ order: { choices: [choice] } }, context);
    expect([data, errors?.[0]?.message]).toEqual([undefined, expect.stringContaining('"order.choices[0]')]);
  }
});

test("a context is released after its operation, with or without errors", async () => {
  const { schema } = createTestSchema();
  const released: unknown[] = [];
  schema.extensions = { releaseContext: (given: unknown) => void released.push(given) };
  // Interpreted, compiled, rejected because of its variables, and failed.
  const documents: [string, Record<string, unknown>][] = [
    ["query ($a: Boolean!) { node { name @include(if: $a) } }", { a: true }],
    ["{ node { name } }", {}],
    ["query ($name: String) { hello(name: $name) }", { name: 5 }],
    ["{ crash }", {}],
  ];
  for (const [text, variables] of documents) {
    const own = { ...context };
    await compileOperation(schema, parse(text))(variables, own);
    expect(released.splice(0)).toEqual([own]);
  }
});

test("a context is not released while a resolver is running", async () => {
  const { promise: waited, resolve: finish } = Promise.withResolvers<string>();
  const schema = buildSchema("type Query { slow: String }");
  const released: unknown[] = [];
  schema.extensions = { releaseContext: (given: unknown) => void released.push(given) };
  const field = schema.getQueryType()?.getFields()["slow"];
  if (field) field.resolve = () => waited;
  const result = compileOperation(schema, parse("{ slow }"))({}, context);
  await new Promise((done) => setImmediate(done));
  expect(released).toEqual([]);
  finish("done");
  expect(await result).toMatchObject({ data: { slow: "done" } });
  expect(released).toEqual([context]);
});
