/** The gateway's routes and its GraphQL: errors, idempotency, records and subscriptions. */
import { randomBytes } from "node:crypto";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { type GatewayStack, say, startGatewayStack } from "../gateway/gateway-harness.ts";
import type { TestAccount } from "../support/stack.ts";

let gatewayStack: GatewayStack;
let account: TestAccount;

beforeAll(async () => {
  gatewayStack = await startGatewayStack();
  account = await gatewayStack.account();
});
afterAll(() => gatewayStack?.stop());

const CHAT = { model: "sandbox/key", messages: say("Hello"), max_tokens: 20 };
const metadata = () => `resource_metadata="${gatewayStack.baseUrl}/.well-known/oauth-protected-resource/v1"`;
const post = (body: unknown, headers: Record<string, string> = {}, token: string | null = account.token) =>
  gatewayStack.rest(token, "POST", "/v1/chat/completions", body, headers);
const ledgerSize = async () => (await gatewayStack.ledger(account)).length;

describe("errors have OpenAI's format", () => {
  it.each([
    ["no credential", null, CHAT, 401, "unauthorized", null],
    ["an unknown model", "own", { ...CHAT, model: "nobody/nothing" }, 404, "model_not_found", "model"],
    ["a body that is none", "own", "[1", 400, "invalid_request", null],
    ["a list for a body", "own", [1], 400, "invalid_request", "body"],
    ["messages of another type", "own", { ...CHAT, messages: "hi" }, 400, "invalid_request", "messages"],
  ])("%s", async (_what, token, body, status, code, param) => {
    const reply = await post(body, {}, token === null ? null : account.token);
    expect([reply.status, reply.json]).toEqual([
      status,
      { error: { message: expect.any(String), type: expect.any(String), code, param } },
    ]);
    expect(reply.headers.get("x-request-id")).toMatch(/\S/);
    expect(reply.headers.get("www-authenticate")).toBe(status === 401 ? `Bearer realm="satchel", ${metadata()}` : null);
  });

  it("for an invalid token", async () => {
    const refused = await post(CHAT, { authorization: "Bearer satchel_at_nobodys" }, null);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      `Bearer realm="satchel", error="invalid_token", ${metadata()}`,
    ]);
  });

  it("402 names the limit, or reports that payment is required", async () => {
    const poor = await gatewayStack.account({ limits: { perTransactionMicroUsd: 1n } });
    const limited = await post(CHAT, {}, poor.token);
    expect([limited.status, limited.json.error.code]).toEqual([402, "spending_limit_exceeded"]);
    await gatewayStack.service.deps.db.prisma.credit.update({
      where: { accountId: account.accountId },
      data: { availableMicroUsd: 0n },
    });
    const empty = await post(CHAT);
    expect([empty.status, empty.json.error.code]).toEqual([402, "payment_required"]);
    await gatewayStack.service.deps.db.prisma.credit.update({
      where: { accountId: account.accountId },
      data: { availableMicroUsd: 5_000_000n },
    });
    const off = await gatewayStack.account({ x402: false });
    expect((await post(CHAT, {}, off.token)).json.error.code).toBe("x402_not_enabled");
  });

  it("for an unknown path", async () => {
    const reply = await gatewayStack.rest(account.token, "GET", "/v1/embeddings");
    expect([reply.status, reply.json.error.code]).toEqual([404, "not_found"]);
  });

  it.each([
    ["/v1/chat/completions", "PUT", "POST, OPTIONS"],
    ["/v1/models", "POST", "GET, HEAD, OPTIONS"],
  ])("%s rejects %s and lists the allowed methods", async (path, method, allow) => {
    const refused = await gatewayStack.rest(account.token, method, path);
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, allow]);
    const response = await gatewayStack.rest(null, "OPTIONS", path);
    expect([response.status, response.headers.get("allow")]).toEqual([204, allow]);
  });

  it("for a body sent as text", async () => {
    const { status, json } = await post(JSON.stringify(CHAT), { "content-type": "text/plain" });
    expect([status, json.error.message]).toEqual([400, "The body must be sent as application/json."]);
  });

  it("for more than 10 MiB, but not for 5 MiB", async () => {
    const picture = (bytes: number) => [
      {
        role: "user",
        content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(bytes)}` } }],
      },
    ];
    expect((await post({ ...CHAT, messages: picture(11 * 2 ** 20) })).status).toBe(413);
    expect((await post({ ...CHAT, messages: picture(5 * 2 ** 20) })).status).toBe(200);
  });
});

describe("an Idempotency-Key", () => {
  it.each([false, true])("returns the first response again; streamed: %s", async (stream) => {
    const key = { "idempotency-key": randomBytes(8).toString("hex") };
    const first = await post({ ...CHAT, stream }, key);
    expect(first.status).toBe(200);
    const size = await ledgerSize();
    const again = await post({ ...CHAT, stream }, key);
    expect([again.status, again.text]).toEqual([200, first.text]);
    for (const name of ["x-satchel-payment-id", "content-type", "x-satchel-call-id"]) {
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    }
    expect(await ledgerSize()).toBe(size);
    const other = await post({ ...CHAT, stream, temperature: 1 }, key);
    expect([other.status, other.json.error.code]).toEqual([422, "idempotency_key_reused"]);
  });

  it("makes one call for 20 concurrent requests", async () => {
    const key = { "idempotency-key": randomBytes(8).toString("hex") };
    const size = await ledgerSize();
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => post({ ...CHAT, sandbox: { delay_ms: 300 } }, key)),
    );
    const served = replies.filter(({ status }) => status === 200);
    expect(new Set(served.map(({ text }) => text)).size).toBe(1);
    for (const { status, json, headers } of replies.filter((reply) => !served.includes(reply))) {
      expect([status, json.error.code, headers.get("x-should-retry")]).toEqual([409, "idempotency_in_flight", "false"]);
    }
    expect(await ledgerSize()).toBe(size + 1);
  });

  it("of an interrupted stream cannot be used again", async () => {
    const key = { "idempotency-key": randomBytes(8).toString("hex") };
    const body = { ...CHAT, stream: true, max_tokens: 500, sandbox: { delay_ms: 20, pieces: 300 } };
    const client = gatewayStack.client(account);
    const stream = await client.chat.completions.create(body as never, { headers: key });
    for await (const _ of stream as unknown as AsyncIterable<unknown>) break;
    await expect.poll(async () => (await post(body, key)).json?.error?.code).toBe("idempotency_key_reused");
  });
});

it("forwards the first chunk before the provider has finished", async () => {
  const response = await fetch(`${gatewayStack.baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${account.token}` },
    body: JSON.stringify({ ...CHAT, stream: true, sandbox: { delay_ms: 150, pieces: 12 } }),
  });
  const arrivals: number[] = [];
  let text = "";
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    arrivals.push(performance.now());
    text += Buffer.from(bytes).toString();
  }
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  // Each chunk is forwarded separately.
  expect(arrivals.length).toBeGreaterThan(8);
  expect(text).toMatch(/: x-satchel-cost-usd 0\.\d+\n\ndata: \[DONE\]\n\n$/);
});

describe("GraphQL", () => {
  const COMPLETE = `mutation ($input: CompleteChatInput!) { completeChat(input: $input) { __typename
    ... on Error { code message }
    ... on CompleteChatSuccess { completionId model costUsd wallet { id creditUsd } usage { promptTokens completionTokens totalTokens }
      choices { index finishReason message { role content toolCalls { functionName } } }
      call { id callId status provider costUsd payments { type status amountUsd: settledAt } } } } }`;

  it("completes a chat and records it", async () => {
    const input = {
      model: "sandbox/key",
      messages: [{ role: "USER", parts: [{ text: "Hi" }] }],
      maxTokens: 10,
      parameters: { stream: true, n: 1 },
    };
    const { json } = await gatewayStack.graphql(account.token, COMPLETE, { input });
    const result = json.data.completeChat;
    expect(result).toMatchObject({
      __typename: "CompleteChatSuccess",
      choices: [
        { index: 0, finishReason: "STOP", message: { role: "ASSISTANT", content: "You said: Hi", toolCalls: [] } },
      ],
      completionId: expect.any(String),
      wallet: { creditUsd: expect.any(String) },
      call: { status: "COMPLETED", provider: "key", costUsd: result.costUsd, payments: [{ type: "GATEWAY" }] },
    });
    const { json: node } = await gatewayStack.graphql(
      account.token,
      "query ($id: ID!, $ownId: ID!) { node(id: $id) { __typename } gatewayCall(id: $ownId) { id errorCode } }",
      { id: result.call.id, ownId: result.call.callId },
    );
    expect(node.data).toEqual({
      node: { __typename: "GatewayCall" },
      gatewayCall: { id: result.call.id, errorCode: null },
    });
    const otherAccount = await gatewayStack.account();
    const { json: hidden } = await gatewayStack.graphql(
      otherAccount.token,
      "query ($id: ID!) { node(id: $id) { __typename } }",
      {
        id: result.call.id,
      },
    );
    expect(hidden.data.node).toBeNull();
  });

  it("lists models, calls by filter, and usage by day and model", async () => {
    const { json } = await gatewayStack.graphql(
      account.token,
      `query { models(first: 100, filter: { q: "ECHO" }) { totalCount { value } edges { node { id pricing { prompt } } } } model(id: "sandbox/echo") { id } unknown: model(id: "sandbox/none") { id } viewer {
        completed: gatewayCalls(first: 5, filter: { statuses: [COMPLETED], model: "sandbox/key" }) { edges { node { model status } } }
        future: gatewayCalls(filter: { createdAfter: "2999-01-01T00:00:00Z" }) { edges { cursor } }
        gatewayUsage(period: DAY, count: 7) { startsAt model callCount promptTokens completionTokens costUsd } } }`,
    );
    expect(json.errors).toBeUndefined();
    const { models, model, unknown, viewer } = json.data;
    const ids = models.edges.map(({ node }: { node: { id: string } }) => node.id);
    expect(ids).toContain("sandbox/echo");
    expect(ids).not.toContain("sandbox/key");
    expect([models.totalCount.value, model, unknown]).toEqual([ids.length, { id: "sandbox/echo" }, null]);
    expect(viewer.completed.edges.length).toBeGreaterThan(0);
    expect(viewer.future.edges).toEqual([]);
    const [usage] = viewer.gatewayUsage.filter(({ model }: { model: string }) => model === "sandbox/key");
    const calls = (await gatewayStack.calls(account)).filter(
      ({ model, status }) => model === "sandbox/key" && status !== "failed",
    );
    expect(usage.callCount).toBe(calls.length);
    const cost = calls.reduce((sum, call) => sum + (call.costMicroUsd ?? 0n), 0n);
    expect(Number(usage.costUsd)).toBeCloseTo(Number(cost) / 1e6, 6);
  });

  it("streams a chat to a subscriber, and ends with its cost", async () => {
    const socket = createClient({
      url: `${gatewayStack.baseUrl.replace("http", "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { "x-service-token": account.token },
    });
    const query = `subscription ($input: CompleteChatInput!) { chatCompletion(input: $input) {
      chunk { choices { message { content } finishReason } usage { totalTokens } } end { costUsd call { status costUsd } } } }`;
    const events = socket.iterate<{ chatCompletion: { chunk: never; end: { costUsd: string; call: object } | null } }>({
      query,
      variables: { input: { model: "sandbox/key", messages: [{ role: "USER", content: "Stream me" }] } },
    });
    const received = [];
    for await (const { data, errors } of events) {
      expect(errors).toBeUndefined();
      received.push(data?.chatCompletion);
    }
    await socket.dispose();
    // biome-ignore lint/suspicious/noExplicitAny: chunks have many shapes.
    const text = received.map((event: any) => event?.chunk?.choices[0]?.message.content ?? "").join("");
    expect(text).toBe("You said: Stream me");
    const end = received.at(-1)?.end;
    expect(end).toEqual({ costUsd: expect.any(String), call: { status: "COMPLETED", costUsd: end?.costUsd } });
  });

  it("reports the error to a subscriber", async () => {
    const response = await fetch(`${gatewayStack.baseUrl}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream", "x-service-token": account.token },
      body: JSON.stringify({
        query: "subscription ($input: CompleteChatInput!) { chatCompletion(input: $input) { end { costUsd } } }",
        variables: { input: { model: "nobody/nothing", messages: [{ role: "USER", content: "x" }] } },
      }),
    });
    expect(await response.text()).toContain("model_not_found");
  });
});
