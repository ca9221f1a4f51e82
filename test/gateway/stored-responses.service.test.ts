// @module-tag postgresql
/** What is kept of a chat for its Idempotency-Key, and what becomes of the key where nothing can be kept. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { deleteExpiredResponses } from "../../src/platform/idempotency/delete-expired.ts";
import { RESPONSE_QUOTA_BUCKET, STORED_KIB_PER_DAY } from "../../src/platform/idempotency/response-quota.ts";
import { ageAnswers } from "../support/aged-responses.ts";
import { loseConnections } from "../support/lost-connections.ts";
import type { OwnStack, TestAccount } from "../support/stack.ts";
import { chunk, completion, openScriptedProvider, type ScriptedProvider, startBefore } from "./scripted-provider.ts";

let provider: ScriptedProvider;
let stack: OwnStack;
let account: TestAccount;
beforeAll(async () => {
  provider = await openScriptedProvider();
  stack = await startBefore(provider);
  account = await stack.account();
});
afterAll(async () => {
  await stack?.stop();
  await provider?.close();
});

const ask = (body: object, key: string, { token } = account) =>
  stack.rest(
    token,
    "POST",
    "/v1/chat/completions",
    { model: "own/one", messages: [{ role: "user", content: "Hi" }], ...body },
    { "idempotency-key": key },
  );
const answerBy = (stream: boolean) =>
  provider.script((response) => {
    response.writeHead(200).end(stream ? `${chunk("Hello")}data: [DONE]\n\n` : completion("Hello"));
  });

it.each([false, true])(
  "an answer that cannot be kept is given, and its key not locked; streamed: %s",
  async (stream) => {
    answerBy(stream);
    loseConnections(stack.service.deps.db, /^answer-idempotency-record$/);
    const key = `lost-${stream}`;
    const first = await ask({ stream }, key);
    expect([first.status, first.text.includes("Hello")]).toEqual([200, true]);
    const asked = provider.asked.length;
    // The ledger knows that it was paid, and it is not made twice.
    const again = await ask({ stream }, key);
    expect([again.status, again.json?.error?.code]).toEqual([422, "idempotency_key_reused"]);
    expect(provider.asked).toHaveLength(asked);
    const rows = await stack.service.deps.db.prisma.transaction.findMany({ where: { accountId: account.accountId } });
    expect(rows.filter(({ type }) => type === "gateway")).toHaveLength(stream ? 2 : 1);
  },
);

it.each([false, true])("an answer that cost nothing is not kept; streamed: %s", async (stream) => {
  answerBy(stream);
  const asked = provider.asked.length;
  for (let n = 0; n < 2; n++) expect((await ask({ model: "own/free", stream }, "free")).text).toContain("Hello");
  expect(provider.asked).toHaveLength(asked + 2);
  expect(await stack.service.deps.db.prisma.idempotencyRecord.count({ where: { key: "free" } })).toBe(0);
});

it.each([false, true])(
  "a call is not made twice under its key once the answer is deleted; streamed: %s",
  async (stream) => {
    const { db } = stack.service.deps;
    answerBy(stream);
    const key = `old-${stream}`;
    const first = await ask({ stream }, key);
    expect((await ask({ stream }, key)).text).toBe(first.text);
    await ageAnswers(db);
    await deleteExpiredResponses(db);
    const asked = provider.asked.length;
    expect((await ask({ stream }, key)).json?.error?.code).toBe("idempotency_key_reused");
    expect(provider.asked).toHaveLength(asked);
  },
);

it.each([false, true])("a call is not made twice where too much is kept already; streamed: %s", async (stream) => {
  const { rateLimiter } = stack.service.deps;
  const rich = await stack.account();
  await rateLimiter.consume(RESPONSE_QUOTA_BUCKET, rich.accountId, STORED_KIB_PER_DAY, 86_400, STORED_KIB_PER_DAY);
  answerBy(stream);
  expect((await ask({ stream }, "full", rich)).text).toContain("Hello");
  const asked = provider.asked.length;
  expect((await ask({ stream }, "full", rich)).json?.error?.code).toBe("idempotency_key_reused");
  expect(provider.asked).toHaveLength(asked);
});
