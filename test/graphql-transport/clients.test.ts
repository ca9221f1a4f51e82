/** Client libraries when their connection ends: what they do automatically, without code of their user. */
import { ApolloClient, ApolloLink, CombinedGraphQLErrors, gql, InMemoryCache, Observable } from "@apollo/client";
import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { type DocumentNode, print } from "graphql";
import { createClient as createSseClient } from "graphql-sse";
import { createClient as createSocketClient } from "graphql-ws";
import { EventSource } from "undici";
import { createClient as createUrqlClient, subscriptionExchange } from "urql";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { startInterruptibleProxy } from "../examples/interruptible-proxy.ts";
import { resumeAfterLastEvent } from "./resuming-client.ts";
import { startServer, waitUntil } from "./server.ts";

type Received = { data?: unknown; errors?: readonly { extensions?: Record<string, unknown> }[] | undefined };
type Observer = { onResult(result: Received): void; onEnd(error?: unknown): void };
/** Subscribes with a client library. Returns a function that unsubscribes. */
type Subscribe = (url: string, query: string, observer: Observer) => () => void;

const LOG = "subscription ($after: String) { log(after: $after) { cursor count } }";
const BUY = "subscription { buy { count } }";
const RETRY_MS = 10;
const waitForRetry = () => new Promise<void>((resolve) => setTimeout(resolve, RETRY_MS));

const createSse = (url: string) =>
  resumeAfterLastEvent(
    createSseClient({
      url,
      headers: { "x-service-token": "ann" },
      retry: waitForRetry,
      retryAttempts: 500,
    }),
  );
const createSocket = (url: string) =>
  resumeAfterLastEvent(
    createSocketClient({
      url: url.replace("http", "ws"),
      webSocketImpl: WebSocket,
      connectionParams: { "X-Service-Token": "ann" },
      retryWait: waitForRetry,
      retryAttempts: 500,
      // Also after a refused connection.
      shouldRetry: () => true,
    }),
  );

type AnyClient = {
  subscribe(
    payload: { query: string; variables: Record<string, unknown> },
    sink: { next(result: object): void; error(error: unknown): void; complete(): void },
  ): () => void;
};
const direct =
  (create: (url: string) => unknown): Subscribe =>
  (url, query, { onResult, onEnd }) => {
    const client = create(url) as AnyClient;
    return client.subscribe({ query, variables: {} }, { next: onResult, error: onEnd, complete: onEnd });
  };
const throughUrql =
  (create: (url: string) => unknown): Subscribe =>
  (url, query, { onResult, onEnd }) => {
    const client = create(url) as AnyClient;
    const urql = createUrqlClient({
      url,
      preferGetMethod: false,
      exchanges: [
        subscriptionExchange({
          forwardSubscription: ({ query: document = "", variables }) => ({
            subscribe: (sink) => ({
              unsubscribe: client.subscribe(
                { query: document, variables: (variables ?? {}) as Record<string, unknown> },
                sink,
              ),
            }),
          }),
        }),
      ],
    });
    const { unsubscribe } = urql.subscription(query, {}).subscribe(({ data, error, hasNext }) => {
      if (error?.networkError) onEnd(error.networkError);
      else onResult({ data, errors: error?.graphQLErrors });
      if ((!hasNext || error) && !error?.networkError) onEnd();
    });
    return unsubscribe;
  };
const throughApollo =
  (createLink: (url: string) => ApolloLink): Subscribe =>
  (url, query, { onResult, onEnd }) => {
    const apollo = new ApolloClient({ link: createLink(url), cache: new InMemoryCache() });
    const subscription = apollo.subscribe({ query: gql(query), errorPolicy: "all" }).subscribe({
      next: ({ data, error }) => onResult({ data, errors: CombinedGraphQLErrors.is(error) ? error.errors : undefined }),
      error: onEnd,
      complete: onEnd,
    });
    return () => subscription.unsubscribe();
  };
const createSseLink = (url: string) => {
  const client = createSse(url) as unknown as AnyClient;
  return new ApolloLink(
    ({ query, variables }) =>
      new Observable((observer) =>
        client.subscribe({ query: print(query as DocumentNode), variables }, observer as never),
      ),
  );
};
const throughEventSource: Subscribe = (url, query, { onResult, onEnd }) => {
  const source = new EventSource(`${url}?query=${encodeURIComponent(query)}`);
  source.addEventListener("next", (event) => onResult(JSON.parse((event as MessageEvent).data)));
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) onEnd();
  });
  return () => source.close();
};

const CLIENTS: [string, Subscribe][] = [
  ["graphql-sse", direct(createSse)],
  ["graphql-ws", direct(createSocket)],
  ["urql over graphql-sse", throughUrql(createSse)],
  ["urql over graphql-ws", throughUrql(createSocket)],
  ["Apollo Client over graphql-sse", throughApollo(createSseLink)],
  ["Apollo Client over graphql-ws", throughApollo((url) => new GraphQLWsLink(createSocket(url) as never))],
  ["EventSource", throughEventSource],
];

