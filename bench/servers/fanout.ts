/** One public subscription, served by Satchel or by unmodified graphql-ws. Argument: `satchel` or `graphql-ws`. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { GraphQLInt, GraphQLObjectType, GraphQLSchema, GraphQLString } from "graphql";
import { useServer } from "graphql-ws/use/ws";
import { WebSocketServer } from "ws";
import { registerGraphql } from "../../src/platform/graphql/register.ts";
import { serveParent } from "../harness/serve-parent.ts";

type Update = { sequence: number };
type Listener = (update: Update) => void;

/** Returns a schema with one subscription, and a function that publishes to its subscribers. */
function createFanoutSchema() {
  const listeners = new Set<Listener>();
  const source = (): AsyncIterableIterator<Update> => {
    const queue: Update[] = [];
    let wake: (() => void) | null = null;
    const listener: Listener = (update) => {
      queue.push(update);
      wake?.();
    };
    listeners.add(listener);
    return {
      async next() {
        while (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        return { done: false, value: queue.shift() as Update };
      },
      async return() {
        listeners.delete(listener);
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  };
  const transaction = new GraphQLObjectType({
    name: "Transaction",
    fields: {
      id: { type: GraphQLString, resolve: ({ sequence }: Update) => `tx_1760000000000_${sequence}` },
      status: { type: GraphQLString, resolve: () => "settled" },
      amount: { type: GraphQLInt, resolve: ({ sequence }: Update) => sequence },
      network: { type: GraphQLString, resolve: () => "base-sepolia" },
      txHash: { type: GraphQLString, resolve: () => `0x${"ab".repeat(32)}` },
    },
  });
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({ name: "Query", fields: { version: { type: GraphQLString } } }),
    subscription: new GraphQLObjectType({
      name: "Subscription",
      fields: {
        transactionUpdated: {
          type: transaction,
          extensions: { shared: true },
          subscribe: source,
          resolve: (update) => update,
        },
      },
    }),
  });
  const publish = (update: Update) => {
    for (const listener of listeners) listener(update);
  };
  return { schema, publish };
}

async function serveSatchel(schema: GraphQLSchema): Promise<number> {
  const app = fastify();
  await registerGraphql(app, {
    schema,
    createContext: () => ({ viewer: null }),
    viewerOf: () => null,
    authenticate: () => ({}),
    groupingKey: () => "everyone",
    limits: { maxConnectionsPerIp: 100_000, maxConnections: 100_000 },
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  return (app.server.address() as AddressInfo).port;
}

async function serveGraphqlWs(schema: GraphQLSchema): Promise<number> {
  const server = createServer();
  useServer({ schema }, new WebSocketServer({ server, path: "/graphql" }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const { schema, publish } = createFanoutSchema();
const port = await (process.argv[2] === "satchel" ? serveSatchel(schema) : serveGraphqlWs(schema));
serveParent(port, {
  handlers: {
    async publish(events: number) {
      for (let sequence = 1; sequence <= events; sequence++) {
        publish({ sequence });
        // One iteration of the event loop between events, as between messages from a broker.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  },
});
