/** One subscription that everyone may read, behind this service's server or graphql-ws as it comes. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { GraphQLInt, GraphQLObjectType, GraphQLSchema, GraphQLString } from "graphql";
import { useServer } from "graphql-ws/use/ws";
import { WebSocketServer } from "ws";
import { registerGraphql } from "../../src/platform/graphql/register.ts";
import { answerParent } from "../harness/answer-parent.ts";

type Update = { sequence: number };
type Reader = (update: Update) => void;

/** A schema with one subscription, and what publishes to every open source of it. */
function fanoutSchema() {
  const readers = new Set<Reader>();
  const source = (): AsyncIterableIterator<Update> => {
    const waiting: Update[] = [];
    let wake: (() => void) | null = null;
    const reader: Reader = (update) => {
      waiting.push(update);
      wake?.();
    };
    readers.add(reader);
    return {
      async next() {
        while (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
        return { done: false, value: waiting.shift() as Update };
      },
      async return() {
        readers.delete(reader);
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
    for (const reader of readers) reader(update);
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

const { schema, publish } = fanoutSchema();
const port = await (process.argv[2] === "satchel" ? serveSatchel(schema) : serveGraphqlWs(schema));
answerParent(port, {
  handlers: {
    async publish(events: number) {
      for (let sequence = 1; sequence <= events; sequence++) {
        publish({ sequence });
        // A turn of the loop between events, as between messages from a broker.
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
  },
});
