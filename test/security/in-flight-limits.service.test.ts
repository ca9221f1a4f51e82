/** Limit on an account's requests in flight to one origin or provider: shared connections remain available to others. */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MAX_IN_FLIGHT } from "../../src/platform/egress/in-flight-limit.ts";
import { chunk, openScriptedProvider, type ScriptedProvider, startWithProvider } from "../gateway/scripted-provider.ts";
import { openTarget } from "../payments/purchase-token.ts";
import type { OwnStack, TestAccount } from "../support/stack.ts";

let provider: ScriptedProvider;
let stack: OwnStack;
let busy: TestAccount;
let other: TestAccount;
beforeAll(async () => {
  provider = await openScriptedProvider();
  stack = await startWithProvider(provider);
  [busy, other] = [await stack.account(), await stack.account()];
});
afterAll(async () => {
  await stack?.stop();
  await provider?.close();
});

/** Creates a handler whose responses start at once and end only after `finish` is called. */
function holdResponses(first: string, last: string) {
  const pending: ServerResponse[] = [];
  let isFinished = false;
  return {
    pending,
    begin(response: ServerResponse) {
      response.writeHead(200).write(first);
      if (isFinished) response.end(last);
      else pending.push(response);
    },
    finish() {
      isFinished = true;
      for (const response of pending) response.end(last);
    },
  };
}

it("limits an account's proxy requests in flight to one origin", async () => {
  const { pending, begin, finish } = holdResponses("sl", "ow");
  const quick = await openTarget((_request, response) => void response.end("quick"));
  const { origin } = await openTarget((request, response) => {
    if (request.url === "/quick") response.end("quick");
    else begin(response);
  });
  const fetchThroughProxy = (account: TestAccount, url: string) =>
    stack.rest(account.token, "POST", `/api/x402/fetch?url=${encodeURIComponent(url)}`);
  const slow = Array.from({ length: MAX_IN_FLIGHT }, () => fetchThroughProxy(busy, `${origin}/slow`));
  await expect.poll(() => pending.length).toBe(MAX_IN_FLIGHT);
  const rejected = await fetchThroughProxy(busy, `${origin}/quick`);
  expect([rejected.status, rejected.json.error, rejected.headers.get("retry-after")]).toEqual([
    429,
    "rate_limited",
    "1",
  ]);
  const overGraphql = await stack.graphql(
    busy.token,
    `mutation { x402Fetch(input: { url: "${origin}/quick" }) { __typename } }`,
  );
  expect(overGraphql.json.data.x402Fetch).toEqual({ __typename: "RateLimitedError" });
  expect(await fetchThroughProxy(busy, quick.origin)).toMatchObject({ status: 200, text: "quick" });
  expect(await fetchThroughProxy(other, `${origin}/quick`)).toMatchObject({ status: 200, text: "quick" });
  finish();
  const responses = await Promise.all(slow);
  expect(responses.filter(({ status, text }) => status === 200 && text === "slow")).toHaveLength(MAX_IN_FLIGHT);
  expect(await fetchThroughProxy(busy, `${origin}/quick`)).toMatchObject({ status: 200, text: "quick" });
});

it("limits an account's calls in flight to a model provider", async () => {
  const { pending, begin, finish } = holdResponses(chunk("Hello"), "data: [DONE]\n\n");
  const complete = (account: TestAccount) =>
    stack.rest(account.token, "POST", "/v1/chat/completions", {
      ...{ model: "own/free", stream: true, messages: [{ role: "user", content: "Hi" }] },
    });
  provider.script(begin);
  const slow = Array.from({ length: MAX_IN_FLIGHT }, () => complete(busy));
  await expect.poll(() => pending.length).toBe(MAX_IN_FLIGHT);
  provider.script((response) => void response.end(`${chunk("Quick")}data: [DONE]\n\n`));
  const rejected = await complete(busy);
  expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([429, "1"]);
  expect((await complete(other)).text).toContain("Quick");
  finish();
  const responses = await Promise.all(slow);
  expect(responses.filter(({ status, text }) => status === 200 && text.includes("[DONE]"))).toHaveLength(MAX_IN_FLIGHT);
  expect((await complete(busy)).text).toContain("Quick");
});
