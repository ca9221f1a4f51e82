/** A party that can write rows cannot pay from another account's wallet: nothing is signed for it. */
import { beforeAll, describe, expect, it } from "vitest";
import { ForeignWalletError } from "../../src/wallet/wallets.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

/** More than the free credit, so that the account's wallet pays. */
const AMOUNT = "6000000";
let stack: Stack;
let victim: TestAccount;
let attacker: TestAccount;
beforeAll(async () => {
  stack = await sharedStack();
  [victim, attacker] = [await stack.account(), await stack.account()];
  await stack.fund(victim, AMOUNT);
});

const prisma = () => stack.service.deps.db.prisma;
const sign = ({ token }: TestAccount, headers: Record<string, string> = {}) => {
  const sandbox = stack.sandbox?.networks["base-sepolia"];
  const terms = { scheme: "exact", network: "base-sepolia", maxAmountRequired: AMOUNT, maxTimeoutSeconds: 60 };
  const seller = { resource: "https://merchant.example/r", payTo: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C" };
  const token_ = { asset: sandbox?.usdc, extra: sandbox?.usdcDomain };
  const accepts = [{ ...terms, ...seller, ...token_, description: "", mimeType: "" }];
  const body = { paymentRequirements: { x402Version: 1, accepts }, requestData: { url: seller.resource } };
  return stack.rest(token, "POST", "/api/sign-payment", body, headers);
};

describe("another account's wallet", () => {
  it("signs nothing for the account that a database write moved it to", async () => {
    await prisma().wallet.update({ where: { accountId: attacker.accountId }, data: { accountId: null } });
    await prisma().wallet.update({
      where: { accountId: victim.accountId },
      data: { accountId: attacker.accountId },
    });
    const response = await sign(attacker);
    expect([response.status, response.json.error]).toEqual([500, "internal_error"]);
    const payments = await prisma().transaction.findMany({ where: { accountId: attacker.accountId, type: "x402" } });
    expect(payments).toMatchObject([{ status: "released", signature: null, signedAt: null }]);
  });

  it("is not used for a stored payment that a database write moved to it", async () => {
    const [payer, other] = [await stack.account(), await stack.account()];
    await stack.fund(payer, AMOUNT);
    const key = { "idempotency-key": "moved" };
    const { json } = await sign(payer, key);
    const { wallets } = stack.service.deps;
    const { id: walletId } = await wallets.ofAccount(other.accountId);
    await prisma().transaction.update({
      where: { id: json.paymentId },
      data: { walletId, status: "reserved", signature: null, signedAt: null },
    });
    expect((await sign(payer, key)).json.error).toBe("internal_error");
    const row = await prisma().transaction.findUniqueOrThrow({ where: { id: json.paymentId } });
    expect(row).toMatchObject({ signature: null, signedAt: null });
    await expect(wallets.payer({ accountId: payer.accountId, walletId })).rejects.toThrow(ForeignWalletError);
    const { id: treasuryId } = await wallets.treasury();
    expect((await wallets.payer({ accountId: payer.accountId, walletId: treasuryId })).id).toBe(treasuryId);
  });
});
