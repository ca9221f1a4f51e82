/** Invariant: a payment that counts as signed is signed exactly once, possibly later, or released. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { settle } from "../../src/wallet/ledger.ts";
import { type OwnStack, startStack } from "../support/stack.ts";

const PRICE = "250000";
const BEYOND_CREDIT = "6000000";

let stack: OwnStack;
beforeAll(async () => {
  // The test breaks the vault, which all signatures of the service use.
  stack = await startStack({ networks: ["base-sepolia"] });
});
afterAll(() => stack?.stop());

const requirements = (amount: string) => ({
  x402Version: 1,
  accepts: [
    {
      ...{
        scheme: "exact",
        network: "base-sepolia",
        maxAmountRequired: amount,
        resource: "https://merchant.example/r",
      },
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
    { paymentRequirements: requirements(amount), requestData: { url: "https://merchant.example/r" } },
    headers,
  );
const paymentsOf = (accountId: string) =>
  stack.service.deps.db.prisma.transaction.findMany({ where: { accountId, type: "x402" } });
const breakOnce = () =>
  vi.spyOn(stack.service.deps.vault, "signDigest").mockRejectedValueOnce(new Error("the key store is unavailable"));

describe("a reservation whose signature failed", () => {
  it.each([
    ["credit", PRICE],
    ["the wallet", BEYOND_CREDIT],
  ])("is released at once, to %s", async (_case, amount) => {
    const account = await stack.account({ limits: { dailyMicroUsd: BigInt(amount) } });
    await stack.fund(account, BEYOND_CREDIT);
    breakOnce();
    expect((await sign(account.token, {}, amount)).json.error).toBe("internal_error");
    expect(await paymentsOf(account.accountId)).toMatchObject([{ status: "released", signedAt: null }]);
    // The whole limit and all funds are available again.
    expect((await sign(account.token, {}, amount)).status).toBe(200);
  });

  it("is signed by the next request with its Idempotency-Key, as the same payment", async () => {
    const account = await stack.account({ limits: { dailyMicroUsd: BigInt(PRICE) } });
    const key = { "idempotency-key": "once" };
    breakOnce();
    expect((await sign(account.token, key)).status).toBe(500);
    const [reserved] = await paymentsOf(account.accountId);
    expect(reserved?.status).toBe("signed");
    expect((await sign(account.token)).json.error).toBe("spending_limit_exceeded");

    const responses = await Promise.all([sign(account.token, key), sign(account.token, key), sign(account.token, key)]);
    const signed = responses.filter(({ status }) => status === 200);
    expect(new Set(signed.map(({ json }) => json.paymentId))).toEqual(new Set([reserved?.id]));
    expect(new Set(signed.map(({ json }) => json.paymentHeader)).size).toBe(1);
    expect((await paymentsOf(account.accountId)).map(({ id, status }) => [id, status])).toEqual([
      [reserved?.id, "signed"],
    ]);
  });
});

it("returns the same payment header under its Idempotency-Key after the payment settled", async () => {
  const account = await stack.account();
  const key = { "idempotency-key": "settled-meanwhile" };
  const { json: first } = await sign(account.token, key);
  const charged = { chargedAtomic: BigInt(PRICE), chargedMicroUsd: BigInt(PRICE) };
  expect(await settle(stack.service.deps.db, first.paymentId, { txHash: "0x1", ...charged })).not.toBeNull();
  const { status, json } = await sign(account.token, key);
  expect([status, json.paymentId, json.paymentHeader]).toEqual([200, first.paymentId, first.paymentHeader]);
});
