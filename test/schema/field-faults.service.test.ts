/** A fault of one field leaves the data of all other fields. */
import { type GraphQLField, getNamedType, isObjectType, isRequiredArgument } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildSchema } from "../../schema/schema.ts";
import { createMailbox, storeMessage } from "../mail/fixtures.ts";
import { signInAdministrator, type TestAdministrator } from "../support/administrator.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let account: TestAccount;
/** May use every field but the operator's. */
let administrator: TestAdministrator;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  administrator = await signInAdministrator(stack, account.accountId);
  const mailbox = await createMailbox(stack, account);
  await storeMessage(stack, mailbox, { subject: "One" });
  await storeMessage(stack, mailbox, { subject: "Two" });
  await send("mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { __typename } }", {
    input: { url: "https://app.example/hook", eventTypes: ["PAYMENT_SETTLED"] },
  });
});
afterAll(() => administrator?.resign());

const send = async (query: string, variables: object = {}) => (await administrator.graphql(query, variables)).json;

const hasNoRequiredArgument = ({ args }: GraphQLField<unknown, unknown>) => !args.some(isRequiredArgument);

/** Paths of field names to all connections of the schema. No path contains a type twice. */
function findConnections(): string[][] {
  const found: string[][] = [];
  const query = buildSchema().getQueryType();
  const queue = query ? [{ type: query, path: [] as string[], types: [query.name] }] : [];
  for (const { type, path, types } of queue) {
    for (const field of Object.values(type.getFields()).filter(hasNoRequiredArgument)) {
      const target = getNamedType(field.type);
      if (!isObjectType(target) || types.includes(target.name)) continue;
      const next = { type: target, path: [...path, field.name], types: [...types, target.name] };
      if (target.name.endsWith("Connection")) found.push(next.path);
      queue.push(next);
    }
  }
  return found;
}

/** Builds a query of a connection. Each object on the path also has its `__typename`. */
const buildQuery = (path: readonly string[], args: string) =>
  path.reduceRight(
    (selection, name, i) =>
      `{ __typename ${name}${i === path.length - 1 ? `(${args})` : path[i + 1] === "edges" ? "(first: 2)" : ""} ${selection} }`,
    "{ edges { cursor } }",
  );

/** Returns the values at a path of field names, each with its response path. */
function findValues(data: unknown, names: readonly string[], path: (string | number)[] = []): [unknown, unknown[]][] {
  if (Array.isArray(data)) return data.flatMap((item, i) => findValues(item, names, [...path, i]));
  const [name, ...rest] = names;
  if (name === undefined) return [[data, path]];
  if (typeof data !== "object" || data === null) return [];
  return findValues((data as Record<string, unknown>)[name], rest, [...path, name]);
}

describe("an invalid page argument", () => {
  const connections = findConnections().map((path) => [path.join("."), path] as const);

  it("covers every connection field of the schema", () => {
    const fields = Object.values(buildSchema().getTypeMap())
      .filter(isObjectType)
      .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
      .filter(({ field }) => getNamedType(field.type).name.endsWith("Connection"));
    expect(fields.length).toBeGreaterThan(20);
    const reached = new Set(connections.map(([, path]) => path.at(-1)));
    expect(fields.map(({ field }) => field.name).filter((name) => !reached.has(name))).toEqual([]);
  });

  it.each(connections)("of %s is an error of that field alone", async (_name, path) => {
    for (const args of ["first: -1", "first: 101", "last: 500", 'after: "x"', 'before: ""', "first: 1, last: 1"]) {
      const { data, errors = [] } = await send(`{ account: viewer { sub } ...Lists }
        fragment Lists on Query ${buildQuery(path, args)}`);
      expect(data.account, args).toEqual({ sub: expect.any(String) });
      const parents = findValues(data, path.slice(0, -1)).filter(([parent]) => parent !== null);
      for (const [parent] of parents)
        expect(parent, args).toMatchObject({ __typename: expect.any(String), [String(path.at(-1))]: null });
      const shown = errors.map(({ path: own, locations, extensions: { code } }: never) => ({
        own,
        count: (locations as []).length,
        code,
      }));
      expect(shown, args).toEqual(
        parents.map(([, parentPath]) => ({ own: [...parentPath, path.at(-1)], count: 1, code: "invalid_request" })),
      );
    }
  });

  it("of a list in a list is one error for each parent", async () => {
    const { data, errors } = await send(
      "{ viewer { sub mailbox { address threads(first: 2) { edges { node { id messages(first: 1000) { edges { cursor } } } } } } } }",
    );
    expect(data.viewer.mailbox.threads.edges).toHaveLength(2);
    for (const { node } of data.viewer.mailbox.threads.edges) {
      expect(node).toEqual({ id: expect.any(String), messages: null });
    }
    const at = (i: number) => ["viewer", "mailbox", "threads", "edges", i, "node", "messages"];
    expect(errors.map(({ path }: { path: unknown }) => path)).toEqual([at(0), at(1)]);
  });
});

