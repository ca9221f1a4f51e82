/** Requests, usage reports, streams, errors and price lists in the shapes of other servers (`cases.json`, which states each result). */
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { OwnStack, TestAccount } from "../support/stack.ts";
import { startStack } from "../support/stack.ts";
import { openScriptedProvider, type ScriptedProvider } from "./scripted-provider.ts";

interface Case {
  readonly name: string;
  readonly kind: "request" | "usage" | "stream" | "error" | "priceList";
  readonly right: string;
  readonly request?: Record<string, unknown>;
  readonly requestBase64?: string;
  readonly providerUsage?: "absent";
  readonly usage?: unknown;
  readonly stream?: string;
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: object;
  readonly entry?: { readonly id: string };
}
const { cases } = JSON.parse(readFileSync(new URL("cases.json", import.meta.url), "utf8")) as { cases: Case[] };
const of = (kind: Case["kind"]) => cases.filter((one) => one.kind === kind);
const named = (name: string) => cases.find((one) => one.name === name) as Case;

const MODEL = "listed/priced";
const PRICED = {
  id: MODEL,
  context_length: 128_000,
  top_provider: { max_completion_tokens: 4_000 },
  supported_parameters: ["max_tokens"],
  pricing: {
    ...{ prompt: "0.0000025", completion: "0.00001" },
    ...{ input_cache_read: "0.00000025", input_cache_write: "0.000003125" },
  },
};
const HELLO = { model: MODEL, max_tokens: 1_000, messages: [{ role: "user", content: "Say hello to the team." }] };
const OTHER = { ...PRICED, id: "listed/other" };

let provider: ScriptedProvider;
let stack: OwnStack;
let account: TestAccount;

beforeAll(async () => {
  provider = await openScriptedProvider();
  provider.list([PRICED, OTHER, { id: "listed/unpriced" }, ...of("priceList").map(({ entry }) => entry as object)]);
  const own = { name: "own", baseUrl: provider.url, kind: "key", apiKey: "sk-operators-own-key" };
  stack = await startStack({
    networks: ["base-sepolia"],
    env: () => ({ GATEWAY_PROVIDERS: JSON.stringify([own]), FREE_CREDIT_USD: "1000" }),
  });
});
afterAll(async () => {
  await stack?.stop();
  await provider?.close();
});
beforeEach(async () => {
  account = await stack.account();
  provider.requests.length = 0;
  provider.script(respondWith("Hello there."));
});

const respondWith =
  (content: string, usage?: unknown, more: object = {}) =>
  (response: ServerResponse) => {
    const choices = [{ index: 0, message: { role: "assistant", content, ...more }, finish_reason: "stop" }];
    const body = { id: "c", object: "chat.completion", created: 1, model: "priced", choices, usage };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  };