/** Subscribes and collects the results and the end. */
function observe(subscribe: Subscribe, url: string, query: string) {
  const observed = { results: [] as Received[], ends: [] as unknown[] };
  const unsubscribe = subscribe(url, query, {
    onResult: (result) => observed.results.push(result),
    onEnd: (error) => observed.ends.push(error ?? "complete"),
  });
  onTestFinished(unsubscribe);
  return observed;
}

const countsOf = ({ results }: { results: Received[] }) =>
  results.map(({ data }) => (data as { log?: { count: number } } | null | undefined)?.log?.count);
const codesOf = ({ results }: { results: Received[] }) =>
  results.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions?.["code"]));

/** Short, so EventSource reconnects within milliseconds. */
const LIMITS = { reconnectDelayMs: RETRY_MS };

describe("after a restart of the service, every event arrives once", () => {
  test.each(CLIENTS)("%s", async (_name, subscribe) => {
    const server = await startServer({ limits: LIMITS });
    const { state, port } = server;
    const observed = observe(subscribe, server.url, LOG);
    await waitUntil(() => state.readers === 1, "the subscription");
    state.append(1);
    await waitUntil(() => observed.results.length === 1);
    await server.app.close();
    state.append(2);
    state.append(3);
    await startServer({ limits: LIMITS }, { port, state });
    await waitUntil(() => observed.results.length === 3, "the events of the restart");
    state.append(4);
    await waitUntil(() => observed.results.length === 4);
    expect([countsOf(observed), observed.ends]).toEqual([[1, 2, 3, 4], []]);
  });
});

describe("after a revocation, no client reconnects", () => {
  test.each(CLIENTS.filter(([name]) => name !== "EventSource"))("%s", async (name, subscribe) => {
    const server = await startServer({ limits: LIMITS });
    const observed = observe(subscribe, server.url, LOG);
    await waitUntil(() => server.state.readers === 1);
    const { contexts } = server.counters;
    server.transports.disconnect("ann");
    await waitUntil(() => observed.ends.length > 0, "the end");
    const reported = JSON.stringify([observed.results, observed.ends, codesOf(observed)]);
    expect(reported, name).toContain("STREAM_REVOKED");
    expect(server.counters.contexts).toBe(contexts);
  });

  test("EventSource", async () => {
    const viewer = { account: "ann", credential: "ann" };
    const createContext = ({ requestId }: { requestId: string }) => ({ viewer, requestId });
    const server = await startServer({ limits: LIMITS, createContext });
    const observed = observe(throughEventSource, server.url, LOG);
    await waitUntil(() => server.state.readers === 1);
    server.transports.disconnect("ann");
    await waitUntil(() => observed.ends.length > 0, "the end");
    expect(codesOf(observed)).toEqual(["STREAM_REVOKED"]);
  });
});

describe("no client starts a second purchase", () => {
  test.each(CLIENTS)("%s, when the service restarts", async (_name, subscribe) => {
    const server = await startServer({ limits: LIMITS });
    const { state, port } = server;
    const observed = observe(subscribe, server.url, BUY);
    await waitUntil(() => state.purchases.started === 1);
    await server.app.close();
    await startServer({ limits: LIMITS }, { port, state });
    await waitUntil(() => observed.ends.length > 0, "the end");
    expect(state.purchases.started).toBe(1);
  });

  test.each(CLIENTS)("%s, when the connection is lost", async (_name, subscribe) => {
    const server = await startServer({ limits: LIMITS });
    const { purchases } = server.state;
    const proxy = await startInterruptibleProxy(server.url);
    onTestFinished(() => proxy.close());
    const observed = observe(subscribe, `${proxy.url}/graphql`, BUY);
    await waitUntil(() => purchases.topic.readers === 1);
    purchases.topic.publish({ channel: "a", count: 1 });
    await waitUntil(() => observed.results.length === 1);
    proxy.cut();
    await waitUntil(() => purchases.topic.readers === 0);
    proxy.restore();
    await waitUntil(() => observed.ends.length > 0, "the end");
    expect(purchases.started).toBe(1);
  });

  test.each(CLIENTS)("%s, when it reads too slowly", async (_name, subscribe) => {
    const server = await startServer({ limits: { ...LIMITS, maxBufferedBytes: 0 } });
    const { purchases } = server.state;
    const observed = observe(subscribe, server.url, "subscription { buy { channel } }");
    await waitUntil(() => purchases.topic.readers === 1);
    const channel = "x".repeat(4_000_000);
    for (let count = 0; count < 5; count++) purchases.topic.publish({ channel, count });
    await waitUntil(() => observed.ends.length > 0, "the end");
    expect(JSON.stringify([codesOf(observed), observed.ends])).toContain(
      subscribe === throughEventSource ? "complete" : "STREAM_TOO_SLOW",
    );
    expect(purchases.started).toBe(1);
  });
});