it("an empty page reports whether the list has entries", async () => {
  const query =
    "{ viewer { some: apiTokens(first: 0) { ...P } none: cards(first: 0) { edges { cursor } pageInfo { hasNextPage } } last: apiTokens(last: 0) { ...P } } } fragment P on ApiTokenConnection { edges { cursor } pageInfo { hasNextPage hasPreviousPage } }";
  for (let run = 0; run < 3; run++) {
    const { data, errors } = await send(query);
    expect(errors).toBeUndefined();
    expect(data.viewer).toEqual({
      some: { edges: [], pageInfo: { hasNextPage: true, hasPreviousPage: false } },
      none: { edges: [], pageInfo: { hasNextPage: false } },
      last: { edges: [], pageInfo: { hasNextPage: false, hasPreviousPage: true } },
    });
  }
});

describe("a fault of a root field", () => {
  it("leaves the other root fields, in queries and mutations", async () => {
    const { data } = await send(
      '{ nodes(ids: []) { id } productLookup(url: "\\u0000") { __typename } viewer { sub } merchants(first: -1) { edges { cursor } } }',
    );
    expect(data).toMatchObject({ nodes: [], viewer: { sub: expect.any(String) }, merchants: null });
  });

  it("leaves the results of other mutations if one lacks a credential", async () => {
    const { json } = await stack.graphql(
      null,
      "mutation { revokeOtherSessions { __typename } startPasskeySignIn { __typename } }",
    );
    expect(json.data.revokeOtherSessions).toBeNull();
    expect(json.data.startPasskeySignIn).toEqual({ __typename: expect.any(String) });
  });
});

describe("nodes", () => {
  const idOf = (type: string, id: string) => Buffer.from(`${type}:${id}`).toString("base64");

  it("is null with an error at the index of each malformed id, and null at each unknown id", async () => {
    const own = idOf("Account", account.accountId);
    const ids = [own, "not-an-id", idOf("Account", "acc_unknown"), "", own];
    for (let run = 0; run < 3; run++) {
      const { data, errors } = await send("query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }", { ids });
      const account = { __typename: "Account", id: own };
      expect(data.nodes).toEqual([account, null, null, null, account]);
      expect(errors).toHaveLength(2);
      for (const [i, error] of errors.entries()) {
        const at = [1, 3][i] ?? -1;
        expect(error).toMatchObject({
          path: ["nodes", at],
          locations: [{ line: 1 }],
          message: `ids[${at}] is not a global id of this service.`,
          extensions: { code: "invalid_request", field: `ids[${at}]`, problems: [{ path: ["ids", String(at)] }] },
        });
      }
    }
  });

  it("loads the other nodes if the caller lacks the scope of one", async () => {
    const limited = await stack.account({ token: { scopes: ["balance:read"] } });
    const ids = [idOf("Account", limited.accountId), idOf("Transaction", "tx_unknown")];
    const { json } = await stack.graphql(limited.token, "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }", { ids });
    expect(json.data.nodes).toEqual([{ id: ids[0] }, null]);
  });

  it("node is null with an error for a malformed id, and null without one for an unknown id", async () => {
    const { data, errors } = await send(
      `{ bad: node(id: "x") { id } unknown: node(id: "${idOf("Trade", "trd_1")}") { id } viewer { sub } }`,
    );
    expect(data).toEqual({ bad: null, unknown: null, viewer: { sub: expect.any(String) } });
    expect(errors).toMatchObject([{ path: ["bad"], extensions: { code: "invalid_request", field: "id" } }]);
  });
});
