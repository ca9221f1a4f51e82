import { get, type IncomingMessage, request } from "node:http";
import { GraphQLError } from "graphql";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { openRawSocket, openStream, openSubscription, startServer, waitUntil } from "./server.ts";

type Server = Awaited<ReturnType<typeof startServer>>;
type Stream = Awaited<ReturnType<typeof openStream>>;

const BUY = "subscription { buy { count } }";

/** Returns the blocks of an ended stream after the first one, without comments. */
async function readBlocks({ stream, reading }: Stream): Promise<string[]> {
  await waitUntil(() => stream.ended, "the end of the stream");
  await reading;
  const blocks = stream.text.split("\n\n").filter((block) => block !== "" && block !== ":");
  return blocks.slice(1).map((block) => block.replace(/retry: \d+/, "retry: <ms>"));
}

const errorsOf = (code: string) =>
  `event: next\ndata: {"errors":[{"message":"<message>","extensions":{"code":"${code}"}}]}`;
const endOf = (reason: string, code: string) => `end: {"reason":"${reason}","code":"${code}","message":"<message>"}`;
const isFinal = (reason: string, code: string) => `id: end\n${endOf(reason, code)}\nevent: complete\ndata:`;
const isRetried = (reason: string, code: string) => `retry: <ms>\n${endOf(reason, code)}`;
const withoutMessages = (blocks: string[]) =>
  blocks.map((block) => block.replace(/"message":"[^"]*"/g, '"message":"<message>"'));

const ENDINGS: [string, (server: Server) => unknown, string[], string[]][] = [
  ["its source ends", ({ topic }) => topic.end(), [isFinal("completed", "STREAM_COMPLETED")], []],
  [
    "its source fails with an error of the operation",
    ({ topic }) => topic.end(new GraphQLError("Gone.", { extensions: { code: "not_found" } })),
    [errorsOf("not_found"), isFinal("completed", "not_found")],
    [],
  ],
  [
    "its credential is revoked",
    ({ transports }) => transports.disconnect("key"),
    [errorsOf("STREAM_REVOKED"), isFinal("revoked", "STREAM_REVOKED")],
    [],
  ],
  ["the service is draining", ({ app }) => app.close(), [isRetried("draining", "STREAM_DRAINING")], []],
  [
    "events may be missing",
    ({ topic }) => topic.end(new GraphQLError("Lost.", { extensions: { code: "SUBSCRIPTION_INTERRUPTED" } })),
    [isRetried("internal", "SUBSCRIPTION_INTERRUPTED")],
    [],
  ],
];

describe("an event stream states its end when", () => {
  test.each(ENDINGS)("%s", async (_when, end, blocks) => {
    const server = await startServer();
    const stream = await openStream(server, "ann:key");
    await waitUntil(() => server.topic.readers === 1);
    void end(server);
    expect(withoutMessages(await readBlocks(stream))).toEqual(blocks);
    expect(server.topic.readers).toBe(0);
  });

  test("its credential expires", async () => {
    const server = await startServer({ limits: { validityCheckIntervalMs: 20 } });
    const stream = await openStream(server, `ann:key:${Date.now() + 150}`);
    expect(withoutMessages(await readBlocks(stream))).toEqual([
      errorsOf("STREAM_EXPIRED"),
      isFinal("expired", "STREAM_EXPIRED"),
    ]);
  });

  test("its source fails unexpectedly", async () => {
    const server = await startServer();
    const stream = await openStream(server, "ann");
    await waitUntil(() => server.topic.readers === 1);
    server.topic.end(new Error("connection string"));
    const [block, ...others] = await readBlocks(stream);
    expect(block).toMatch(/^retry: <ms>\nend: {"reason":"internal","code":"internal_error",/);
    expect([others, stream.stream.text]).toEqual([[], expect.not.stringContaining("connection string")]);
  });

  test("its client reads too slowly", async () => {
    const server = await startServer({ limits: { maxBufferedBytes: 20_000 } });
    const query = encodeURIComponent('subscription { tick(channel: "all") { channel } }');
    const response = await new Promise<IncomingMessage>((resolve) =>
      get(`${server.url}?query=${query}`, { headers: { accept: "text/event-stream" } }, resolve),
    );
    await waitUntil(() => server.topic.readers === 1);
    for (let published = 0; server.topic.readers === 1 && published < 500; published++) {
      server.topic.publish({ channel: "x".repeat(100_000), count: published });
      await new Promise(setImmediate);
    }
    expect(server.topic.readers).toBe(0);
    let text = "";
    for await (const chunk of response) text += chunk;
    expect(text).toMatch(/retry: \d+\nend: {"reason":"too_slow","code":"STREAM_TOO_SLOW",[^\n]*}\n\n$/);
    expect(text).not.toContain("event: complete");
  });
});

describe("a WebSocket states the end of its subscriptions when", () => {
  test.each([
    ["the credential is revoked", ({ transports }) => transports.disconnect("key"), "STREAM_REVOKED", 4403],
    ["the service is draining", ({ app }) => app.close(), null, 1012],
  ] as [string, (server: Server) => unknown, string | null, number][])("%s", async (_when, end, code, closeCode) => {
    const server = await startServer();
    const ann = await openSubscription(server, "ann:key");
    await waitUntil(() => server.topic.readers === 1);
    void end(server);
    expect((await ann.closed).code).toBe(closeCode);
    const error = { id: "1", type: "error", payload: [{ message: expect.any(String), extensions: { code } }] };
    expect(ann.messages.slice(1)).toEqual(code === null ? [] : [error]);
    await waitUntil(() => server.topic.readers === 0);
  });

  test("the credential expires", async () => {
    const server = await startServer({ limits: { validityCheckIntervalMs: 20 } });
    const ann = await openSubscription(server, `ann:key:${Date.now() + 150}`);
    expect(await ann.closed).toEqual({ code: 4403, reason: "The credential has expired" });
    expect(ann.messages.slice(1)).toMatchObject([
      { type: "error", payload: [{ extensions: { code: "STREAM_EXPIRED" } }] },
    ]);
  });

  test("the check of the credential fails", async () => {
    const isStillValid = () => Promise.reject(new Error("database"));
    const server = await startServer({ isStillValid, limits: { validityCheckIntervalMs: 20 } });
    const ann = await openSubscription(server, "ann");
    expect(await ann.closed).toEqual({ code: 1013, reason: "Try again later" });
    expect(ann.messages.slice(1)).toEqual([]);
  });

  test("one source fails; the others continue", async () => {
    const server = await startServer();
    const ann = await openSubscription(server, "ann");
    ann.send({ id: "2", type: "subscribe", payload: { query: "subscription { log { count } }" } });
    await waitUntil(() => server.state.readers === 1);
    server.topic.end(new Error("connection string"));
    await waitUntil(() => ann.messages.length === 2);
    server.state.append(7);
    await waitUntil(() => ann.messages.length === 3);
    expect(ann.messages.slice(1)).toMatchObject([
      { id: "1", type: "error", payload: [{ extensions: { code: "internal_error" } }] },
      { id: "2", type: "next", payload: { data: { log: { count: 7 } } } },
    ]);
    expect(ann.socket.readyState).toBe(WebSocket.OPEN);
    ann.socket.close();
  });
});

describe("a subscription that moves money ends without a reason to reconnect when the service is draining", () => {
  test("on an event stream", async () => {
    const server = await startServer();
    const stream = await openStream(server, "ann", {}, BUY);
    await waitUntil(() => server.state.purchases.topic.readers === 1);
    void server.app.close();
    expect(withoutMessages(await readBlocks(stream))).toEqual([
      errorsOf("STREAM_DRAINING"),
      isFinal("draining", "STREAM_DRAINING"),
    ]);
  });

  test("on a WebSocket, which sends only the others again", async () => {
    const server = await startServer();
    const ann = await openSubscription(server, "ann");
    ann.send({ id: "2", type: "subscribe", payload: { query: BUY } });
    await waitUntil(() => server.state.purchases.topic.readers === 1);
    void server.app.close();
    expect((await ann.closed).code).toBe(1012);
    expect(ann.messages.slice(1)).toMatchObject([
      { id: "2", type: "error", payload: [{ extensions: { code: "STREAM_DRAINING" } }] },
    ]);
  });
});

describe("an operation that moves money, sent again by a client that reconnects, is not executed again", () => {
  test.each([
    ["mutation", "mutation { slowPay }"],
    ["subscription", BUY],
  ])("a %s on a WebSocket", async (_kind, query) => {
    const { state, ...server } = await startServer();
    const id = "6d5f3b0e-9c0b-4b57-9f57-1d5d0a3f0b11";
    const first = await openSubscription(server, "ann");
    first.send({ id, type: "subscribe", payload: { query } });
    await waitUntil(() => state.purchases.started === 1);
    first.socket.terminate();
    const second = await openSubscription(server, "ann");
    second.send({ id, type: "subscribe", payload: { query } });
    await waitUntil(() => second.messages.length === 3);
    expect(second.messages.slice(1)).toMatchObject([
      { id, type: "next", payload: { errors: [{ extensions: { code: "operation_repeated" } }] } },
      { id, type: "complete" },
    ]);
    // Another id is another operation.
    second.send({ id: "8a0e53c5-2ad1-4b0e-8d2f-0b6f1a2c9e77", type: "subscribe", payload: { query } });
    await waitUntil(() => state.purchases.started === 2);
    state.purchases.confirmed.resolve();
    second.socket.close();
  });

  test.each([
    ["mutation", "mutation { slowPay }"],
    ["subscription", BUY],
  ])("a %s on an event stream", async (_kind, query) => {
    const server = await startServer();
    const { purchases } = server.state;
    const headers = { "content-type": "application/json", accept: "text/event-stream", "x-service-token": "ann" };
    const lost = request(server.url, { method: "POST", headers }).on("error", () => undefined);
    lost.end(JSON.stringify({ query }));
    await waitUntil(() => purchases.started === 1);
    lost.destroy();
    const repeated = await openStream(server, "ann", {}, query);
    await waitUntil(() => repeated.stream.ended);
    expect(repeated.stream.text).toMatch(/operation_repeated.*\n\nid: end\nend: .*\nevent: complete/);
    expect(purchases.started).toBe(1);
    purchases.confirmed.resolve();
  });

  test("a mutation of which another field reports an invalid variable", async () => {
    const server = await startServer();
    const { purchases } = server.state;
    const query = "mutation ($odd: Even!) { reportOdd(even: $odd) slowPay }";
    const headers = { "content-type": "application/json", accept: "text/event-stream", "x-service-token": "ann" };
    const lost = request(server.url, { method: "POST", headers }).on("error", () => undefined);
    lost.end(JSON.stringify({ query, variables: { odd: 1 } }));
    await waitUntil(() => purchases.started === 1);
    lost.destroy();
    const repeated = openStream(server, "ann", { odd: 1 }, query);
    await Promise.race([repeated, waitUntil(() => purchases.started === 2)]);
    purchases.confirmed.resolve();
    const { stream, reading } = await repeated;
    await reading;
    expect([purchases.started, stream.text]).toEqual([1, expect.stringContaining("operation_repeated")]);
  });

  test("but may be sent again after its end, and with an idempotency key", async () => {
    const server = await startServer();
    const { purchases } = server.state;
    for (const started of [1, 2]) {
      const stream = await openStream(server, "ann", {}, BUY);
      await waitUntil(() => purchases.topic.readers === 1);
      purchases.topic.end();
      await waitUntil(() => stream.stream.ended);
      expect([purchases.started, stream.stream.text]).toEqual([started, expect.not.stringContaining("errors")]);
    }
    const keyed = 'subscription { buy(idempotencyKey: "k") { count } }';
    const streams = [await openStream(server, "ann", {}, keyed), await openStream(server, "ann", {}, keyed)];
    await waitUntil(() => purchases.started === 4);
    for (const { abort } of streams) abort.abort();
  });

  test.each([
    [
      "if its variables were rejected",
      "ann",
      "mutation ($key: String!) { slowPay(idempotencyKey: $key) }",
      "BAD_USER_INPUT",
    ],
    [
      "if its subscription's variables were rejected",
      "ann",
      "subscription ($key: String!) { buy(idempotencyKey: $key) { count } }",
      "BAD_USER_INPUT",
    ],
    ["if the account has no further claims that remain", "ann:exhausted", "mutation { pay }", undefined],
  ])("but may be sent again with a generated id %s", async (_when, token, query, code) => {
    const server = await startServer();
    const id = "6d5f3b0e-9c0b-4b57-9f57-1d5d0a3f0b11";
    const codes: unknown[] = [];
    for (const connection of ["first", "second"]) {
      const ann = await openRawSocket(server.wsUrl);
      ann.init(token);
      await waitUntil(() => ann.messages.length === 1);
      ann.send({ id, type: "subscribe", payload: { query } });
      await waitUntil(() => ann.messages.length > 1);
      const { payload } = ann.messages[1] as { payload: { errors?: ErrorOf[] } | ErrorOf[] };
      const errors = Array.isArray(payload) ? payload : payload.errors;
      codes.push([connection, errors?.[0]?.extensions.code]);
      ann.socket.terminate();
    }
    expect(codes).toEqual([
      ["first", code],
      ["second", code],
    ]);
  });
});

type ErrorOf = { extensions: { code: string } };

describe("Last-Event-ID", () => {
  const LOG = "subscription ($after: String) { log(after: $after) { count } }";
  const open = (url: string, lastEventId: string | null, query = LOG, after?: string) => {
    const variables = encodeURIComponent(JSON.stringify({ after }));
    const headers = { accept: "text/event-stream", ...(lastEventId === null ? {} : { "last-event-id": lastEventId }) };
    return fetch(`${url}?query=${encodeURIComponent(query)}&variables=${variables}`, { headers });
  };
  /** Reads the ids and counts of the first `events` events, and the id before them. */
  const read = async (response: Response, events: number) => {
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk);
      if (text.split("event: next").length > events) break;
    }
    return [...text.matchAll(/^id: (.*)$|"count":(\d+)/gm)].map(([, id, count]) => id ?? Number(count));
  };

  test("resumes a subscription, and precedes the argument `after`", async () => {
    const { url, state } = await startServer();
    for (const count of [10, 20, 30]) state.append(count);
    expect(await read(await open(url, "1"), 2)).toEqual(["2", 20, "3", 30]);
    expect(await read(await open(url, "2", LOG, "1"), 1)).toEqual(["3", 30]);
    expect(await read(await open(url, "2", "subscription { log { count } }"), 1)).toEqual(["3", 30]);
    expect(await read(await open(url, null, LOG, "2"), 1)).toEqual(["3", 30]);
  });

  test("is the current cursor before the first event, so events of a lost connection are not missed", async () => {
    const { url, state } = await startServer();
    state.append(10);
    const response = await open(url, null);
    await waitUntil(() => state.readers === 1);
    state.append(20);
    expect(await read(response, 1)).toEqual(["1", "2", 20]);
  });

  test("stops EventSource (204) after the end, and for a subscription that cannot be resumed", async () => {
    const { url, state } = await startServer();
    expect((await open(url, "end")).status).toBe(204);
    expect((await open(url, "start", BUY)).status).toBe(204);
    expect(state.purchases.started).toBe(0);
  });
});
