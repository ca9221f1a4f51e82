import { connect } from "node:net";
import type { ValidationRule } from "graphql";
import { expect, test } from "vitest";
import { openSubscription, post, startServer, waitUntil } from "./server.ts";
import { TRANSPORTS } from "./transports.ts";

const ROOT_CONDITIONS = [
  'subscription ($if: Boolean!) { tick(channel: "a") @include(if: $if) { count } }',
  'subscription ($if: Boolean!) { tick(channel: "a") @skip(if: $if) { count } }',
  'subscription { tick(channel: "a") @include(if: true) { count } }',
  'subscription ($if: Boolean!) { ... @include(if: $if) { tick(channel: "a") { count } } }',
  'subscription ($if: Boolean!) { ...F @skip(if: $if) } fragment F on Subscription { tick(channel: "a") { count } }',
  'subscription ($if: Boolean!) { ...F } fragment F on Subscription { tick(channel: "a") @include(if: $if) { count } }',
];

test.each(Object.entries(TRANSPORTS))(
  "%s: rejects @skip and @include on the root field of a subscription",
  async (_name, send) => {
    const server = await startServer();
    for (const query of ROOT_CONDITIONS) {
      expect(await send(server, { query, variables: { if: false } })).toEqual({
        errors: [
          {
            message: "The root field of a subscription cannot have @skip or @include. Omit the directive.",
            locations: [{ line: 1, column: query.indexOf("@") + 1 }],
            extensions: { code: "GRAPHQL_VALIDATION_FAILED" },
          },
        ],
      });
    }
    expect(server.unexpected).toEqual([]);
  },
);

test("@include below the root field of a subscription is accepted", async () => {
  const server = await startServer();
  const ann = await openSubscription(server, "ann");
  const query = 'subscription ($if: Boolean!) { tick(channel: "a") { count @include(if: $if) channel } }';
  ann.send({ id: "2", type: "subscribe", payload: { query, variables: { if: false } } });
  await waitUntil(() => server.topic.readers === 2);
  server.topic.publish({ channel: "a", count: 1 });
  await waitUntil(() => ann.next().length === 2);
  expect(ann.next().find(({ id }) => id === "2")).toMatchObject({ payload: { data: { tick: { channel: "a" } } } });
  ann.socket.close();
});

/** A rule as those of graphql-js that throw for some documents. */
const throwing: ValidationRule = () => ({
  Field(node) {
    if (node.name.value === "me") throw new TypeError("rule secret");
  },
});

test.each(Object.entries(TRANSPORTS))(
  "%s: an exception of a validation rule is an error of its operation",
  async (_name, send) => {
    const server = await startServer({ rules: [throwing] });
    expect(await send(server, { query: "{ me }" })).toEqual({
      errors: [
        {
          message: "The document could not be validated. Nothing was executed.",
          extensions: { code: "GRAPHQL_VALIDATION_FAILED" },
        },
      ],
    });
    expect(server.unexpected.map(({ error }) => (error as Error).message)).toEqual(["rule secret"]);
  },
);

const INTERNAL = { message: "The service failed unexpectedly. Report the request id.", extensions: expect.any(Object) };

test.each(Object.entries(TRANSPORTS))(
  "%s: a result that JSON cannot represent is an error of its operation",
  async (_name, send) => {
    const server = await startServer();
    const { data = null, errors } = await send(server, { query: "{ bigint }" });
    expect({ data, errors }).toEqual({ data: null, errors: [INTERNAL] });
    expect(server.unexpected.map(({ error }) => String(error))).toEqual([
      "TypeError: Do not know how to serialize a BigInt",
    ]);
  },
);

test("a result that JSON cannot represent does not affect the other results of its batch", async () => {
  const { url } = await startServer();
  const { status, text } = await post(url, [{ query: "mutation { pay }" }, { query: "{ bigint }" }]);
  expect(status).toBe(200);
  expect(JSON.parse(text)).toEqual([{ data: { pay: 1 } }, { data: null, errors: [INTERNAL] }]);
});

