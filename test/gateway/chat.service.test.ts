/** The official OpenAI client against the complete stack: models, chats, streams, tools and costs. */
import type OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import type { TestAccount } from "../support/stack.ts";
import { type GatewayStack, say, startGatewayStack } from "./gateway-harness.ts";

let gateway: GatewayStack;
let account: TestAccount;
let client: OpenAI;

beforeAll(async () => {
  gateway = await startGatewayStack();
  account = await gateway.account();
  await gateway.fund(account, "10000000");
  client = gateway.client(account);
});
afterAll(() => gateway?.stop());

const TOOL = {
  type: "function" as const,
  function: {
    name: "weather",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};

describe("models", () => {
  it("are each listed exactly once, with prices", async () => {
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(["sandbox/echo", "sandbox/key", "sandbox/500"]));
    expect(new Set(data.map(({ id }) => id)).size).toBe(data.length);
    expect(data.find(({ id }) => id === "sandbox/key")).toEqual({
      id: "sandbox/key",
      object: "model",
      created: 1_735_689_600,
      owned_by: "sandbox",
      name: "sandbox/key",
      context_length: 128_000,
      pricing: { prompt: "0.000002", completion: "0.000008", request: "0" },
      supported_parameters: expect.arrayContaining(["tools"]),
    });
  });

  it("are returned by ID, and an unknown ID returns 404 model_not_found", async () => {
    expect((await client.models.retrieve("sandbox/echo")).id).toBe("sandbox/echo");
    await expect(client.models.retrieve("sandbox/nobody")).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
    });
  });
});

describe.each(["exact-v1", "exact-v2", "upto-v1", "upto-v2", "key"])("a chat completion by provider %s", (name) => {
  const model = `sandbox/${name}`;

  it("treats parameters that are null as absent", async () => {
    const absent = { tools: null, tool_choice: null, temperature: null, stop: null, response_format: null };
    const body = { model, messages: say("Hello"), max_tokens: 16, ...absent };
    const payer = await gateway.account();
    if (name.startsWith("upto")) await gateway.fund(payer, "10000000");
    const { choices } = await gateway.client(payer).chat.completions.create(body as never);
    expect(choices[0]?.message.content).toBe("You said: Hello");
  });

  // The treasury signs no permits, so credit cannot pay `upto` offers.
  it.each(name.startsWith("upto") ? ["the wallet"] : ["credit", "the wallet"])(
    "is returned, recorded and paid from %s",
    async (source) => {
      const payer = await gateway.account();
      if (source === "the wallet") {
        await gateway.fund(payer, "10000000");
        await gateway.service.deps.db.prisma.credit.update({
          where: { accountId: payer.accountId },
          data: { availableMicroUsd: 0n },
        });
        await gateway.service.deps.db.prisma.transaction.deleteMany({ where: { accountId: payer.accountId } });
      }
      const messages = say("Where is the pocket?");
      const { data, response } = await gateway
        .client(payer)
        .chat.completions.create({ model, messages, max_tokens: 50 })
        .withResponse();
      expect(data).toMatchObject({
        object: "chat.completion",
        model,
        choices: [
          {
            index: 0,
            finish_reason: "stop",
            message: { role: "assistant", content: `You said: ${messages[0]?.content}` },
          },
        ],
      });
      const usage = data.usage ?? { prompt_tokens: 0, completion_tokens: 0 };
      const counted = BigInt(usage.prompt_tokens * 2 + usage.completion_tokens * 8);
      // The treasury pays the network fee, so the minimum cost applies.
      const least = name === "key" && source === "the wallet" ? 10_000n : counted;
      const cost = name.startsWith("exact") ? 2_000n : least;
      const [row] = await gateway.settledLedger(payer);
      const paidFromCredit = source === "credit";
      expect(row).toMatchObject({ type: "gateway", status: "settled", settledMicroUsd: cost, paidFromCredit });
      expect(Number(response.headers.get("x-satchel-cost-usd")) * 1e6).toBeCloseTo(Number(cost), 3);
      expect(response.headers.get("x-satchel-payment-id")).toBe(row?.id);
      expect(response.headers.get("x-request-id")).toMatch(/\S/);
      expect(await gateway.calls(payer)).toMatchObject([
        { model, provider: name, status: "completed", costMicroUsd: cost, promptTokens: usage.prompt_tokens },
      ]);
      expect(await auditLedger(gateway.service.deps.db)).toEqual([]);
    },
  );

  it("is streamed, with a usage chunk only if include_usage is set", async () => {
    const body = { model, messages: say("One two three"), max_tokens: 40, stream: true as const };
    const stream = await client.chat.completions.create({ ...body, stream_options: { include_usage: true } });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("")).toBe("You said: One two three");
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: expect.any(Number) } });
    const plain: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of await client.chat.completions.create(body)) plain.push(chunk);
    expect(plain).toHaveLength(chunks.length - 1);
    expect(plain.every((chunk) => chunk.choices.length > 0 && !chunk.usage)).toBe(true);
  });
});

