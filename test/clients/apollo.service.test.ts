/** Apollo Client with its default cache: no type policies, no configuration. */
import { ApolloClient, gql, HttpLink, InMemoryCache } from "@apollo/client";
import { beforeAll, expect, it, vi } from "vitest";
import { createFrontend, type Data, type Frontend, WEBHOOK_URL } from "./fixture.ts";
import { CREATE_WEBHOOK, DELETE_WEBHOOK, IDENTITY, OVERVIEW, SET_X402, TOKENS, WEBHOOKS } from "./screens.ts";

let frontend: Frontend;
let client: ApolloClient;
beforeAll(async () => {
  frontend = await createFrontend();
  client = new ApolloClient({
    link: new HttpLink({ uri: frontend.url, headers: frontend.headers }),
    cache: new InMemoryCache(),
  });
});

/** Returns a query's data from the cache; null if a part is missing. */
const cached = (document: string, variables = {}) => client.cache.readQuery<Data>({ query: gql(document), variables });

it("retains what two queries below viewer have read, and applies a mutation to both", async () => {
  const warn = vi.spyOn(console, "warn");
  const reports = vi.spyOn(console, "error");
  await client.query({ query: gql(OVERVIEW) });
  await client.query({ query: gql(IDENTITY) });
  expect(cached(OVERVIEW).viewer.account.x402Enabled).toBe(true);
  expect(cached(IDENTITY).viewer.wallet.evmAddress).toMatch(/^0x/);
  expect([...warn.mock.calls, ...reports.mock.calls]).toEqual([]);
  await client.mutate({ mutation: gql(SET_X402), variables: { input: { enabled: false } } });
  expect(cached(OVERVIEW).viewer.account.x402Enabled).toBe(false);
});

it("reads a list page by page", async () => {
  const { data } = await client.query<Data>({ query: gql(TOKENS), variables: { first: 2 } });
  const { endCursor, hasNextPage } = data.viewer.apiTokens.pageInfo;
  expect(hasNextPage).toBe(true);
  const next = await client.query<Data>({ query: gql(TOKENS), variables: { first: 2, after: endCursor } });
  expect(next.data.viewer.apiTokens.edges).toHaveLength(1);
  expect(cached(TOKENS, { first: 2 }).viewer.apiTokens.edges).toHaveLength(2);
});

it("removes a deleted object by its id", async () => {
  const { data } = await client.mutate<Data>({
    mutation: gql(CREATE_WEBHOOK),
    variables: { input: { url: WEBHOOK_URL } },
  });
  const { id } = data.createWebhook.webhook;
  await client.query({ query: gql(WEBHOOKS) });
  expect(cached(WEBHOOKS).viewer.webhooks.edges).toHaveLength(1);
  await client.mutate<Data>({
    mutation: gql(DELETE_WEBHOOK),
    variables: { input: { id } },
    update(cache, result) {
      cache.evict({ id: `Webhook:${result.data?.deleteWebhook.deletedId}` });
    },
  });
  expect(client.cache.extract()).not.toHaveProperty([`Webhook:${id}`]);
});
