/** Abuse by callers and providers: charges, rejections and redacted logs. */
import { createClient as createSseClient } from "graphql-sse";
import { createClient } from "graphql-ws";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import WebSocket from "ws";
import type { Transaction } from "../../generated/prisma/client.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { startInterruptibleProxy } from "../examples/interruptible-proxy.ts";
import type { OwnStack, TestAccount } from "../support/stack.ts";
import {
  chunk,
  completion,
  openScriptedProvider,
  PROVIDER_KEY,
  type ScriptedProvider,
  startWithProvider,
} from "./scripted-provider.ts";

let provider: ScriptedProvider;
let stack: OwnStack;
let account: TestAccount;
let log = "";

beforeAll(async () => {
  provider = await openScriptedProvider();
  stack = await startWithProvider(provider, (line) => {
    log += line;
  });
});
afterAll(async () => {
  await stack?.stop();
  await provider?.close();
});
beforeEach(async () => {
  account = await stack.account();
  provider.requests.length = 0;
});

const MESSAGES = [{ role: "user", content: "Where is the pocket?" }];
const post = (body: object, signal?: AbortSignal, headers: Record<string, string> = {}) =>
  fetch(`${stack.baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${account.token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ model: "own/one", messages: MESSAGES, ...body }),
    ...(signal ? { signal } : {}),
  });

const rows = (): Promise<Transaction[]> =>
  stack.service.deps.db.prisma.transaction.findMany({ where: { accountId: account.accountId, type: "gateway" } });

async function call() {
  await stack.service.deps.gateway.calls.flush();
  const [found] = await stack.service.deps.db.prisma.gatewayCall.findMany({ where: { accountId: account.accountId } });
  return found;
}

describe("a caller that disconnects before the response is charged for the prompt", () => {
  it.each([
    ["before it begins", {}, () => {}],
    ["during a complete response", {}, (response) => void response.writeHead(200).write('{"id":')],
    ["before a stream's first chunk", { stream: true }, (response) => void response.writeHead(200).flushHeaders()],
  ] as [string, object, Parameters<ScriptedProvider["script"]>[0]][])("%s", async (_when, body, reply) => {
    const left = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    provider.script((response) => {
      response.once("close", () => left.resolve());
      reply(response);
      reached.resolve();
    });
    const leave = new AbortController();
    const completed = post(body, leave.signal).catch((error) => error.name);
    await reached.promise;
    leave.abort();
    expect(await completed).toBe("AbortError");
    // The gateway cancels the provider's request.
    await left.promise;
    await expectPromptCharged();
  });

  it.each([
    ["subscription", "subscription ($input: CompleteChatInput!) { chatCompletion(input: $input) { end { costUsd } } }"],
    ["mutation", "mutation ($input: CompleteChatInput!) { completeChat(input: $input) { __typename } }"],
  ])("by completing a %s on a WebSocket that remains open", async (_kind, query) => {
    const left = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    provider.script((response) => {
      response.once("close", () => left.resolve());
      reached.resolve();
    });
    let closed = 0;
    const client = createClient({
      url: `${stack.baseUrl.replace(/^http/, "ws")}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { "X-Service-Token": account.token },
      lazy: false,
      retryAttempts: 0,
      onNonLazyError: () => {},
      on: { closed: () => void closed++ },
    });
    const input = { model: "own/one", messages: [{ role: "USER", content: "x" }] };
    const given: unknown[] = [];
    const complete = client.subscribe(
      { query, variables: { input } },
      { next: (value) => void given.push(value), error: (error) => void given.push(error), complete: () => {} },
    );
    await reached.promise;
    complete();
    await left.promise;
    await expectPromptCharged();
    const { done, value } = await client.iterate({ query: "{ __typename }" }).next();
    expect({ done, data: value?.data, given, closed }).toEqual({
      done: false,
      data: { __typename: "Query" },
      given: [],
      closed: 0,
    });
    await client.dispose();
  });
});

