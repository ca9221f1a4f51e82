/** Invariant: a payment that counts as signed is signed once, however late, or given back; never twice, and not held for nothing. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { settle } from "../../src/wallet/ledger.ts";
import { type OwnStack, startStack } from "../support/stack.ts";

const PRICE = "250000";
const BEYOND_CREDIT = "6000000";

let stack: OwnStack;
beforeAll(async () => {
  // It breaks the vault, which other signatures of its service use too.
  stack = await startStack({ networks: ["base-sepolia"] });
});
afterAll(() => stack?.stop());

const requirements = (amount: string) => ({
  x402Version: 1,
  accepts: [
    {
      ...{ scheme: "exact", network: "base-sepolia", maxAmountRequired: amount, resource: "https://shop.example/r" },
      ...{ description: "", mimeType: "", payTo: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C", maxTimeoutSeconds: 60 },
      asset: stack.sandbox?.networks["base-sepolia"]?.usdc,
      extra: stack.sandbox?.networks["base-sepolia"]?.usdcDomain,
    },
  ],
});
const sign = (token: string, headers: Record<string, string> = {}, amount = PRICE) =>
  stack.rest(
    token,
    "POST",
    "/api/sign-payment",
    { paymentRequirements: requirements(amount), requestData: { url: "https://shop.example/r" } },
    headers,
  );
const paymentsOf = (accountId: string) =>
  stack.service.deps.db.prisma.transaction.findMany({ where: { accountId, type: "x402" } });
const breakOnce = () =>
  vi.spyOn(stack.service.deps.vault, "signDigest").mockRejectedValueOnce(new Error("the key store is away"));

describe("money for a signature that could not be made", () => {
  it.each([
    ["credit", PRICE],
    ["the wallet", BEYOND_CREDIT],
  ])("is given back at once, to %s", async (_, amount) => {
    const account = await stack.account({ limits: { dailyMicroUsd: BigInt(amount) } });
    await stack.fund(account, BEYOND_CREDIT);
    breakOnce();
    expect((await sign(account.token, {}, amount)).json.error).toBe("internal_error");
    expect(await paymentsOf(account.accountId)).toMatchObject([{ status: "released", signedAt: null }]);
    // All of the limit is there again, and of the money.
    expect((await sign(account.token, {}, amount)).status).toBe(200);
  });

  it("under an Idempotency-Key is signed by the next request with it, which is the same payment", async () => {
    const account = await stack.account({ limits: { dailyMicroUsd: BigInt(PRICE) } });
    const key = { "idempotency-key": "once" };
    breakOnce();
    expect((await sign(account.token, key)).status).toBe(500);
    const [held] = await paymentsOf(account.accountId);
    expect(held?.status).toBe("signed");
    expect((await sign(account.token)).json.error).toBe("spending_limit_exceeded");

    const answers = await Promise.all([sign(account.token, key), sign(account.token, key), sign(account.token, key)]);
    const signed = answers.filter(({ status }) => status === 200);
    expect(new Set(signed.map(({ json }) => json.paymentId))).toEqual(new Set([held?.id]));
    expect(new Set(signed.map(({ json }) => json.paymentHeader)).size).toBe(1);
    expect((await paymentsOf(account.accountId)).map(({ id, status }) => [id, status])).toEqual([[held?.id, "signed"]]);
  });
});

it("settled meanwhile, is the same under its Idempotency-Key: the very same header", async () => {
  const account = await stack.account();
  const key = { "idempotency-key": "settled-meanwhile" };
  const { json: first } = await sign(account.token, key);
  const charged = { chargedAtomic: BigInt(PRICE), chargedMicroUsd: BigInt(PRICE) };
  expect(await settle(stack.service.deps.db, first.paymentId, { txHash: "0x1", ...charged })).not.toBeNull();
  const { status, json } = await sign(account.token, key);
  expect([status, json.paymentId, json.paymentHeader]).toEqual([200, first.paymentId, first.paymentHeader]);
});
