import { createClient } from "graphql-ws";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADMIN_TOKEN, type OwnStack, startStack } from "../support/stack.ts";

const lines: Record<string, unknown>[] = [];
let stack: OwnStack;
beforeAll(async () => {
  stack = await startStack({
    env: { ACCESS_LOG_ADDRESS: "full" },
    onLog: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
});
afterAll(() => stack.stop());

/** Waits for the line of the request, which is written after its response. */
async function lineOf(requestId: string | null): Promise<Record<string, unknown>> {
  const find = () => lines.find((line) => line["stream"] === "access" && line["requestId"] === requestId);
  await expect.poll(find).toBeDefined();
  return find() ?? {};
}

test("a GraphQL request's line has account, credential and root fields, but no name, argument or token", async () => {
  const { accountId, tokenId, token } = await stack.account();
  const query = `query secretName { viewer { ...f } node(id: "secret-argument") { id } } fragment f on Viewer { __typename }`;
  const { headers, status } = await stack.graphql(token, query);
  const line = await lineOf(headers.get("x-request-id"));
  expect(line).toMatchObject({ level: "info", method: "POST", route: "/graphql", status, address: "127.0.0.1" });
  expect(line).toMatchObject({ accountId, credentialKind: "api_token", credentialId: tokenId });
  expect(line["operation"]).toBe("query:viewer,node");
  expect(JSON.stringify(line)).not.toMatch(/secret|satchel_/);
});

test("a REST request's line has the route and the account; an unauthenticated one has no account", async () => {
  const { accountId, token } = await stack.account();
  const known = await stack.rest(token, "GET", "/api/transactions?limit=1&cursor=secret");
  expect(await lineOf(known.headers.get("x-request-id"))).toMatchObject({ route: "/api/transactions", accountId });
  const unknown = await stack.rest(`${token}x`, "GET", "/api/transactions");
  const line = await lineOf(unknown.headers.get("x-request-id"));
  expect(line).toMatchObject({ status: 401 });
  expect(line).not.toHaveProperty("accountId");
  expect(line).not.toHaveProperty("credentialKind");
});

test("the operator's requests are marked", async () => {
  const { headers } = await stack.graphql(
    null,
    "{ viewer { __typename } }",
    {},
    { authorization: `Bearer ${ADMIN_TOKEN}` },
  );
  const line = await lineOf(headers.get("x-request-id"));
  expect(line).toMatchObject({ credentialKind: "operator" });
  expect(line).not.toHaveProperty("accountId");
});

test("each operation on a WebSocket has a line", async () => {
  const { accountId, token } = await stack.account();
  const client = createClient({
    url: `${stack.baseUrl.replace("http", "ws")}/graphql`,
    connectionParams: { "x-service-token": token },
    webSocketImpl: WebSocket,
  });
  for await (const result of client.iterate({ query: "{ viewer { __typename } }" }))
    expect(result.errors).toBeUndefined();
  await client.dispose();
  const find = () => lines.find((line) => line["transport"] === "ws");
  await expect.poll(find).toMatchObject({ stream: "access", accountId, operation: "query:viewer", errorCount: 0 });
});
