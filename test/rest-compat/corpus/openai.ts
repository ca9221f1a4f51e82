/** Language models and chats in OpenAI's format. */
import { say } from "../../gateway/gateway-harness.ts";
import { createScopedAccount, reopenKey, type Scenario } from "./scenario.ts";

const CHAT = "POST /v1/chat/completions";
const MODELS = "GET /v1/models";
const MODEL = "GET /v1/models/{id}";

const LIMITS = { contextLength: 128_000, maxOutputTokens: 1_024, supportedParameters: ["max_tokens"] };
const price = { promptUsdPerToken: "0", completionUsdPerToken: "0", requestUsd: "0.002" };

/** Returns the providers of the recorded service: with a key, paid through X402, and with a fault. */
export function describeProviders(llmUrl: string): string {
  const at = (path: string) => ({ baseUrl: `${llmUrl}/${path}/v1` });
  const key = { kind: "key", apiKey: "sandbox-llm-key" };
  return JSON.stringify([
    { name: "key", ...at("key"), ...key },
    { name: "exact", ...at("exact-v1"), kind: "x402" },
    { name: "upto", ...at("upto-v1"), kind: "x402" },
    ...["refuses", "500", "429"].map((fault) => ({
      ...{ name: `keyed-${fault}`, ...at("faulty-key"), ...key },
      models: [{ ...LIMITS, ...price, id: `keyed/${fault}` }],
    })),
    { name: "paid", ...at("faulty"), kind: "x402", models: [{ ...LIMITS, ...price, id: "paid/settles-then-500" }] },
  ]);
}

export async function recordOpenAi(scenario: Scenario): Promise<void> {
  const { stack, send, bare, sendToBare } = scenario;
  const account = await stack.account();
  await stack.fund(account, "5000000");
  const { token } = account;
  const chat = { model: "sandbox/key", messages: say("Hello"), max_tokens: 20 };
  const { json } = await send(MODELS, "200", { token });
  await send(MODEL, "200", { token, path: { id: json.data[0].id } });
  await send(MODEL, "404", { token, path: { id: "none" } });
  await send(CHAT, "200", { token, body: chat });
  await send(CHAT, "200 streamed", { token, body: { ...chat, stream: true } });
  await send(CHAT, "200 paid through X402", { token, body: { ...chat, model: "sandbox/exact-v1" } });
  const key = { "idempotency-key": "chatted-once" };
  await send(CHAT, "200 with a key", { token, body: chat, headers: key });
  await send(CHAT, "422 another request with the key", { token, body: { ...chat, temperature: 1 }, headers: key });
  await reopenKey(stack, account, key["idempotency-key"]);
  await send(CHAT, "409 the key's first request is in flight", { token, body: chat, headers: key });
  await send(CHAT, "400 not JSON", { token, body: "[1", headers: { "content-type": "application/json" } });
  await send(CHAT, "400 text", { token, body: "{}", headers: { "content-type": "text/plain" } });
  await send(CHAT, "400 messages", { token, body: { ...chat, messages: "hi" } });
  await send(CHAT, "400 no model", { token, body: { messages: chat.messages } });
  await send(CHAT, "404", { token, body: { ...chat, model: "nobody/nothing" } });
  await send(CHAT, "413", { token, body: { ...chat, messages: say("x".repeat(10 * 2 ** 20)) } });
  for (const model of ["keyed/refuses", "keyed/500", "keyed/429", "paid/settles-then-500"]) {
    await send(CHAT, `fault ${model}`, { token, body: { ...chat, model } });
  }
  const scoped = await createScopedAccount(stack, []);
  await send(CHAT, "403 scope", { token: scoped.token, body: chat });
  const off = await stack.account({ x402: false });
  await send(CHAT, "400 X402 is not enabled", { token: off.token, body: chat });
  const limited = await stack.account({ limits: { perTransactionMicroUsd: 1n } });
  await send(CHAT, "402 limit", { token: limited.token, body: chat });
  const poor = await stack.account();
  await stack.service.deps.db.prisma.credit.update({
    where: { accountId: poor.accountId },
    data: { availableMicroUsd: 0n },
  });
  await send(CHAT, "402 balance", { token: poor.token, body: chat });
  const permit = await stack.account();
  await stack.fund(permit, "1000000");
  await stack.service.deps.db.prisma.credit.update({
    where: { accountId: permit.accountId },
    data: { availableMicroUsd: 0n },
  });
  const uptoUrl = `${stack.sandbox.shopUrl}/v1/upto/base-sepolia`;
  const paymentRequirements = await (await fetch(uptoUrl)).json();
  await stack.rest(permit.token, "POST", "/api/sign-payment", { paymentRequirements, requestData: { url: uptoUrl } });
  await send(CHAT, "409 a permit is outstanding", { token: permit.token, body: { ...chat, model: "sandbox/upto-v1" } });
  const base = await stack.account({ token: { networks: ["base"] } });
  await send(CHAT, "402 no acceptable offer", { token: base.token, body: { ...chat, model: "sandbox/exact-v1" } });
  const { token: offline } = await bare.account();
  await bare.service.deps.db.prisma.credit.updateMany({ data: { availableMicroUsd: 0n } });
  await sendToBare(CHAT, "500 the network does not respond", {
    token: offline,
    body: { ...chat, model: "sandbox/exact-v1" },
  });
  await send("GET /v1/*", "404", { token, target: "/v1/embeddings" });
}
