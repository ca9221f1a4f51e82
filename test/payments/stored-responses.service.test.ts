// @module-tag postgresql
/** Responses stored for an Idempotency-Key of the proxy: only complete, paid responses. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { RESPONSE_QUOTA_BUCKET, STORED_KIB_PER_DAY } from "../../src/platform/idempotency/response-quota.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { openSeller } from "../security/seller.ts";
import { ageStoredResponses } from "../support/aged-responses.ts";
import { simulateLostConnections } from "../support/lost-connections.ts";
import { enforceRules } from "../support/retention.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { fetchWithToken, openTarget, respondWith402 } from "./purchase-token.ts";

let stack: OwnStack;
let account: TestAccount;
beforeAll(async () => {
  // The whole database is audited. The chain is unavailable, so payments come from credit and none settles.
  stack = await startStack({ env: { RPC_URL_BASE_SEPOLIA: "http://127.0.0.1:1" } });
});
beforeEach(async () => {
  account = await stack.account();
});
afterAll(async () => {
  const audited = await auditLedger(stack.service.deps.db);
  await stack.stop();
  expect(audited).toEqual([]);
});

const prisma = () => stack.service.deps.db.prisma;
const fetchResource = (url: string, key: string) =>
  stack.rest(account.token, "POST", `/api/x402/fetch?url=${encodeURIComponent(url)}`, undefined, {
    "idempotency-key": key,
  });

describe("a seller that accepted a payment and delivered nothing", () => {
  it.each([402, 404, 500, 503])("receives the same payment again after a %i, until it delivers", async (status) => {
    let isWell = false;
    const seller = await openSeller({}, (response) => {
      if (isWell) response.end("sold");
      else if (status === 402) respondWith402(response);
      // Attempts end at once.
      else response.writeHead(status, { "retry-after": "3600" }).end("not now");
    });
    const key = randomUUID();
    expect((await fetchResource(seller.url, key)).status).toBe(status);
    expect((await fetchResource(seller.url, key)).status).toBe(status);
    isWell = true;
    expect(await fetchResource(seller.url, key)).toMatchObject({ status: 200, text: "sold" });
    const paymentCount = seller.payments.length;
    expect(await fetchResource(seller.url, key)).toMatchObject({ status: 200, text: "sold" });
    expect(seller.payments).toHaveLength(paymentCount);
    expect(new Set(seller.payments).size).toBe(1);
    seller.close();
  });
});

it("returns but does not store a response above the account's quota, and its key reuses the payment", async () => {
  const { rateLimiter } = stack.service.deps;
  await rateLimiter.consume(
    RESPONSE_QUOTA_BUCKET,
    account.accountId,
    STORED_KIB_PER_DAY,
    86_400,
    STORED_KIB_PER_DAY - 4,
  );
  const seller = await openSeller({}, (response) => {
    if (seller.payments.length > 1) response.setHeader("x-terms", "x".repeat(5_000));
    response.end("sold");
  });
  const countPayments = async (key: string) => {
    expect(await fetchResource(seller.url, key)).toMatchObject({ status: 200, text: "sold" });
    return seller.payments.length;
  };
  const [fits, exceeds] = [randomUUID(), randomUUID()];
  expect([await countPayments(fits), await countPayments(fits)]).toEqual([1, 1]);
  expect([await countPayments(exceeds), await countPayments(exceeds)]).toEqual([2, 3]);
  expect(new Set(seller.payments).size).toBe(2);
  seller.close();
});

describe("a response that cannot be stored", () => {
  it.each([
    ["of known length", (response: ServerResponse) => void response.end("sold")],
    [
      "of unknown length",
      (response: ServerResponse) => void response.writeHead(200, { "transfer-encoding": "chunked" }).end("sold"),
    ],
    ["without a body", (response: ServerResponse) => void response.writeHead(200, { "content-length": "0" }).end()],
  ])("%s is returned, and its key reuses the payment", async (_case, respondPaid) => {
    const seller = await openSeller({}, respondPaid);
    simulateLostConnections(stack.service.deps.db, /^answer-idempotency-record$/);
    const key = randomUUID();
    const first = await fetchResource(seller.url, key);
    expect(first.status).toBe(200);
    expect(await fetchResource(seller.url, key)).toMatchObject({ status: 200, text: first.text });
    expect(seller.payments).toHaveLength(2);
    expect(new Set(seller.payments).size).toBe(1);
    seller.close();
  });
});

it("does not store unpaid responses, regardless of status and of the account's permission to pay", async () => {
  const off = await stack.account({ x402: false });
  let requestCount = 0;
  const target = await openTarget((_request, response) => {
    requestCount += 1;
    response.writeHead(requestCount === 1 ? 503 : 200).end(`response ${requestCount}`);
  });
  for (const text of ["response 1", "response 2", "response 3"]) {
    expect((await fetchWithToken(stack, off.token, target.origin, { key: "free" })).text).toBe(text);
  }
  expect(await prisma().idempotencyRecord.count({ where: { accountId: off.accountId } })).toBe(0);
});

it("pays a purchase once, even after its stored response was deleted", async () => {
  const key = randomUUID();
  const seller = await openSeller({}, (response) => void response.end("sold"));
  expect((await fetchResource(seller.url, key)).text).toBe("sold");
  await ageStoredResponses(stack.service.deps.db, 23);
  await enforceRules(stack.service.deps.db, ["idempotency-records"]);
  expect(await fetchResource(seller.url, key)).toMatchObject({ status: 200, text: "sold" });
  expect(seller.payments).toHaveLength(1);
  await ageStoredResponses(stack.service.deps.db);
  await enforceRules(stack.service.deps.db, ["idempotency-records"]);
  expect(await prisma().idempotencyRecord.count({ where: { accountId: account.accountId, key } })).toBe(0);
  // The ledger still has the payment under its key, and the seller receives it unchanged.
  expect((await fetchResource(seller.url, key)).status).toBe(200);
  expect(seller.payments).toHaveLength(2);
  expect(new Set(seller.payments).size).toBe(1);
  expect(await prisma().transaction.count({ where: { accountId: account.accountId, idempotencyKey: key } })).toBe(1);
  // The key belongs to one credential and one URL.
  const other = await openSeller({}, (response) => void response.end("thanks"));
  await ageStoredResponses(stack.service.deps.db);
  await enforceRules(stack.service.deps.db, ["idempotency-records"]);
  expect((await fetchResource(other.url, key)).json.error).toBe("idempotency_key_reused");
  seller.close();
  other.close();
});
