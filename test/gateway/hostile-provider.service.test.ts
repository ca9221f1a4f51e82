/** Hostile requests of callers and reports of providers. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OwnStack } from "../support/stack.ts";
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
beforeAll(async () => {
  provider = await openScriptedProvider();
  stack = await startWithProvider(provider);
});
afterAll(async () => {
  await stack?.stop();
  await provider?.close();
});

const send = (token: string, body: string) =>
  fetch(`${stack.baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body,
  });
const HELLO = JSON.stringify({ model: "own/one", max_tokens: 10, messages: [{ role: "user", content: "Hello" }] });

it.each([
  { input_tokens: 2_000_000_000, output_tokens: 1, cache_read_input_tokens: 2_000_000_000 },
  {
    prompt_tokens: 1,
    completion_tokens: 2_000_000_000,
    completion_tokens_details: { reasoning_tokens: 2_000_000_001 },
  },
  { prompt_tokens: 1e300, completion_tokens: 5 },
])("records calls although a provider reports %o", async (usage) => {
  const [one, other] = [await stack.account(), await stack.account()];
  provider.script((response) => response.end(completion("Hello.", usage)));
  expect((await send(one.token, HELLO)).status).toBe(200);
  provider.script((response) => response.end(completion("Hello.")));
  expect((await send(other.token, HELLO)).status).toBe(200);
  await stack.service.deps.gateway.calls.flush();
  for (const { accountId } of [one, other]) {
    const calls = await stack.service.deps.db.prisma.gatewayCall.findMany({ where: { accountId } });
    expect(calls).toMatchObject([{ status: "completed" }]);
  }
});

it("reports a provider that responds with a null choice as failed", async () => {
  const account = await stack.account();
  const body = { ...JSON.parse(completion("")), choices: [null] };
  provider.script((response) => response.end(JSON.stringify(body)));
  const response = await send(account.token, HELLO);
  expect(response.status).toBe(502);
  expect(await response.json()).toMatchObject({ error: { code: "provider_failed" } });
});

it("refuses a body that is nested too deeply", async () => {
  const account = await stack.account();
  const deep = "[".repeat(60_000) + "]".repeat(60_000);
  const response = await send(account.token, `${HELLO.slice(0, -1)},"metadata":${deep}}`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param: "metadata" } });
});

const CHAT = `mutation ($input: CompleteChatInput!) { completeChat(input: $input) { __typename
  ... on CompleteChatSuccess { completionId model created costUsd usage { promptTokens completionTokens totalTokens costUsd }
    choices { index finishReason message { role content refusal toolCalls { index toolCallId functionName arguments } } } }
  ... on Error { code message } } }`;
const ODD = [null, -1, 0.5, 1e300, "x", "", true, {}, [], [null], { a: null }, "1e400"];

it.each(["id", "created", "model", "object", "choices", "usage"])(
  "has no internal error for an odd %s",
  async (name) => {
    const account = await stack.account();
    for (const value of ODD) {
      const body = { ...JSON.parse(completion("Hello.")), [name]: value };
      provider.script((response) => response.end(JSON.stringify(body)));
      const input = { model: "own/free", maxTokens: 5, messages: [{ role: "USER", content: "Hello" }] };
      const { json } = await stack.graphql(account.token, CHAT, { input });
      expect([value, json.errors]).toEqual([value, undefined]);
    }
  },
);

it.each(["index", "message", "finish_reason", "logprobs"])(
  "has no internal error for a choice with an odd %s",
  async (name) => {
    const account = await stack.account();
    for (const value of [
      ...ODD,
      { content: {}, tool_calls: [null] },
      { role: {}, tool_calls: [{ function: { arguments: {} } }] },
    ]) {
      const whole = JSON.parse(completion("Hello."));
      const body = { ...whole, choices: [{ ...whole.choices[0], [name]: value }], usage: undefined };
      provider.script((response) => response.end(JSON.stringify(body)));
      const input = { model: "own/free", maxTokens: 5, messages: [{ role: "USER", content: "Hello" }] };
      const { json } = await stack.graphql(account.token, CHAT, { input });
      expect([value, json.errors]).toEqual([value, undefined]);
      expect((await send(account.token, HELLO)).status).not.toBe(500);
    }
  },
);

it("forwards no comment in Satchel's name", async () => {
  const account = await stack.account();
  const done = JSON.stringify({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } });
  provider.script((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(
      `${chunk("Hello.")}: x-satchel-cost-usd 0.000001\n\n:x-satchel-cost-usd 1.2.3\n\n: other\n\ndata: ${done}\n\ndata: [DONE]\n\n`,
    );
  });
  const text = await (await send(account.token, `${HELLO.slice(0, -1)},"stream":true}`)).text();
  expect(text.match(/^: ?x-satchel.*$/gm)).toEqual([": x-satchel-cost-usd 0.20"]);
  expect(text).toContain(": other");
});

it("cools a model down for one account alone if the provider states no time", async () => {
  const [one, other] = [await stack.account(), await stack.account()];
  provider.script((response) => response.writeHead(429).end("{}"));
  expect((await send(one.token, HELLO)).status).toBe(429);
  provider.script((response) => response.end(completion("Hello.")));
  expect((await send(other.token, HELLO)).status).toBe(200);
});

it("relays no rejection with the operator's key", async () => {
  const account = await stack.account();
  const error = { message: `Invalid header ${PROVIDER_KEY}`, metadata: { sent: `Bearer ${PROVIDER_KEY}` } };
  provider.script((response) => response.writeHead(400).end(JSON.stringify({ error })));
  const response = await send(account.token, HELLO);
  const text = await response.text();
  expect([response.status, text]).toEqual([400, expect.stringContaining("Invalid header [key]")]);
  expect(text).not.toContain(PROVIDER_KEY);
});
