/** Connections to one shop or provider are shared: no account has so much under way there that another's has to wait. */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MAX_IN_FLIGHT } from "../../src/platform/egress/in-flight-limit.ts";
import { chunk, openScriptedProvider, type ScriptedProvider, startBefore } from "../gateway/scripted-provider.ts";
import { openTarget } from "../payments/purchase-token.ts";
import type { OwnStack, TestAccount } from "../support/stack.ts";

let provider: ScriptedProvider;
let stack: OwnStack;
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

it("through the proxy, at one origin", async () => {
  const { held, begin, letGo } = holding("sl", "ow");
  const quick = await openTarget((_request, response) => void response.end("quick"));
  const { origin } = await openTarget((request, response) => {
    if (request.url === "/quick") response.end("quick");
    else begin(response);
  });
  const fetched = (account: TestAccount, url: string) =>
    stack.rest(account.token, "POST", `/api/x402/fetch?url=${encodeURIComponent(url)}`);
  const slow = Array.from({ length: MAX_IN_FLIGHT }, () => fetched(busy, `${origin}/slow`));
  await expect.poll(() => held.length).toBe(MAX_IN_FLIGHT);
  const refused = await fetched(busy, `${origin}/quick`);
  expect([refused.status, refused.json.error, refused.headers.get("retry-after")]).toEqual([429, "rate_limited", "1"]);
  const asked = await stack.graphql(
    busy.token,
    `mutation { x402Fetch(input: { url: "${origin}/quick" }) { __typename } }`,
  );
  expect(asked.json.data.x402Fetch).toEqual({ __typename: "RateLimitedError" });
  expect(await fetched(busy, quick.origin)).toMatchObject({ status: 200, text: "quick" });
  expect(await fetched(other, `${origin}/quick`)).toMatchObject({ status: 200, text: "quick" });
  letGo();
  const answers = await Promise.all(slow);
  expect(answers.filter(({ status, text }) => status === 200 && text === "slow")).toHaveLength(MAX_IN_FLIGHT);
  expect(await fetched(busy, `${origin}/quick`)).toMatchObject({ status: 200, text: "quick" });
});

it("at providers of models", async () => {
  const { held, begin, letGo } = holding(chunk("Hello"), "data: [DONE]\n\n");
  const asked = (account: TestAccount) =>
    stack.rest(account.token, "POST", "/v1/chat/completions", {
      ...{ model: "own/free", stream: true, messages: [{ role: "user", content: "Hi" }] },
    });
  provider.script(begin);
  const slow = Array.from({ length: MAX_IN_FLIGHT }, () => asked(busy));
  await expect.poll(() => held.length).toBe(MAX_IN_FLIGHT);
  provider.script((response) => void response.end(`${chunk("Quick")}data: [DONE]\n\n`));
  const refused = await asked(busy);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect((await asked(other)).text).toContain("Quick");
  letGo();
  const answers = await Promise.all(slow);
  expect(answers.filter(({ status, text }) => status === 200 && text.includes("[DONE]"))).toHaveLength(MAX_IN_FLIGHT);
  expect((await asked(busy)).text).toContain("Quick");
});
