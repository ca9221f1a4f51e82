/** A small schema served by Satchel or mercurius, or the same JSON from node:http. Argument: `satchel`, `mercurius` or `bare`. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fastify } from "fastify";
import { GraphQLID, GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLSchema, GraphQLString } from "graphql";
import mercurius from "mercurius";
import { registerGraphql } from "../../src/platform/graphql/register.ts";
import { serveParent } from "../harness/serve-parent.ts";

const PAYEE = { name: "shop", network: "base" };
const RESPONSE = { data: { payment: { id: "tx_1", status: "settled", amount: 1000, payee: PAYEE } } };

function createBenchSchema(): GraphQLSchema {
  const payee = new GraphQLObjectType({
    name: "Payee",
    fields: { name: { type: GraphQLString }, network: { type: GraphQLString } },
  });
  const payment = new GraphQLObjectType({
    name: "Payment",
    fields: {
      id: { type: new GraphQLNonNull(GraphQLID) },
      status: { type: GraphQLString },
      amount: { type: GraphQLInt },
      payee: { type: payee, resolve: async () => PAYEE },
    },
  });
  const query = new GraphQLObjectType({
    name: "Query",
    fields: {
      payment: {
        type: payment,
        args: { id: { type: new GraphQLNonNull(GraphQLID) } },
        resolve: async (_root, { id }) => ({ id, status: "settled", amount: 1000 }),
      },
    },
  });
  return new GraphQLSchema({ query });
}

async function serveBare(): Promise<number> {
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      JSON.parse(text);
      response.setHeader("content-type", "application/json; charset=utf-8");
      response.end(JSON.stringify(RESPONSE));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function serveFastify(kind: string): Promise<number> {
  const app = fastify();
  const schema = createBenchSchema();
  if (kind === "mercurius") await app.register(mercurius, { schema, jit: 1 });
  else {
    const createContext = async () => ({ viewer: null });
    await registerGraphql(app, { schema, createContext, viewerOf: () => null, authenticate: () => null });
  }
  await app.listen({ port: 0, host: "127.0.0.1" });
  return (app.server.address() as AddressInfo).port;
}

const kind = process.argv[2] ?? "satchel";
serveParent(kind === "bare" ? await serveBare() : await serveFastify(kind));