test.each(Object.entries(TRANSPORTS))(
  "%s: a variable that is null for a non-null argument is an error of the client",
  async (_name, send) => {
    const server = await startServer();
    const query = "query ($first: Int = 1) { hello node { children(first: $first) { name } } }";
    for (let round = 0; round < 3; round++) {
      const { errors } = await send(server, { query, variables: { first: null } });
      expect(errors).toEqual([
        expect.objectContaining({
          message: 'Argument "first" of non-null type "Int!" must not be null.',
          path: ["node", "children"],
          extensions: { code: "BAD_USER_INPUT" },
        }),
      ]);
    }
    const subscription = 'subscription ($channel: String = "a") { tick(channel: $channel) { count } }';
    const { errors } = await send(server, { query: subscription, variables: { channel: null } });
    if (!errors?.[0]?.message.startsWith("Accept ")) {
      expect(errors?.[0]?.message).toBe('Argument "channel" of non-null type "String!" must not be null.');
    }
    expect(server.unexpected).toEqual([]);
  },
);

test("messages that no client library sends do not affect the other subscriptions of their socket", async () => {
  const server = await startServer();
  const ann = await openSubscription(server, "ann");
  await waitUntil(() => server.topic.readers === 1);
  const deep = `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
  const query = JSON.stringify("{ hello }");
  ann.socket.send(`{"type":"ping","payload":${deep}}`);
  ann.socket.send(`{"type":"pong","payload":${deep}}`);
  ann.socket.send(`{"id":"2","type":"subscribe","payload":{"query":${query},"variables":${deep}}}`);
  ann.socket.send(`{"id":"3","type":"subscribe","payload":{"query":${query},"extensions":${deep}}}`);
  ann.socket.send(Buffer.from(`{"id":"4","type":"subscribe","payload":{"query":${query}}}`));
  ann.socket.send('{"id":"__proto__","type":"subscribe","payload":{"query":"{ bigint }"}}');
  ann.socket.send('{"id":"constructor","type":"complete"}');
  await waitUntil(() => ann.messages.some(({ id }) => id === "__proto__"));
  server.topic.publish({ channel: "a", count: 1 });
  await waitUntil(() => ann.next().some(({ id }) => id === "1"));
  expect(ann.messages.filter(({ type }) => type === "pong")).toEqual([{ type: "pong" }]);
  expect(ann.messages.find(({ id }) => id === "2")).toMatchObject({ type: "error" });
  for (const id of ["3", "4"]) {
    expect(ann.messages.find((message) => message["id"] === id)).toMatchObject({ type: "next" });
  }
  ann.socket.send(JSON.stringify({ type: "ping", payload: { a: [1] } }));
  await waitUntil(() => ann.messages.some(({ payload }) => JSON.stringify(payload) === '{"a":[1]}'));
  ann.socket.close();
});

test("an id that is too long for a close reason closes a socket with 4409 if it is repeated", async () => {
  const server = await startServer();
  const ann = await openSubscription(server, "ann", { channel: "a" }, "é".repeat(100));
  ann.send({ id: "é".repeat(100), type: "subscribe", payload: { query: "{ hello }" } });
  expect((await ann.closed).code).toBe(4409);
  expect(server.unexpected).toEqual([]);
});

/** Sends a request line and headers that `fetch` cannot send. */
function sendRaw(port: number, text: string): Promise<string> {
  const tcp = connect(port, "127.0.0.1");
  tcp.write(text);
  return new Promise((resolve, reject) => {
    let response = "";
    tcp.on("data", (data) => {
      response += data;
      // The last chunk: an event stream does not close its connection.
      if (response.endsWith("\r\n0\r\n\r\n")) tcp.end();
    });
    tcp.on("close", () => resolve(response));
    tcp.on("error", reject);
  });
}

test.each([
  ["an absolute target", "http://a.example/graphql?query={hello}", "application/json"],
  ["a malformed percent-encoding", "/graphql?query={hello}&variables=%E0%A4%A", "application/json"],
  ["a question mark in a value", '/graphql?query={hello(name:"?")}', "application/json"],
  ["an absolute target of a stream", "http://a.example/graphql?query={hello}", "text/event-stream"],
  ["a malformed percent-encoding of a stream", "/graphql?query={hello(name:%22%A%22)}", "text/event-stream"],
])("GET with %s receives a GraphQL response", async (_what, target, accept) => {
  const server = await startServer();
  const response = await sendRaw(
    server.port,
    `GET ${target} HTTP/1.1\r\nHost: [\r\nAccept: ${accept}\r\nConnection: close\r\n\r\n`,
  );
  expect(response).toMatch(/^HTTP\/1.1 (200|400) /);
  expect(response).toMatch(/\{"(data|errors)":/);
  expect(server.unexpected).toEqual([]);
});