describe("a subscriber that reconnects makes no second call", () => {
  const query =
    "subscription ($input: CompleteChatInput!) { chatCompletion(input: $input) { end { costUsd } chunk { completionId } } }";
  const headers = () => ({ "X-Service-Token": account.token });
  const retry = () => new Promise<void>((resolve) => setTimeout(resolve, 10));
  const clients = {
    "graphql-ws": (url: string) =>
      createClient({
        url: url.replace(/^http/, "ws"),
        webSocketImpl: WebSocket,
        connectionParams: headers(),
        retryWait: retry,
        retryAttempts: 500,
        // Also after a refused connection.
        shouldRetry: () => true,
      }),
    "graphql-sse": (url: string) => createSseClient({ url, headers: headers(), retry, retryAttempts: 500 }),
  };

  it.each([
    ["graphql-ws", "before the first chunk", null, "operation_repeated"],
    ["graphql-ws", "after the first chunk", null, "operation_repeated"],
    ["graphql-ws", "before the first chunk", "key-1", "idempotency_key_reused"],
    ["graphql-sse", "before the first chunk", null, "operation_repeated"],
    ["graphql-sse", "after the first chunk", null, "operation_repeated"],
    ["graphql-sse", "after the first chunk", "key-2", "idempotency_key_reused"],
  ] as const)("with %s %s, with idempotency key %s: %s", async (name, when, idempotencyKey, code) => {
    const left = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    provider.script((response) => {
      response.once("close", () => left.resolve());
      if (when === "before the first chunk") return reached.resolve();
      response.writeHead(200, { "content-type": "text/event-stream" }).write(chunk("first"));
    });
    const proxy = await startInterruptibleProxy(stack.baseUrl);
    onTestFinished(() => proxy.close());
    const client = clients[name](`${proxy.url}/graphql`);
    const results: { errors?: readonly { extensions?: object }[] }[] = [];
    const ended = Promise.withResolvers<void>();
    const messages = [{ role: "USER", content: "Where is the pocket?" }];
    const input = { model: "own/one", messages, ...(idempotencyKey === null ? {} : { idempotencyKey }) };
    client.subscribe(
      { query, variables: { input } },
      {
        next(result) {
          results.push(result as never);
          reached.resolve();
        },
        error: ended.reject,
        complete: ended.resolve,
      },
    );
    await reached.promise;
    proxy.cut();
    await left.promise;
    // The first call is recorded before its client reconnects.
    await expect.poll(async () => (await call())?.status).toBe("aborted");
    proxy.restore();
    await ended.promise;
    expect(results.at(-1)?.errors?.[0]?.extensions).toMatchObject({ code });
    expect(provider.requests.length).toBe(1);
    client.dispose();
  });
});

async function expectPromptCharged(): Promise<void> {
  await expect.poll(async () => (await rows()).map(({ status }) => status)).toEqual(["settled"]);
  const [row] = await rows();
  const cost = row?.settledMicroUsd ?? 0n;
  expect(cost > 0n && cost < (row?.amountMicroUsd ?? 0n) && cost % 10_000n === 0n).toBe(true);
  await expect.poll(async () => (await call())?.status).toBe("aborted");
  expect(await call()).toMatchObject({
    costMicroUsd: cost,
    promptTokens: Number(cost / 10_000n),
    completionTokens: 0,
  });
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
}

describe("the maximum cost covers every interpretation of the request", () => {
  const reserved = async (body: object): Promise<bigint> => {
    provider.script((response) => void response.writeHead(200).end(completion("yes")));
    const reply = await post(body);
    expect(reply.status, await reply.text()).toBe(200);
    const [row] = await rows();
    return row?.amountMicroUsd ?? 0n;
  };
  const COMPLETION = 20_000n;

  it("uses the larger of two limits, in the parameter that the model supports", async () => {
    expect(await reserved({ max_completion_tokens: 1, max_tokens: 90 })).toBeGreaterThan(90n * COMPLETION);
    expect(provider.requests[0]?.body).toMatchObject({ max_tokens: 90 });
    expect(provider.requests[0]?.body).not.toHaveProperty("max_completion_tokens");
  });

  it("renames a limit to the parameter that the model supports", async () => {
    expect(await reserved({ max_completion_tokens: 2 })).toBeLessThan(50n * COMPLETION);
    expect(provider.requests[0]?.body["max_tokens"]).toBe(2);
  });

  it("ignores a limit that the model does not support", async () => {
    expect(await reserved({ model: "own/deaf", max_tokens: 1 })).toBeGreaterThanOrEqual(100n * COMPLETION);
  });

  it.each([
    ["a file", { type: "file", file: { file_data: `data:application/pdf;base64,${"A".repeat(16_000)}` } }, 8_000n],
    ["a file elsewhere", { type: "file", file: { file_data: "https://files.example/1" } }, 10_000n],
    ["a film elsewhere", { type: "video_url", video_url: { url: "https://films.example/1" } }, 10_000n],
    ["sound", { type: "input_audio", input_audio: { data: "A".repeat(18_000), format: "mp3" } }, 9_000n],
  ])("%s counts by its length, up to the context length", async (_what, part, tokens) => {
    const most = await reserved({ messages: [{ role: "user", content: [part] }], max_tokens: 1 });
    expect(most).toBeGreaterThanOrEqual(tokens * 10_000n);
    expect(most).toBeLessThanOrEqual(10_000n * 10_000n + COMPLETION);
  });

  it.each([
    [{ models: ["dear/one"] }, "models"],
    [{ plugins: [{ id: "web" }] }, "plugins"],
    [{ web_search_options: {} }, "web_search_options"],
    [{ service_tier: "priority" }, "service_tier"],
    [{ search_parameters: { mode: "on" } }, "search_parameters"],
    [{ enable_search: true }, "enable_search"],
    [{ speed: "fast" }, "speed"],
    [{ tools: [{ type: "function", function: { name: "f" } }, { type: "openrouter:web_search" }] }, "tools[1].type"],
    [{ tools: [{ google_search: {} }] }, "tools[0].type"],
    [{ provider: { order: ["dear"] } }, "provider"],
  ])("rejects %j without a provider call", async (body, param) => {
    const reply = await post(body);
    expect([reply.status, ((await reply.json()) as { error: { param: string } }).error.param]).toEqual([400, param]);
    expect([provider.requests, await rows()]).toEqual([[], []]);
  });

  it("passes on parameters without extra cost", async () => {
    const tools = [{ type: "custom", custom: { name: "f" } }];
    await reserved({ service_tier: "flex", seed: 7, logit_bias: { "1": 2 }, tools });
    expect(provider.requests[0]?.body).toMatchObject({ service_tier: "flex", seed: 7, logit_bias: { "1": 2 }, tools });
  });
});

