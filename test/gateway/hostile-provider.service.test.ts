/** Hostile requests of callers and reports of providers. */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

it("relays no rejection with the operator's key", async () => {
  const account = await stack.account();
  const error = { message: `Invalid header ${PROVIDER_KEY}`, metadata: { sent: `Bearer ${PROVIDER_KEY}` } };
  provider.script((response) => response.writeHead(400).end(JSON.stringify({ error })));
  const response = await send(account.token, HELLO);
  const text = await response.text();
  expect([response.status, text]).toEqual([400, expect.stringContaining("Invalid header [key]")]);
  expect(text).not.toContain(PROVIDER_KEY);
});

/** Errors within a response whose status is 200, in the shapes of several servers. */
const ERRORS: readonly (readonly [name: string, error: unknown, status: number, reason: string])[] = [
  ["OpenRouter", { error: { code: 502, message: "Upstream is down." } }, 502, "Upstream is down."],
  ["OpenRouter, a rate limit", { error: { code: 429, message: "Slow down." } }, 429, "Slow down."],
  ["vLLM", { error: { object: "error", message: "Too long.", type: "BadRequestError", code: 400 } }, 400, "Too long."],
  ["Mistral", { object: "error", message: "Capacity exceeded.", type: "x", code: "3505" }, 502, "Capacity exceeded."],
  ["xAI", { code: "Some resource is exhausted", error: "Team is out of credits." }, 502, "Team is out of credits."],
  ["Google", [{ error: { code: 503, status: "UNAVAILABLE", message: "Overloaded." } }], 502, "Overloaded."],
  ["FastAPI", { detail: [{ loc: ["body"], msg: "Field required" }] }, 502, "Field required"],
  ["Groq", { id: "c", choices: [], x_groq: { id: "r", error: "over capacity" } }, 502, "over capacity"],
  ["a choice", { id: "c", choices: [{ index: 0, error: { code: 502, message: "No GPU." } }] }, 502, "No GPU."],
  ["a finish reason", { choices: [{ index: 0, delta: {}, message: {}, finish_reason: "error" }] }, 502, "failed"],
  ["no choices", { id: "c", choices: [], usage: null }, 502, "failed"],
];

describe.each(ERRORS)("an error of %s", (_name, error, status, reason) => {
  it.each([
    ["in a whole response", false, JSON.stringify(error)],
    ["in a body that is no stream", true, JSON.stringify(error, null, 2)],
    ["in an event of a stream", true, `data: ${JSON.stringify(error)}\n\ndata: [DONE]\n\n`],
  ])("%s reaches the caller, is retryable and is not charged", async (_where, stream, body) => {
    const account = await stack.account();
    provider.script((response) => response.writeHead(200).end(body));
    const response = await send(account.token, JSON.stringify({ ...JSON.parse(HELLO), stream }));
    const text = await response.text();
    expect([response.status, text]).toEqual([status, expect.stringContaining(reason)]);
    expect(response.headers.get("x-should-retry")).toBeNull();
    const { db, gateway } = stack.service.deps;
    await gateway.calls.flush();
    const { accountId } = account;
    const rows = await db.prisma.transaction.findMany({ where: { accountId, type: "gateway" } });
    expect(rows.map((row) => row.status)).toEqual(["released"]);
    expect(await db.prisma.gatewayCall.findMany({ where: { accountId } })).toMatchObject([{ status: "failed" }]);
  });
});

it.each([
  ["Retry-After", 503, { "retry-after": "7" }, {}, "7"],
  ["Retry-After", 429, { "retry-after": "7" }, {}, "7"],
  ["Google's details", 429, {}, { details: [{ retryDelay: "33.2s" }] }, "34"],
])("passes on %s of a %d", async (_name, status, headers, more, seconds) => {
  const account = await stack.account();
  const error = { message: "Later.", ...more };
  provider.script((response) => response.writeHead(status, headers).end(JSON.stringify([{ error }])));
  const response = await send(account.token, HELLO);
  expect(response.headers.get("retry-after")).toBe(seconds);
  expect(await response.text()).toContain("Later.");
});

it("serves an account regardless of failures of others", async () => {
  const failures = [
    (response: ServerResponse) => response.writeHead(500).end("{}"),
    (response: ServerResponse) => response.writeHead(429, { "retry-after": "60" }).end("{}"),
    (response: ServerResponse) => response.destroy(),
    (response: ServerResponse) => response.writeHead(200).end("<html>"),
    (response: ServerResponse) => response.writeHead(413).end("{}"),
  ];
  const others = await Promise.all(Array.from({ length: 4 }, () => stack.account()));
  for (const failure of failures) {
    provider.script(failure);
    await Promise.all(others.map(async ({ token }) => await (await send(token, HELLO)).text()));
  }
  provider.script((response) => response.end(completion("Hello.")));
  const account = await stack.account();
  expect((await send(account.token, HELLO)).status).toBe(200);
});

it.each([
  [
    "messages[0].content[0].file.file_id",
    { messages: [{ role: "user", content: [{ type: "file", file: { file_id: "file-1" } }] }] },
  ],
  [
    "messages[0].content[0].image_url.file_id",
    { messages: [{ role: "user", content: [{ type: "image_url", image_url: { file_id: "file-1" } }] }] },
  ],
  [
    "messages[0].content[0].file_id",
    { messages: [{ role: "user", content: [{ type: "input_file", file_id: "file-1" }] }] },
  ],
  [
    "messages[1].audio.id",
    {
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", audio: { id: "audio_1" } },
      ],
    },
  ],
  [
    "messages[0].content[0].image_url.url",
    { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url: " gs://bucket/private.png" } }] }] },
  ],
  [
    "messages[0].content[0].file.file_data",
    { messages: [{ role: "user", content: [{ type: "file", file: { file_data: "S3://bucket/private.pdf" } }] }] },
  ],
  ["previous_response_id", { previous_response_id: "resp_1" }],
  ["conversation.id", { conversation: { id: "conv_1" } }],
  ["audio.voice.id", { audio: { voice: { id: "voice_1" }, format: "wav" } }],
  ["extra_body.google.cached_content", { extra_body: { google: { cached_content: "cachedContents/1" } } }],
  ["tools[0].vector_store_ids[0]", { tools: [{ type: "file_search", vector_store_ids: ["vs_1"] }] }],
  [
    "tools[0].container.file_ids[0]",
    { tools: [{ type: "code_interpreter", container: { type: "auto", file_ids: ["file-1"] } }] },
  ],
])("refuses %s of an object at the provider that the account did not receive", async (param, more) => {
  const account = await stack.account();
  const response = await send(account.token, JSON.stringify({ ...JSON.parse(HELLO), ...more }));
  expect([response.status, (await response.json()).error.param]).toEqual([400, param]);
});

it("accepts such names in content of the caller, and nulls", async () => {
  const account = await stack.account();
  provider.script((response) => response.end(completion("Hello.")));
  const more = {
    tools: [
      {
        type: "function",
        function: { name: "f", parameters: { properties: { file_id: { type: "string" }, voice: { id: "x" } } } },
      },
    ],
    ...{ metadata: { conversation_id: "1" }, audio: { voice: "alloy", format: "wav" }, previous_response_id: null },
    messages: [
      { role: "assistant", tool_calls: [{ id: "call_1", type: "function", function: { name: "f", arguments: "{}" } }] },
      { role: "tool", tool_call_id: "call_1", content: '{"file_id":"1"}' },
    ],
  };
  const response = await send(account.token, JSON.stringify({ ...JSON.parse(HELLO), ...more }));
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining("Hello.")]);
});
