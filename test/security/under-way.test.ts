/** Connections to one shop or provider are shared: no account has so much under way there that another's has to wait. */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MAX_UNDER_WAY } from "../../src/platform/egress/under-way.ts";
import { chunk, openScriptedProvider, type ScriptedProvider, startBefore } from "../gateway/scripted-provider.ts";
import { openTarget } from "../payments/purchase-token.ts";
import type { Stack, TestAccount } from "../support/stack.ts";

const MANY = MAX_UNDER_WAY + 30;

let provider: ScriptedProvider;
let stack: Stack;
let busy: TestAccount;
let other: TestAccount;
beforeAll(async () => {
  provider = await openScriptedProvider();
  stack = await startBefore(provider);
  [busy, other] = [await stack.account(), await stack.account()];
});
afterAll(async () => {
  await stack?.stop();
  await provider?.close();
});

/** Answers that have begun and do not end before they are let go, as do all that come after. */
function holding(first: string, last: string) {
  const held: ServerResponse[] = [];
  let isOver = false;
  return {
    held,
    begin(response: ServerResponse) {
      response.writeHead(200).write(first);
      if (isOver) response.end(last);
      else held.push(response);
    },
    letGo() {
      isOver = true;
      for (const response of held) response.end(last);
    },
  };
}

it("through the proxy", async () => {
  const { held, begin, letGo } = holding("sl", "ow");
  const { origin } = await openTarget((request, response) => {
    if (request.url === "/quick") response.end("quick");
    else begin(response);
  });
  const fetched = (account: TestAccount, path: string) =>
    stack.rest(account.token, "POST", `/api/x402/fetch?url=${encodeURIComponent(origin + path)}`);
  const slow = Array.from({ length: MANY }, () => fetched(busy, "/slow"));
  await expect.poll(() => held.length).toBe(MAX_UNDER_WAY);
  expect(await fetched(other, "/quick")).toMatchObject({ status: 200, text: "quick" });
  expect(held).toHaveLength(MAX_UNDER_WAY);
  letGo();
  const answers = await Promise.all(slow);
  expect(answers.filter(({ status, text }) => status === 200 && text === "slow")).toHaveLength(MANY);
});

it("at a provider of models", async () => {
  const { held, begin, letGo } = holding(chunk("Hello"), "data: [DONE]\n\n");
  const asked = (account: TestAccount) =>
    stack.rest(account.token, "POST", "/v1/chat/completions", {
      ...{ model: "own/free", stream: true, messages: [{ role: "user", content: "Hi" }] },
    });
  provider.script(begin);
  const slow = Array.from({ length: MANY }, () => asked(busy));
  await expect.poll(() => held.length).toBe(MAX_UNDER_WAY);
  provider.script((response) => void response.end(`${chunk("Quick")}data: [DONE]\n\n`));
  expect((await asked(other)).text).toContain("Quick");
  expect(held).toHaveLength(MAX_UNDER_WAY);
  letGo();
  const answers = await Promise.all(slow);
  expect(answers.filter(({ status, text }) => status === 200 && text.includes("[DONE]"))).toHaveLength(MANY);
});
