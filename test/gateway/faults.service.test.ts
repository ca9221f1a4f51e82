/** Failing providers: fallback, payments, and the error for the caller. */
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { auditLedger } from "../../src/wallet/audit.ts";
import type { TestAccount } from "../support/stack.ts";
import { type GatewayStack, say, startGatewayStack } from "./gateway-harness.ts";

const PRICE = 2_000n;
let gateway: GatewayStack;
let account: TestAccount;
let client: OpenAI;

beforeAll(async () => {
  // A busy machine needs seconds for the first settlement.
  gateway = await startGatewayStack({ GATEWAY_TIMEOUT_MS: "5000", GATEWAY_COMPLETION_TIMEOUT_MS: "5000" });
});
afterAll(() => gateway?.stop());
beforeEach(async () => {
  await gateway.resetObserved();
  account = await gateway.account();
  // Two retries are the client's default: the tests show which errors it does not retry.
  client = gateway.client(account, { maxRetries: 2 });
});

const complete = (model: string) => client.chat.completions.create({ model, messages: say("Hello there") });

async function streamed(model: string): Promise<{ text: string; error: unknown; chunks: number }> {
  let [text, chunks] = ["", 0];
  try {
    const stream = await client.chat.completions.create({ model, messages: say("Hello there"), stream: true });
    for await (const chunk of stream) {
      chunks++;
      text += chunk.choices[0]?.delta.content ?? "";
    }
    return { text, error: null, chunks };
  } catch (error) {
    return { text, error, chunks };
  }
}

describe("before the first byte, the next provider is called", () => {
  it.each(["429", "500", "hangs"])("after %s, without a payment", async (fault) => {
    const { choices } = await complete(`sandbox/${fault}`);
    expect(choices[0]?.message.content).toBe("You said: Hello there");
    const rows = await gateway.settledLedger(account);
    expect(rows.map(({ settledMicroUsd }) => settledMicroUsd)).toEqual([PRICE]);
    expect(await gateway.calls(account)).toMatchObject([{ provider: "third", status: "completed" }]);
  });

  it.each(["settles-then-429", "settles-then-drops", "cuts-at-once"])(
    "after %s, and the ledger has both payments",
    async (fault) => {
      expect((await streamed(`sandbox/${fault}`)).text).toBe("You said: Hello there");
      const rows = await gateway.settledLedger(account);
      expect(rows.map(({ settledMicroUsd }) => settledMicroUsd)).toEqual([PRICE, PRICE]);
      const { distinctPayments } = await gateway.observed("/faulty/v1/chat/completions");
      expect(distinctPayments).toHaveLength(1);
      expect(await auditLedger(gateway.service.deps.db)).toEqual([]);
    },
  );

  it("but not after two providers were paid and failed", async () => {
    const error = await complete("sandbox/settles-then-500").catch((it) => it);
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 502, code: "provider_failed" });
    const { distinctPayments } = await gateway.observed("/faulty/v1/chat/completions");
    expect(distinctPayments).toHaveLength(2);
    expect((await gateway.observed("/exact-v1/v1/chat/completions")).requests).toEqual([]);
    expect((await gateway.settledLedger(account)).map(({ settledMicroUsd }) => settledMicroUsd)).toEqual([
      PRICE,
      PRICE,
    ]);
  });

  it("but not above the caller's limits", async () => {
    account = await gateway.account({ limits: { dailyMicroUsd: PRICE * 2n - 1n } });
    client = gateway.client(account);
    const error = await complete("sandbox/settles-then-429").catch((it) => it);
    expect(error).toMatchObject({ status: 502, code: "provider_failed" });
    expect(await gateway.ledger(account)).toHaveLength(1);
  });
});

it("a provider that was paid and failed is not paid twice, and the client does not retry", async () => {
  const error = await complete("only/settles-then-500").catch((it) => it);
  expect(error).toMatchObject({ status: 502, code: "provider_failed" });
  expect(error.headers.get("x-should-retry")).toBe("false");
  const [row, second] = await gateway.settledLedger(account);
  expect([row?.settledMicroUsd, second]).toEqual([PRICE, undefined]);
  expect(error.headers.get("x-satchel-payment-id")).toBe(row?.id);
  expect((await gateway.observed("/faulty/v1/chat/completions")).distinctPayments).toHaveLength(1);
  expect(await gateway.calls(account)).toMatchObject([{ status: "failed", errorCode: "provider_failed" }]);
});