const send = (body: string | Uint8Array<ArrayBuffer>, token = account.token) =>
  fetch(`${stack.baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body,
  });
const ask = async (request: object, token?: string) => await send(JSON.stringify(request), token);
const requestOf = ({ request }: Case) => ({ ...request, model: MODEL });

interface Listed {
  readonly id: string;
  readonly pricing: Record<string, string>;
}
async function listModels(): Promise<Listed[]> {
  const response = await fetch(`${stack.baseUrl}/v1/models`, { headers: { authorization: `Bearer ${account.token}` } });
  return ((await response.json()) as { data: Listed[] }).data;
}
const failureOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: { code: string; param: string | null; message: string } };
  return { status: response.status, ...error };
};
/** Returns the last call of the account and the sum of its ledger. */
async function recorded() {
  await stack.service.deps.gateway.calls.flush();
  const { prisma } = stack.service.deps.db;
  const call = await prisma.gatewayCall.findFirst({
    where: { accountId: account.accountId },
    orderBy: { createdAt: "desc" },
  });
  const rows = await prisma.transaction.findMany({ where: { accountId: account.accountId, type: "gateway" } });
  return { call, chargedMicroUsd: rows.reduce((sum, row) => sum + (row.settledMicroUsd ?? 0n), 0n) };
}

describe("a request", () => {
  it.each(["assistant-without-content", "assistant-refusal-only", "tools-and-tool-choice-null"])(
    "%s is accepted",
    async (name) => {
      expect((await ask(requestOf(named(name)))).status).toBe(200);
    },
  );

  it("whose text is not valid UTF-8 is refused", async () => {
    const { requestBase64 = "" } = named("malformed-utf8-latin1-byte");
    const response = await send(new Uint8Array(Buffer.from(requestBase64, "base64")));
    expect(await failureOf(response)).toMatchObject({ status: 400, code: "invalid_request" });
    expect(provider.requests).toEqual([]);
  });

  it("with a picture is charged by an estimate of its size, not by the bound", async () => {
    provider.script(respondWith("A dot."));
    const response = await ask(requestOf(named("picture-without-usage")));
    // The format, the text with the role, and a picture with low detail.
    expect(Number(response.headers.get("x-satchel-cost-usd"))).toBeLessThan(0.0005);
    const { call } = await recorded();
    expect(call).toMatchObject({ isEstimated: true, promptTokens: 7 + 6 + 85 });
  });

  it("with a file id of the provider is refused", async () => {
    const failure = await failureOf(await ask(requestOf(named("file-id-without-usage"))));
    expect(failure).toMatchObject({ status: 400, param: "messages[0].content[1].file.file_id" });
    expect(provider.requests).toEqual([]);
  });

  it("with the id of audio is accepted from the account that received it only", async () => {
    const request = requestOf(named("assistant-audio-only"));
    const refused = { status: 400, param: "messages[1].audio.id" };
    expect(await failureOf(await ask(request))).toMatchObject(refused);
    provider.script(respondWith("", { prompt_tokens: 1, completion_tokens: 1 }, { audio: { id: "audio_1" } }));
    expect((await ask(HELLO)).status).toBe(200);
    expect((await ask(request)).status).toBe(200);
    const other = await stack.account();
    expect(await failureOf(await ask(request, other.token))).toMatchObject(refused);
  });
});

/** The costs that `cases.json` states. */
const COSTS: Readonly<Record<string, readonly [usd: string, isEstimated: boolean]>> = {
  "cached-inside-prompt": ["0.00054", false],
  "cache-write-inside-prompt": ["0.003263", false],
  "cached-outside-prompt": ["0.00054", false],
  "cached-outside-input": ["0.00054", false],
  // 15 tokens of input.
  "total-only": ["0.001088", true],
  "total-without-completion": ["0.00325", false],
  "completion-null": ["0.00045", false],
  "usage-null": ["0.000068", true],
};

describe("usage", () => {
  it.each(of("usage"))("$name is charged as it is meant, and shown as it is charged", async ({ name, usage }) => {
    const [usd, isEstimated] = COSTS[name] ?? [];
    provider.script(respondWith("Hello there.", usage));
    const response = await ask(HELLO);
    const body = (await response.json()) as { usage: { cost: number } };
    const { call, chargedMicroUsd } = await recorded();
    expect(response.headers.get("x-satchel-cost-usd")).toBe(usd);
    expect([body.usage.cost, Number(chargedMicroUsd) / 1e6]).toEqual([Number(usd), Number(usd)]);
    expect(call?.isEstimated).toBe(isEstimated);
  });

  it("of a stream without a report is counted as that of the whole response", async () => {
    const events = [{ delta: { role: "assistant", content: "Hello there." }, finish_reason: "stop" }];
    const chunks = events.map(
      (choice) => `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, ...choice }] })}\n\n`,
    );
    provider.script((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).end(`${chunks.join("")}data: [DONE]\n\n`);
    });
    expect(await (await ask({ ...HELLO, stream: true })).text()).toContain(": x-satchel-cost-usd 0.000068");
  });
});

describe("a stream", () => {
  const stream = async (name: string) => {
    const { stream: events } = named(name);
    provider.script((response) => response.writeHead(200, { "content-type": "text/event-stream" }).end(events));
    const response = await ask({ ...HELLO, stream: true, stream_options: { include_usage: true } });
    return { headers: response.headers, text: await response.text() };
  };

  it("with zeros at the end is charged by the report before", async () => {
    await stream("zero-at-the-end");
    expect((await recorded()).chargedMicroUsd).toBe(450n);
  });

  it("passes comments on, and no named events", async () => {
    const { text } = await stream("comments-and-ping");
    expect(text).toContain(": PROCESSING\n\n");
    expect(text).not.toContain("ping");
  });

  it("states its maximum cost in the header and its cost in the usage chunk", async () => {
    const { headers, text } = await stream("stream-cost");
    expect(headers.get("x-satchel-cost-usd")).toBeNull();
    expect(Number(headers.get("x-satchel-max-cost-usd"))).toBeGreaterThan(0.00045);
    const chunks = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) => JSON.parse(json));
    expect(chunks.filter(({ usage }) => usage)).toEqual([
      expect.objectContaining({ choices: [], usage: expect.objectContaining({ prompt_tokens: 100, cost: 0.00045 }) }),
    ]);
  });
});

describe("an error of the provider", () => {
  const fail = ({ status = 500, headers, body }: Case) =>
    provider.script((response) => response.writeHead(status, headers).end(JSON.stringify(body)));

  it("404 is model_not_found with its reason, and no charge", async () => {
    fail(named("provider-404-with-a-reason"));
    expect(await failureOf(await ask(HELLO))).toMatchObject({
      ...{ status: 404, code: "model_not_found" },
      message: expect.stringContaining("The model was retired on 1 November."),
    });
    expect((await recorded()).chargedMicroUsd).toBe(0n);
  });

  it("429 cools down its model for Retry-After, for the account that was limited, and nothing for another", async () => {
    fail(named("provider-429-with-retry-after"));
    const limited = await ask({ ...HELLO, model: OTHER.id });
    expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "30"]);
    expect((await limited.text()).includes("Rate limit reached.")).toBe(true);
    provider.script(respondWith("Hello there."));
    const skipped = await ask({ ...HELLO, model: OTHER.id });
    expect(skipped.status).toBe(429);
    expect(Number(skipped.headers.get("retry-after"))).toBeGreaterThan(25);
    expect(provider.requests).toHaveLength(1);
    const other = await stack.account();
    expect((await ask({ ...HELLO, model: OTHER.id }, other.token)).status).toBe(200);
    expect((await ask(HELLO)).status).toBe(200);
  });

  it.each([
    ["200 with an error", JSON.stringify({ error: { message: "Upstream is down.", code: 502 } }), "Upstream is down."],
    ["an error in a choice", JSON.stringify({ choices: [{ index: 0, error: { message: "No GPU." } }] }), "No GPU."],
    ["an HTML page", "<html><body>Bad gateway</body></html>", "malformed"],
  ])("%s is a failure that can be retried and is not charged", async (_name, body, reason) => {
    provider.script((response) => response.writeHead(200).end(body));
    const response = await ask(HELLO);
    expect([response.status, response.headers.get("x-should-retry")]).toEqual([502, null]);
    expect(await response.text()).toContain(reason === "malformed" ? "failed" : reason);
    const { call, chargedMicroUsd } = await recorded();
    expect([call?.status, chargedMicroUsd]).toEqual(["failed", 0n]);
  });
});

describe("a price list", () => {
  it("may contain numbers, exponents and every class of price", async () => {
    const prices = new Map((await listModels()).map(({ id, pricing }) => [id, pricing]));
    expect(prices.get("listed/number")).toMatchObject({ prompt: "0.0000025", completion: "0.00001" });
    expect(prices.get("listed/exponent")).toMatchObject({ prompt: "0.0000001", completion: "0.0000004" });
    expect(prices.get("listed/classes")).toMatchObject({ input_cache_write: "0.000003125", image: "0.001" });
    expect(prices.has("listed/unpriced")).toBe(false);
  });

  it("with an output limit of the whole window leaves space for the input", async () => {
    await ask({ model: "listed/full", messages: HELLO.messages });
    const sent = Number(provider.requests[0]?.body["max_tokens"]);
    expect(sent).toBeLessThan(4_000);
    expect(sent).toBeGreaterThan(3_900);
  });
});
