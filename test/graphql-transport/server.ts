import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { type Client, createClient } from "graphql-ws";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { UnauthorizedError } from "../../src/platform/errors.ts";
import type { GraphqlOptions, OperationInfo } from "../../src/platform/graphql/options.ts";
import { registerGraphql } from "../../src/platform/graphql/register.ts";
import { OperationRepeatedError } from "../../src/platform/idempotency/single-use.ts";
import { createTestSchema, createTestState, type TestContext, type TestViewer } from "./schema.ts";

type TestState = ReturnType<typeof createTestState>;
type Options = Partial<GraphqlOptions<TestContext, TestViewer>>;

/**
 * Starts a server that accepts tokens of the form `account:credential[:expiresAtMs]`.
 *
 * @param at.port default: a free port
 * @param at.state state of an earlier server
 */
export async function startServer(
  overrides: Options = {},
  { port: requestedPort = 0, state = createTestState() }: { port?: number; state?: TestState } = {},
) {
  const test = createTestSchema(state);
  const revoked = new Set<string>();
  const operations: OperationInfo[] = [];
  const unexpected: { error: unknown; requestId: string }[] = [];
  const app = fastify({ forceCloseConnections: true, genReqId: () => `req_${randomUUID()}` });
  const viewerOf = (token: unknown): TestViewer | null => {
    if (typeof token !== "string") return null;
    const [account = "", credential = account, expires] = token.split(":");
    if (account === "nobody") throw new UnauthorizedError();
    if (revoked.has(credential)) return null;
    return { account, credential, ...(expires ? { expiresAtMs: Number(expires) } : {}) };
  };
  const transports = await registerGraphql<TestContext, TestViewer>(app, {
    schema: test.schema,
    createContext(request) {
      test.counters.contexts++;
      const viewer = request.viewer ?? viewerOf(request.headers["x-service-token"]);
      return { viewer, requestId: request.requestId };
    },
    viewerOf: (context) => context.viewer,
    authenticate: (params) => viewerOf(params["X-Service-Token"] ?? params["authorization"]),
    isStillValid: (viewer) => !revoked.has(viewer.credential),
    credentialKey: (viewer) => viewer.credential,
    accountKey: (viewer) => viewer.account,
    groupingKey: (context) => context.viewer?.account,
    async claimOperation(context, fingerprint, args) {
      const key = `${context.viewer?.account} ${fingerprint}`;
      if (typeof args["idempotencyKey"] === "string") return null;
      if (state.claimed.has(key)) throw new OperationRepeatedError();
      state.claimed.add(key);
      return {
        canRemain: context.viewer?.credential !== "exhausted",
        release: async () => void state.claimed.delete(key),
      };
    },
    onOperation: (info) => operations.push(info),
    onUnexpectedError: (error, requestId) => unexpected.push({ error, requestId }),
    ...overrides,
  });
  await app.listen({ port: requestedPort, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/graphql`;
  onTestFinished(async () => {
    await app.close();
  });
  return {
    ...test,
    state,
    app,
    transports,
    url,
    port,
    wsUrl: url.replace("http", "ws"),
    revoked,
    operations,
    unexpected,
  };
}

export type TestResponse = {
  status: number;
  type: string | null;
  text: string;
  body: {
    data?: Record<string, unknown> | null;
    errors?: { message: string; path?: unknown[]; extensions?: Record<string, unknown> }[];
  };
};

async function readResponse(response: Response): Promise<TestResponse> {
  const text = await response.text();
  let body: TestResponse["body"] = {};
  try {
    body = JSON.parse(text);
  } catch {
    // A response that is not JSON is returned as text only.
  }
  return { status: response.status, type: response.headers.get("content-type"), text, body };
}

/** Sends a POST request with JSON. A string is sent unchanged. */
export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<TestResponse> {
  return readResponse(
    await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  );
}

/** Sends the same request on each path: the lean path, Yoga and a WebSocket. Each function returns errors and data. */
export const PATHS = {
  lean: (server: { url: string }, params: object) => post(server.url, params).then((response) => response.body),
  yoga: async (server: { url: string }, params: Record<string, unknown>) => {
    const form = new URLSearchParams();
    for (const [name, value] of Object.entries(params)) {
      form.set(name, typeof value === "string" ? value : JSON.stringify(value));
    }
    const headers = { "apollo-require-preflight": "1" };
    return (await readResponse(await fetch(server.url, { method: "POST", headers, body: form }))).body;
  },
  ws: async (server: { wsUrl: string }, params: { query: string; variables?: Record<string, unknown> }) => {
    const client = createWsClient(server.wsUrl, "ann");
    try {
      for await (const result of client.iterate(params)) return result as TestResponse["body"];
      return {};
    } catch (errors) {
      if (Array.isArray(errors)) return { errors } as TestResponse["body"];
      throw errors;
    } finally {
      await client.dispose();
    }
  },
};

/** Creates a graphql-ws client that does not reconnect. */
export function createWsClient(url: string, token: string): Client {
  return createClient({
    url,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    connectionParams: { "X-Service-Token": token },
  });
}

/** Opens an event stream and collects its text. */
export async function openStream(
  server: { url: string },
  token: string,
  variables: object = { channel: "a" },
  query = SUBSCRIBE_TICK,
) {
  const abort = new AbortController();
  const response = await fetch(server.url, {
    method: "POST",
    signal: abort.signal,
    headers: { "content-type": "application/json", accept: "text/event-stream", "x-service-token": token },
    body: JSON.stringify({ query, variables }),
  });
  const stream = { status: response.status, type: response.headers.get("content-type"), text: "", ended: false };
  const reading = (async () => {
    for await (const chunk of response.body ?? []) stream.text += Buffer.from(chunk).toString();
    stream.ended = true;
  })().catch(() => undefined);
  return { ...stream, stream, abort, reading };
}

/** Opens a raw socket, for messages that a standard client would not send. */
export async function openRawSocket(url: string, options: object = {}) {
  const socket = new WebSocket(url, "graphql-transport-ws", options);
  const messages: Record<string, unknown>[] = [];
  const closed = Promise.withResolvers<{ code: number; reason: string }>();
  socket.on("message", (data) => messages.push(JSON.parse(String(data))));
  socket.on("close", (code, reason) => closed.resolve({ code, reason: String(reason) }));
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  return {
    socket,
    messages,
    closed: closed.promise,
    send: (message: object) => socket.send(JSON.stringify(message)),
    init: (token: string) =>
      socket.send(JSON.stringify({ type: "connection_init", payload: { "X-Service-Token": token } })),
  };
}

/** Opens a raw socket and subscribes after the acknowledgement. */
export async function openSubscription(
  server: { wsUrl: string },
  token: string,
  variables: Record<string, unknown> = { channel: "a" },
  id = "1",
) {
  const raw = await openRawSocket(server.wsUrl);
  raw.init(token);
  await waitUntil(() => raw.messages.some((message) => message["type"] === "connection_ack"));
  raw.send({ id, type: "subscribe", payload: { query: SUBSCRIBE_TICK, variables } });
  return { ...raw, next: () => raw.messages.filter((message) => message["type"] === "next") };
}

export const SUBSCRIBE_TICK =
  "subscription ($channel: String!, $after: String) { tick(channel: $channel, after: $after) { channel count account } }";

/** Waits until `condition` is true. @throws after five seconds */
export async function waitUntil(condition: () => boolean, what = "the condition"): Promise<void> {
  const deadlineMs = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > deadlineMs) throw new Error(`Timed out while waiting for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