it.each(["keyed/500", "keyed/hangs"])("%s costs nothing", async (model) => {
  const error = await gateway
    .client(account, { maxRetries: 0 })
    .chat.completions.create({ model, messages: say("x") })
    .catch((it) => it);
  expect(error).toMatchObject({ status: 502, code: "provider_failed" });
  expect(error.headers.get("x-should-retry")).toBeNull();
  expect((await gateway.settledLedger(account)).map(({ status }) => status)).toEqual(["released"]);
});

it("passes on the provider's error for an invalid request", async () => {
  const error = await complete("keyed/refuses").catch((it) => it);
  expect(error).toBeInstanceOf(OpenAI.BadRequestError);
  expect(error).toMatchObject({ status: 400, code: "context_length_exceeded", type: "provider_error" });
  expect((await gateway.settledLedger(account)).map(({ status }) => status)).toEqual(["released"]);
});

describe("after the first byte", () => {
  it.each(["cuts", "bad-json", "error-midstream"])(
    "%s ends the stream with an error, and the forwarded part is charged",
    async (fault) => {
      const { text, error } = await streamed(`keyed/${fault}`);
      expect("You said: Hello there".startsWith(text) && text.length > 0).toBe(true);
      expect(error).toBeInstanceOf(OpenAI.APIError);
      expect(error).toMatchObject({ code: "provider_failed" });
      const [row] = await gateway.settledLedger(account);
      const cost = row?.settledMicroUsd ?? 0n;
      expect(cost > 0n && cost < 200n).toBe(true);
      expect(await gateway.calls(account)).toMatchObject([{ status: "failed", costMicroUsd: cost }]);
      expect(await auditLedger(gateway.service.deps.db)).toEqual([]);
    },
  );

  it("a stream without [DONE] is complete once every choice has ended", async () => {
    const { text, error } = await streamed("keyed/no-done");
    expect([text, error]).toEqual(["You said: Hello there", null]);
    expect(await gateway.calls(account)).toMatchObject([{ status: "completed" }]);
  });

  it.each(["no-usage", "forged-usage"])(
    "%s is charged by counted tokens, and never above the reservation",
    async (fault) => {
      expect((await streamed(`keyed/${fault}`)).text).toBe("You said: Hello there");
      const [row] = await gateway.settledLedger(account);
      expect((row?.settledMicroUsd ?? 0n) > 0n && (row?.settledMicroUsd ?? 0n) <= (row?.amountMicroUsd ?? 0n)).toBe(
        true,
      );
      expect(await auditLedger(gateway.service.deps.db)).toEqual([]);
    },
  );
});

it("a client that disconnects stops the provider and pays for the received part", async () => {
  const body = { model: "sandbox/key", messages: say("count"), stream: true, sandbox: { delay_ms: 100, pieces: 400 } };
  const stream = await client.chat.completions.create(body as never as OpenAI.ChatCompletionCreateParamsStreaming);
  let chunks = 0;
  for await (const _ of stream) if (++chunks === 10) break;
  const [call] = await vi.waitFor(async () => {
    const calls = await gateway.calls(account);
    if (calls[0]?.status !== "aborted") throw new Error(`${calls[0]?.status}`);
    return calls;
  });
  // Only then: reconciliation releases a reservation whose call appears to have ended without a charge.
  const [row] = await gateway.settledLedger(account);
  expect((row?.settledMicroUsd ?? 0n) > 0n && (row?.settledMicroUsd ?? 0n) < 1_000n).toBe(true);
  expect(call?.completionTokens).toBeLessThan(200);
  expect(await auditLedger(gateway.service.deps.db)).toEqual([]);
});

it("a provider with repeated failures is suspended", async () => {
  const quick = gateway.client(account, { maxRetries: 0 });
  const body = { model: "only/500", messages: say("x") };
  for (let n = 0; n < 8; n++) await quick.chat.completions.create(body).catch(() => {});
  // The circuit breaker opens after five consecutive failures; later calls skip the provider.
  expect((await gateway.observed("/faulty/v1/chat/completions")).requests.length).toBeLessThanOrEqual(5);
});
