/** urql with the normalised cache (graphcache), which reads the schema's introspection. */
import { cacheExchange } from "@urql/exchange-graphcache";
import { getIntrospectionQuery } from "graphql";
import { Client, fetchExchange } from "urql";
import { beforeAll, expect, it, vi } from "vitest";
import { createFrontend, type Data, type Frontend, WEBHOOK_URL } from "./fixture.ts";
import { CREATE_WEBHOOK, DELETE_WEBHOOK, IDENTITY, OVERVIEW, SET_X402, TOKENS, WEBHOOKS } from "./screens.ts";

let frontend: Frontend;
let client: Client;
beforeAll(async () => {
  frontend = await createFrontend();
  const request = { query: getIntrospectionQuery() };
  const introspection = await fetch(frontend.url, {
    method: "POST",
    headers: { ...frontend.headers, "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  const { data: schema } = await introspection.json();
  client = new Client({
    url: frontend.url,
    preferGetMethod: false,
    fetchOptions: { headers: frontend.headers },
    exchanges: [
      cacheExchange({
        schema,
        // Without ids of their own: pages and edges.
        updates: {
          Mutation: {
            deleteWebhook(result, _args, cache) {
              const { deletedId } = result["deleteWebhook"] as { deletedId: string };
              cache.invalidate({ __typename: "Webhook", id: deletedId });
            },
          },
        },
      }),
      fetchExchange,
    ],
  });
});

const query = async (document: string, variables = {}) => {
  const { data, error } = await client.query<Data>(document, variables).toPromise();
  expect(error).toBeUndefined();
  return data;
};
const cached = (document: string, variables = {}) =>
  client.readQuery<Data>(document, variables, { requestPolicy: "cache-only" })?.data;

it("retains what two queries below viewer have read, and applies a mutation to both", async () => {
  const warn = vi.spyOn(console, "warn");
  await query(OVERVIEW);
  await query(IDENTITY);
  await client.mutation(SET_X402, { input: { enabled: false } }).toPromise();
  expect(cached(OVERVIEW).viewer.account.x402Enabled).toBe(false);
  expect(cached(IDENTITY).viewer.wallet.evmAddress).toMatch(/^0x/);
  expect(warn.mock.calls).toEqual([]);
});

it("reads a list page by page", async () => {
  const { viewer } = await query(TOKENS, { first: 2 });
  const next = await query(TOKENS, { first: 2, after: viewer.apiTokens.pageInfo.endCursor });
  expect(next.viewer.apiTokens.edges).toHaveLength(1);
  expect(cached(TOKENS, { first: 2 }).viewer.apiTokens.edges).toHaveLength(2);
});

it("removes a deleted object by its id", async () => {
  const { data } = await client.mutation<Data>(CREATE_WEBHOOK, { input: { url: WEBHOOK_URL } }).toPromise();
  const { id } = data.createWebhook.webhook;
  expect((await query(WEBHOOKS)).viewer.webhooks.edges).toHaveLength(1);
  await client.mutation(DELETE_WEBHOOK, { input: { id } }).toPromise();
  expect((await query(WEBHOOKS)).viewer.webhooks.edges).toEqual([]);
});