it("returns tool calls, with and without streaming, and accepts tool results", async () => {
  const body = { model: "sandbox/key", messages: say("Porto"), tools: [TOOL] };
  const { choices } = await client.chat.completions.create(body);
  expect(choices[0]?.message.tool_calls).toEqual([
    { id: "call_0", type: "function", function: { name: "weather", arguments: '{"city":"Porto"}' } },
  ]);
  const final = await client.chat.completions.stream(body).finalChatCompletion();
  expect(final.choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { arguments: '{"city":"Porto"}' } });
  const toolResult = await client.chat.completions.create({
    ...body,
    messages: [
      ...body.messages,
      choices[0]?.message as OpenAI.ChatCompletionMessage,
      { role: "tool", tool_call_id: "call_0", content: "17 degrees" },
    ],
  });
  expect(toolResult.choices[0]?.message.content).toBe("You said: 17 degrees");
});

it("forwards images, response_format, stop, n and unknown parameters to the provider", async () => {
  const image_url = { url: `data:image/png;base64,${"A".repeat(2_000_000)}` };
  const seen = await client.chat.completions.create({
    model: "sandbox/key",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "image_url", image_url },
        ],
      },
    ],
  });
  expect(seen.choices[0]?.message.content).toBe("You said: Look I see 1 picture.");
  const json = await client.chat.completions.create({
    model: "sandbox/key",
    messages: say("x"),
    response_format: { type: "json_object" },
  });
  expect(json.choices[0]?.message.content).toBe('{"answer":"x"}');
  const several = await client.chat.completions.create({
    model: "sandbox/key",
    messages: say("a b c"),
    n: 2,
    stop: "b",
    sandbox: { delay_ms: 1 },
  } as never as OpenAI.ChatCompletionCreateParamsNonStreaming);
  expect(several.choices.map(({ message }) => message.content)).toEqual(["You said: a", "You said: a"]);
});

it("returns 401 for an unknown token, and reports a cost of 0.00 for a free model", async () => {
  const unauthenticated = gateway.client({ ...account, token: "satchel_sk_nobody" });
  await expect(unauthenticated.models.list()).rejects.toMatchObject({ status: 401, type: "authentication_error" });
  const free = await client.chat.completions.create({ model: "free/echo", messages: say("hi") }).withResponse();
  expect(free.response.headers.get("x-satchel-cost-usd")).toBe("0.00");
});

it.each([
  [{ messages: [] }, "model"],
  [{ model: "sandbox/key", messages: [] }, "messages"],
  [{ model: "sandbox/key", messages: [{ content: "x" }] }, "messages[0].role"],
  [{ model: "sandbox/key", messages: [{ role: "users", content: "x" }] }, "messages[0].role"],
  [{ model: "sandbox/key", messages: [{ role: "user" }] }, "messages[0].content"],
  [{ model: "sandbox/key", messages: [{ role: "user", content: null }] }, "messages[0].content"],
  [{ model: "sandbox/key", messages: [{ role: "user", content: 5 }] }, "messages[0].content"],
  [{ model: "sandbox/key", messages: [{ role: "user", content: ["x"] }] }, "messages[0].content"],
  [{ model: "sandbox/key", messages: [{ role: "user", content: [{ type: "text" }] }] }, "messages[0].content[0].text"],
  [{ model: "sandbox/key", messages: [{ role: "user", content: "x" }], max_tokens: 0 }, "max_tokens"],
  [{ model: "sandbox/key", messages: [{ role: "user", content: "x" }], max_tokens: 12.5 }, "max_tokens"],
  [
    { model: "sandbox/key", messages: [{ role: "user", content: "x" }], max_completion_tokens: 12.5 },
    "max_completion_tokens",
  ],
  [{ model: "sandbox/exact-v1", messages: [{ role: "user", content: "x" }], tools: "search" }, "tools"],
  [{ model: "sandbox/exact-v1", messages: [{ role: "user", content: "x" }], tools: ["search"] }, "tools[0]"],
  [{ model: "sandbox/exact-v1", messages: [{ role: "user", content: "x" }], stop: 5 }, "stop"],
  [
    { model: "sandbox/exact-v1", messages: [{ role: "user", content: "x" }], response_format: "json" },
    "response_format",
  ],
  [{ model: "sandbox/key", messages: [{ role: "user", content: "x" }], n: 99 }, "n"],
  [{ model: "sandbox/key", messages: [{ role: "user", content: "x" }], stream: "yes" }, "stream"],
])("returns 400 invalid_request with the parameter's name for %j", async (body, param) => {
  const reply = await gateway.rest(account.token, "POST", "/v1/chat/completions", body);
  expect([reply.status, reply.json.error.code, reply.json.error.param]).toEqual([400, "invalid_request", param]);
});
