// @module-tag postgresql
/** What is kept for an Idempotency-Key of the proxy: an answer that was bought, and nothing that leaves its buyer with less. */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deleteExpiredResponses } from "../../src/platform/idempotency/delete-expired.ts";
import { RESPONSE_QUOTA_BUCKET, STORED_KIB_PER_DAY } from "../../src/platform/idempotency/response-quota.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { openShop } from "../security/shop.ts";
import { ageAnswers } from "../support/aged-responses.ts";
import { loseConnections } from "../support/lost-connections.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { askForPayment, openTarget, use } from "./purchase-token.ts";

let stack: OwnStack;
let account: TestAccount;
beforeAll(async () => {
  // It audits the whole database. No chain answers: credit pays, and nothing settles.
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
const fetched = (url: string, key: string) =>
  stack.rest(account.token, "POST", `/api/x402/fetch?url=${encodeURIComponent(url)}`, undefined, {
    "idempotency-key": key,
  });

describe("a shop that took a payment and delivered nothing", () => {
  it.each([402, 404, 500, 503])(
    "is asked again with the same payment after a %i, until it delivers",
    async (status) => {
      let isWell = false;
      const shop = await openShop({}, (response) => {
        if (isWell) response.end("sold");
        else if (status === 402) askForPayment(response);
        else response.writeHead(status).end("not now");
      });
      const key = randomUUID();
      expect((await fetched(shop.url, key)).status).toBe(status);
      expect((await fetched(shop.url, key)).status).toBe(status);
      isWell = true;
      expect(await fetched(shop.url, key)).toMatchObject({ status: 200, text: "sold" });
      const asked = shop.payments.length;
      expect(await fetched(shop.url, key)).toMatchObject({ status: 200, text: "sold" });
      expect(shop.payments).toHaveLength(asked);
      expect(new Set(shop.payments).size).toBe(1);
      shop.close();
    },
  );
});

it("of an account that has much kept already, an answer is given, and its key goes on with the same payment", async () => {
  const { rateLimiter } = stack.service.deps;
  await rateLimiter.consume(
    RESPONSE_QUOTA_BUCKET,
    account.accountId,
    STORED_KIB_PER_DAY,
    86_400,
    STORED_KIB_PER_DAY - 4,
  );
  const shop = await openShop({}, (response) => {
    if (shop.payments.length > 1) response.setHeader("x-terms", "x".repeat(5_000));
    response.end("sold");
  });
  const asked = async (key: string) => {
    expect(await fetched(shop.url, key)).toMatchObject({ status: 200, text: "sold" });
    return shop.payments.length;
  };
  const [fits, exceeds] = [randomUUID(), randomUUID()];
  expect([await asked(fits), await asked(fits)]).toEqual([1, 1]);
  expect([await asked(exceeds), await asked(exceeds)]).toEqual([2, 3]);
  expect(new Set(shop.payments).size).toBe(2);
  shop.close();
});

describe("an answer that cannot be kept", () => {
  it.each([
    ["of known length", (response: ServerResponse) => void response.end("sold")],
    [
      "of unknown length",
      (response: ServerResponse) => void response.writeHead(200, { "transfer-encoding": "chunked" }).end("sold"),
    ],
    ["without a body", (response: ServerResponse) => void response.writeHead(200, { "content-length": "0" }).end()],
  ])("%s is given all the same, and its key goes on with the same payment", async (_what, answerPaid) => {
    const shop = await openShop({}, answerPaid);
    loseConnections(stack.service.deps.db, /^answer-idempotency-record$/);
    const key = randomUUID();
    const first = await fetched(shop.url, key);
    expect(first.status).toBe(200);
    expect(await fetched(shop.url, key)).toMatchObject({ status: 200, text: first.text });
    expect(shop.payments).toHaveLength(2);
    expect(new Set(shop.payments).size).toBe(1);
    shop.close();
  });
});

it("an answer that cost nothing is not kept, whatever its status, also of an account that may not pay", async () => {
  const off = await stack.account({ x402: false });
  let asked = 0;
  const target = await openTarget((_request, response) => {
    asked += 1;
    response.writeHead(asked === 1 ? 503 : 200).end(`answer ${asked}`);
  });
  for (const text of ["answer 1", "answer 2", "answer 3"]) {
    expect((await use(stack, off.token, target.origin, { key: "free" })).text).toBe(text);
  }
  expect(await prisma().idempotencyRecord.count({ where: { accountId: off.accountId } })).toBe(0);
});

it("a purchase is paid once, also when its answer was deleted after a day", async () => {
  const key = randomUUID();
  const shop = await openShop({}, (response) => void response.end("sold"));
  expect((await fetched(shop.url, key)).text).toBe("sold");
  await ageAnswers(stack.service.deps.db, 23);
  await deleteExpiredResponses(stack.service.deps.db);
  expect(await fetched(shop.url, key)).toMatchObject({ status: 200, text: "sold" });
  expect(shop.payments).toHaveLength(1);
  await ageAnswers(stack.service.deps.db);
  await deleteExpiredResponses(stack.service.deps.db);
  expect(await prisma().idempotencyRecord.count({ where: { accountId: account.accountId, key } })).toBe(0);
  // The ledger has the payment under its key, and it goes to the shop as it was.
  expect((await fetched(shop.url, key)).status).toBe(200);
  expect(shop.payments).toHaveLength(2);
  expect(new Set(shop.payments).size).toBe(1);
  expect(await prisma().transaction.count({ where: { accountId: account.accountId, idempotencyKey: key } })).toBe(1);
  // Bought by one credential at one address, it is nobody else's.
  const other = await openShop({}, (response) => void response.end("thanks"));
  await ageAnswers(stack.service.deps.db);
  await deleteExpiredResponses(stack.service.deps.db);
  expect((await fetched(other.url, key)).json.error).toBe("idempotency_key_reused");
  shop.close();
  other.close();
});
