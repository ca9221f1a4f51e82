// @module-tag postgresql
/** Stored chat responses by Idempotency-Key, and keys whose response cannot be stored. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { RESPONSE_QUOTA_BUCKET, STORED_KIB_PER_DAY } from "../../src/platform/idempotency/response-quota.ts";
import { ageStoredResponses } from "../support/aged-responses.ts";
import { simulateLostConnections } from "../support/lost-connections.ts";
import { enforceRules } from "../support/retention.ts";
import type { OwnStack, TestAccount } from "../support/stack.ts";
import {
  chunk,
  completion,
  openScriptedProvider,
  type ScriptedProvider,
  startWithProvider,
} from "./scripted-provider.ts";

let provider: ScriptedProvider;
let stack: OwnStack;
let account: TestAccount;
beforeAll(async () => {
  provider = await openScriptedProvider();
  stack = await startWithProvider(provider);
  account = await stack.account();
});
afterAll(async () => {
  await stack?.stop();
  await provider?.close();
});

const postChat = (body: object, key: string, { token } = account) =>
  stack.rest(
    token,
    "POST",
    "/v1/chat/completions",
    { model: "own/one", messages: [{ role: "user", content: "Hi" }], ...body },
    { "idempotency-key": key },
  );
const respondWith = (stream: boolean) =>
  provider.script((response) => {
    response.writeHead(200).end(stream ? `${chunk("Hello")}data: [DONE]\n\n` : completion("Hello"));
  });

it.each([false, true])(
  "a response that cannot be stored is returned, and its key is not locked; streamed: %s",
  async (stream) => {
    respondWith(stream);
    simulateLostConnections(stack.service.deps.db, /^answer-idempotency-record$/);
    const key = `lost-${stream}`;
    const first = await postChat({ stream }, key);
    expect([first.status, first.text.includes("Hello")]).toEqual([200, true]);
    const requestCount = provider.requests.length;
    // The ledger has the payment, so the call is not repeated.
    const again = await postChat({ stream }, key);
    expect([again.status, again.json?.error?.code]).toEqual([422, "idempotency_key_reused"]);
    expect(provider.requests).toHaveLength(requestCount);
    const rows = await stack.service.deps.db.prisma.transaction.findMany({ where: { accountId: account.accountId } });
    expect(rows.filter(({ type }) => type === "gateway")).toHaveLength(stream ? 2 : 1);
  },
);

it.each([false, true])("a free response is not stored; streamed: %s", async (stream) => {
  respondWith(stream);
  const requestCount = provider.requests.length;
  for (let n = 0; n < 2; n++) expect((await postChat({ model: "own/free", stream }, "free")).text).toContain("Hello");
  expect(provider.requests).toHaveLength(requestCount + 2);
  expect(await stack.service.deps.db.prisma.idempotencyRecord.count({ where: { key: "free" } })).toBe(0);
});

it.each([false, true])(
  "a call is not repeated under its key after its response was deleted; streamed: %s",
  async (stream) => {
    const { db } = stack.service.deps;
    respondWith(stream);
    const key = `old-${stream}`;
    const first = await postChat({ stream }, key);
    expect((await postChat({ stream }, key)).text).toBe(first.text);
    await ageStoredResponses(db);
    await enforceRules(db, ["idempotency-records"]);
    const requestCount = provider.requests.length;
    expect((await postChat({ stream }, key)).json?.error?.code).toBe("idempotency_key_reused");
    expect(provider.requests).toHaveLength(requestCount);
  },
);

it.each([false, true])("a call is not repeated if the storage quota is exhausted; streamed: %s", async (stream) => {
  const { rateLimiter } = stack.service.deps;
  const rich = await stack.account();
  await rateLimiter.consume(RESPONSE_QUOTA_BUCKET, rich.accountId, STORED_KIB_PER_DAY, 86_400, STORED_KIB_PER_DAY);
  respondWith(stream);
  expect((await postChat({ stream }, "full", rich)).text).toContain("Hello");
  const requestCount = provider.requests.length;
  expect((await postChat({ stream }, "full", rich)).json?.error?.code).toBe("idempotency_key_reused");
  expect(provider.requests).toHaveLength(requestCount);
});
