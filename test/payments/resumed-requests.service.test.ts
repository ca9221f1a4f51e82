// @module-tag postgresql
/** Requests without an Idempotency-Key that are repeated because the response to their payment never came. */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createAttemptLeases, findResumable, takeOverAttempt } from "../../src/wallet/attempts.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { release } from "../../src/wallet/ledger.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { createToken, fetchWithToken, openTarget, respondWith402 } from "./purchase-token.ts";

let stack: OwnStack;
let account: TestAccount;
beforeAll(async () => {
  // The chain is unavailable, so payments come from credit and none settles.
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
const paymentsOf = ({ accountId }: TestAccount) =>
  prisma().transaction.findMany({ where: { accountId, type: "x402" } });
/** A response after which the proxy does not try again. */
const failOnce = (response: ServerResponse) => void response.writeHead(503, { "retry-after": "3600" }).end("busy");
const deliver = (response: ServerResponse) => void response.end("sold");

/** Starts a seller that handles paid requests with the given acts in order, and all further ones with the last act. */
const openSeller = async (...acts: ((response: ServerResponse) => void)[]) => {
  let paid = 0;
  return await openTarget((_request, response, isPaid) => {
    if (isPaid) acts[Math.min(paid++, acts.length - 1)]?.(response);
    else respondWith402(response);
  });
};
const call = (
  url: string,
  { method = "GET", body, token = account.token }: { method?: string; body?: object; token?: string } = {},
) => stack.rest(token, "POST", `/api/x402/fetch?${new URLSearchParams({ url, method })}`, body);
/** Ends the leases of an account's payments, as after the death of their process. */
const expireLeases = ({ accountId }: TestAccount) =>
  prisma().transaction.updateMany({ where: { accountId }, data: { attemptUntil: new Date(0) } });

describe("an equal request after a payment without a response", () => {
  it("sends the same payment again, and is a new purchase once it was concluded", async () => {
    const seller = await openSeller(failOnce, deliver);
    expect((await call(seller.origin)).status).toBe(503);
    expect(await call(seller.origin)).toMatchObject({ status: 200, text: "sold" });
    expect(seller.payments).toHaveLength(2);
    expect(new Set(seller.payments).size).toBe(1);
    expect(await paymentsOf(account)).toHaveLength(1);
    expect((await call(seller.origin)).status).toBe(200);
    expect(new Set(seller.payments).size).toBe(2);
    expect(await paymentsOf(account)).toHaveLength(2);
  });

  it("continues although that payment exhausts the limit", async () => {
    const limited = await stack.account({ limits: { dailyMicroUsd: 1_000n } });
    const seller = await openSeller(failOnce, deliver);
    for (const status of [503, 200, 402]) {
      expect((await call(seller.origin, { token: limited.token })).status).toBe(status);
    }
    expect(new Set(seller.payments).size).toBe(1);
  });

  it.each(["a dropped connection", "a body that breaks off"])("continues after %s", async (fault) => {
    let isWell = false;
    const seller = await openSeller((response) => {
      if (isWell) return deliver(response);
      if (fault === "a dropped connection") return void response.destroy();
      response.writeHead(200, { "content-length": "100" }).write("so");
      setImmediate(() => response.destroy());
    });
    const lost = await stack
      .rest(account.token, "POST", `/api/x402/fetch?${new URLSearchParams({ url: seller.origin, timeout: "300" })}`)
      .catch((error: Error) => error);
    expect(lost).not.toMatchObject({ status: 200 });
    isWell = true;
    await expect
      .poll(async () => (await paymentsOf(account)).every(({ attemptUntil }) => (attemptUntil ?? 0) <= new Date()))
      .toBe(true);
    expect(await call(seller.origin)).toMatchObject({ status: 200, text: "sold" });
    expect(new Set(seller.payments).size).toBe(1);
  });

  it("is a new purchase after a 404", async () => {
    const seller = await openSeller((response) => void response.writeHead(404).end());
    for (const count of [1, 2]) {
      expect((await call(seller.origin)).status).toBe(404);
      expect(new Set(seller.payments).size).toBe(count);
    }
  });

  it("continues after another 402, because the seller may still redeem that payment", async () => {
    let isWell = false;
    const seller = await openSeller((response) => (isWell ? deliver(response) : respondWith402(response)));
    expect((await call(seller.origin)).status).toBe(402);
    isWell = true;
    expect((await call(seller.origin)).status).toBe(200);
    expect(new Set(seller.payments).size).toBe(1);
    expect((await call(seller.origin)).status).toBe(200);
    expect(new Set(seller.payments).size).toBe(2);
  });

  it("is a new purchase with another token, method, URL or body", async () => {
    const seller = await openSeller(failOnce);
    const other = await stack.account();
    const url = `${seller.origin}/a`;
    const requests = [
      call(url, { method: "POST", body: { q: 1 } }),
      call(url, { method: "POST", body: { q: 2 } }),
      call(url, { method: "PUT", body: { q: 1 } }),
      call(`${seller.origin}/b`, { method: "POST", body: { q: 1 } }),
      call(url, { method: "POST", body: { q: 1 }, token: other.token }),
    ];
    for (const { status } of await Promise.all(requests)) expect(status).toBe(503);
    expect(new Set(seller.payments).size).toBe(requests.length);
  });

  it("is a new purchase after the authorization has expired", async () => {
    const seller = await openSeller(failOnce, deliver);
    await call(seller.origin);
    await prisma().transaction.updateMany({
      where: { accountId: account.accountId },
      data: { validBefore: new Date() },
    });
    expect((await call(seller.origin)).status).toBe(200);
    expect(new Set(seller.payments).size).toBe(2);
  });

  it("continues a payment without an expiry, as on Solana, for as long as the seller can redeem it", async () => {
    const seller = await openSeller(failOnce, failOnce, deliver);
    await call(seller.origin);
    const createdAt = new Date(Date.now() - 85_000);
    const data = { validBefore: null, createdAt };
    await prisma().transaction.updateMany({ where: { accountId: account.accountId }, data });
    expect((await call(seller.origin)).status).toBe(503);
    expect(new Set(seller.payments).size).toBe(1);
    const [row] = await paymentsOf(account);
    await release(stack.service.deps.db, row?.id ?? "", "The authorization expired unused.");
    expect((await call(seller.origin)).status).toBe(200);
    expect(new Set(seller.payments).size).toBe(2);
  });

  it("is rejected with a maxValue below that payment", async () => {
    const seller = await openTarget((_request, response, isPaid) => {
      if (isPaid) failOnce(response);
      else respondWith402(response, { maxAmountRequired: seller.payments.length > 0 ? "500" : "1000" });
    });
    await call(seller.origin);
    const query = new URLSearchParams({ url: seller.origin, maxValue: "999" });
    const lower = await stack.rest(account.token, "POST", `/api/x402/fetch?${query}`);
    expect([lower.status, lower.json.field]).toEqual([400, "maxValue"]);
    expect(seller.payments).toHaveLength(1);
  });
});

describe("concurrent equal requests", () => {
  it("are separate purchases", async () => {
    const seller = await openSeller(deliver);
    const { promise: bothArrived, resolve } = Promise.withResolvers<void>();
    const waiting = await openTarget(async (_request, response, isPaid) => {
      if (!isPaid) return respondWith402(response);
      if (new Set(waiting.payments).size === 2) resolve();
      await bothArrived;
      response.end("sold");
    });
    const responses = await Promise.all([call(waiting.origin), call(waiting.origin)]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(await paymentsOf(account)).toHaveLength(2);
    expect(seller.payments).toEqual([]);
  });

  it.each([2, 5])("%i after a payment without a response: exactly one continues it", async (count) => {
    const { promise: allArrived, resolve } = Promise.withResolvers<void>();
    let paid = 0;
    const seller = await openTarget(async (_request, response, isPaid) => {
      if (!isPaid) return respondWith402(response);
      if (paid++ === 0) return failOnce(response);
      if (paid === count + 1) resolve();
      await allArrived;
      response.end("sold");
    });
    await call(seller.origin);
    const responses = await Promise.all(Array.from({ length: count }, () => call(seller.origin)));
    expect(responses.map(({ status }) => status)).toEqual(Array(count).fill(200));
    expect(seller.payments.filter((payment) => payment === seller.payments[0])).toHaveLength(2);
    expect(new Set(seller.payments).size).toBe(count);
    expect(await paymentsOf(account)).toHaveLength(count);
  });
});

describe("the lease of an attempt", () => {
  /** Starts a request whose payment the seller receives and leaves without a response. Returns its row and a function that ends the request. */
  const startAttempt = async () => {
    const caller = new AbortController();
    const seller = await openTarget((_request, response, isPaid) => {
      if (!isPaid) respondWith402(response);
      else if (seller.payments.length > 1) response.end("sold");
    });
    const url = `${stack.baseUrl}/api/x402/fetch?${new URLSearchParams({ url: seller.origin })}`;
    const pending = fetch(url, {
      method: "POST",
      headers: { "x-service-token": account.token },
      signal: caller.signal,
    });
    pending.catch(() => {});
    await expect.poll(() => seller.payments.length).toBe(1);
    const [row] = await paymentsOf(account);
    if (!row) throw new Error("There is no payment.");
    return { seller, row, disconnect: () => caller.abort() };
  };

  it("makes an equal request a new purchase, and ends when the caller disconnects", async () => {
    const { seller, disconnect } = await startAttempt();
    expect((await call(seller.origin)).text).toBe("sold");
    expect(new Set(seller.payments).size).toBe(2);
    disconnect();
    await expect
      .poll(async () => (await paymentsOf(account)).filter(({ requestSha256 }) => requestSha256))
      .toMatchObject([{ attemptUntil: expect.any(Date) }]);
    await expect.poll(async () => (await call(seller.origin)).status).toBe(200);
    expect(seller.payments.filter((payment) => payment === seller.payments[0]).length).toBeGreaterThan(1);
  });

  it("expires when its process dies; the process then no longer changes the row", async () => {
    const { seller, row, disconnect } = await startAttempt();
    const { db } = stack.service.deps;
    expect(await findResumable(db, row.requestSha256 ?? new Uint8Array())).toBeNull();
    expect(await takeOverAttempt(db, row.id)).toBeNull();
    await expireLeases(account);
    expect(await takeOverAttempt(db, row.id)).toEqual({ id: row.id, number: 2 });
    expect(await takeOverAttempt(db, row.id)).toBeNull();
    // The stalled first attempt neither deliveries nor ends the second one.
    const stalled = createAttemptLeases(db);
    await stalled.end({ id: row.id, number: 1 }, true);
    await stack.service.deps.recorder.recordClaim({ id: row.id, txHash: `0x${"ab".repeat(32)}`, concludedAttempt: 1 });
    expect(await prisma().transaction.findUniqueOrThrow({ where: { id: row.id } })).toMatchObject({
      attempt: 2,
      requestSha256: row.requestSha256,
    });
    expect(await takeOverAttempt(db, row.id)).toBeNull();
    await stalled.end({ id: row.id, number: 2 }, false);
    expect((await call(seller.origin)).text).toBe("sold");
    expect(new Set(seller.payments).size).toBe(1);
    disconnect();
  });

  it("expires while the vault stalls; the failed signature then releases nothing that another request signed", async () => {
    const seller = await openSeller(failOnce);
    const { promise: stalled, reject: fail } = Promise.withResolvers<never>();
    const sign = vi.spyOn(stack.service.deps.vault, "signDigest").mockReturnValueOnce(stalled);
    const first = call(seller.origin);
    await expect.poll(() => sign.mock.calls.length).toBe(1);
    await expireLeases(account);
    expect((await call(seller.origin)).status).toBe(503);
    fail(new Error("the key store is unavailable"));
    expect((await first).status).toBe(500);
    expect(seller.payments).toHaveLength(1);
    expect(await paymentsOf(account)).toMatchObject([{ status: "signed", attempt: 2 }]);
  });
});

describe("a one-time purchase token", () => {
  const open = async (...acts: Parameters<typeof openSeller>) => {
    const seller = await openSeller(...acts);
    const { token } = await createToken(stack, account.token, { merchantUrl: seller.origin });
    return { seller, use: (path = "", query = {}) => fetchWithToken(stack, token, seller.origin + path, query) };
  };

  it("resumes its own purchase without a key, until it is concluded", async () => {
    const { seller, use } = await open(failOnce, respondWith402, respondWith402, respondWith402, deliver);
    expect((await use()).status).toBe(503);
    expect((await use("/other")).json.error).toBe("purchase_token_used");
    expect((await use("", { key: "another" })).json.error).toBe("purchase_token_used");
    expect((await use()).status).toBe(402);
    expect(await use()).toMatchObject({ status: 200, text: "sold" });
    expect(new Set(seller.payments).size).toBe(1);
    expect((await use()).json.error).toBe("purchase_token_used");
    expect(seller.payments).toHaveLength(5);
  });

  it("makes no second purchase while its own is in flight", async () => {
    const { promise: concluded, resolve: respond } = Promise.withResolvers<void>();
    const { seller, use } = await open((response) => void concluded.then(() => response.end("sold")));
    const first = use();
    await expect.poll(() => seller.payments.length).toBe(1);
    const second = await use();
    expect([second.status, second.json.error]).toEqual([401, "purchase_token_used"]);
    respond();
    expect((await first).text).toBe("sold");
    expect(seller.payments).toHaveLength(1);
  });
});