it("a usage report above the reservation is charged up to it", async () => {
  provider.script(
    (response) => void response.writeHead(200).end(completion("x", { prompt_tokens: 9e8, completion_tokens: 9e8 })),
  );
  expect((await post({})).status).toBe(200);
  const [row] = await rows();
  expect(row?.settledMicroUsd).toBe(row?.amountMicroUsd);
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
});

it("treats a response that cannot be counted as malformed, and releases its reservation immediately", async () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  provider.script((response) => void response.writeHead(200).end(`{"choices":${deep}}`));
  const reply = await post({});
  expect(reply.status).toBe(502);
  expect(await reply.json()).toMatchObject({ error: { code: "provider_failed" } });
  expect((await rows()).map(({ status }) => status)).toEqual(["released"]);
  expect(await auditLedger(stack.service.deps.db)).toEqual([]);
});

it("sends the provider the request and its key, but none of the caller's headers", async () => {
  provider.script((response) => void response.writeHead(200).end(completion("yes")));
  await post({}, undefined, { cookie: "a=b", "x-service-token": account.token, "x-forwarded-for": "1.2.3.4" });
  const headers = provider.requests[0]?.headers ?? {};
  expect(Object.keys(headers).toSorted()).toEqual([
    "accept",
    "accept-encoding",
    "authorization",
    "connection",
    "content-length",
    "content-type",
    "host",
    "user-agent",
  ]);
  expect(headers["authorization"]).toBe(`Bearer ${PROVIDER_KEY}`);
  expect(JSON.stringify(provider.requests)).not.toContain(account.token);
});

it("never logs prompts, responses or keys, even on errors", async () => {
  const secret = "marzipan-under-the-stairs";
  const replies: Parameters<ScriptedProvider["script"]>[0][] = [
    (response) => void response.writeHead(200).end(completion(secret)),
    (response) => void response.writeHead(200).end(`${secret} is no JSON`),
    (response) => void response.writeHead(500).end(`${secret} ${PROVIDER_KEY}`),
    (response) => void response.writeHead(401).end(JSON.stringify({ error: { message: `${secret} ${PROVIDER_KEY}` } })),
    (response) => void response.writeHead(400).end(JSON.stringify({ error: { message: secret } })),
    (response) => void response.writeHead(200).end(`data: ${JSON.stringify({ error: { message: secret } })}\n\n`),
    (response) => void response.writeHead(200).end(`${chunk(secret)}data: ${secret}\n\n`),
  ];
  log = "";
  for (const reply of replies) {
    for (const stream of [false, true]) {
      provider.requests.length = 0;
      provider.script(reply);
      await (await post({ stream, model: "own/free", messages: [{ role: "user", content: secret }] })).text();
      expect(provider.requests).toHaveLength(1);
      // A success resets the circuit breaker, so that the next call reaches the provider.
      provider.script((response) => void response.writeHead(200).end(completion("yes")));
      await (await post({ model: "own/free" })).text();
    }
  }
  expect(log).toContain("/v1/chat/completions");
  expect(log).not.toContain("marzipan");
  expect(log).not.toContain(PROVIDER_KEY);
  expect(log).not.toContain(account.token);
});

describe("where scopes are enforced", () => {
  it("calls, their payments, usage, trades and spending require transactions:read", async () => {
    provider.script((response) => void response.writeHead(200).end(completion("yes")));
    const reply = await post({});
    const callId = reply.headers.get("x-satchel-call-id") ?? "";
    const { accountId } = account;
    await stack.service.deps.db.prisma.account.update({ where: { id: accountId }, data: { strictScopes: true } });
    await stack.service.deps.db.prisma.apiToken.update({
      where: { id: account.tokenId },
      data: { scopes: ["payments:sign", "account:read"] },
    });
    const node = Buffer.from(`GatewayCall:${callId}`).toString("base64");
    const trade = Buffer.from("Trade:trd_1").toString("base64");
    for (const query of [
      `{ node(id: "${node}") { id } }`,
      `{ node(id: "${trade}") { id } }`,
      "{ viewer { gatewayCalls { edges { node { id payments { id } } } } } }",
      "{ viewer { gatewayUsage(period: DAY) { model } } }",
      "{ viewer { spendingHistory(period: DAY) { startsAt } } }",
      "{ viewer { account { spending { day { settledUsd } } } } }",
      `mutation { completeChat(input: { model: "own/one", messages: [{ role: USER, content: "x" }] }) { ... on CompleteChatSuccess { call { payments { id } } } } }`,
    ]) {
      const { json } = await stack.graphql(account.token, query);
      expect(json.errors?.[0]?.message ?? JSON.stringify(json), query).toContain("lacks the scope transactions:read");
    }
  });
});
