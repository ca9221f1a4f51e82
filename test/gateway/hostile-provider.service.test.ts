/** Hostile requests of callers and reports of providers. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OwnStack } from "../support/stack.ts";
import { completion, openScriptedProvider, type ScriptedProvider, startWithProvider } from "./scripted-provider.ts";

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
