/** Tokens created by a token: together they have no more permissions and no higher limits than their parent. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiToken, revokeApiToken } from "../../src/accounts/api-tokens.ts";
import { authenticate } from "../../src/accounts/authenticate.ts";
import { SCOPES } from "../../src/accounts/viewer.ts";
import { pay } from "../../src/payments/pay.ts";
import { X402NotEnabledError } from "../../src/payments/refusals.ts";
import { parsePaymentRequired } from "../../src/payments/x402/requirements.ts";
import { ForbiddenError } from "../../src/platform/errors.ts";
import { SpendingLimitExceededError } from "../../src/wallet/refusal-reason.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { createOffer, SELLER } from "./seller.ts";

const LIMITS = { perTransactionMicroUsd: 1_000n, dailyMicroUsd: 2_000n, monthlyMicroUsd: 2_000n };
const UPTO_SPENDER = "0x3333333333333333333333333333333333333333";

let stack: OwnStack;
beforeAll(async () => {
  // No chain is reachable: credit pays, and no payment settles.
  stack = await startStack({ env: { RPC_URL_BASE_SEPOLIA: "http://127.0.0.1:1", UPTO_SPENDERS: UPTO_SPENDER } });
});
afterAll(() => stack.stop());

const findViewer = (token: string) => authenticate(stack.service.deps, token);

async function createChildToken(token: string) {
  const input = { name: "child", limits: LIMITS, scopes: SCOPES, networks: ["base-sepolia"], expiresAt: null };
  const rules = { allowedHosts: [], allowedPayees: [] };
  return await createApiToken(stack.service.deps, await findViewer(token), { ...input, ...rules });
}

async function payWith(token: string) {
  const required = parsePaymentRequired({ body: createOffer() });
  const order = { url: "http://shop.test/", required, maxValueAtomic: null, idempotencyKey: null };
  return await pay(stack.service.deps, await findViewer(token), order);
}

describe("tokens created by a token", () => {
  it("share the limits of their parent", async () => {
    const { token } = await stack.account({ limits: LIMITS, token: { networks: ["base-sepolia"] } });
    const children = await Promise.all([1, 2, 3].map(() => createChildToken(token)));
    const paid = await Promise.allSettled(children.map(({ secret }) => payWith(secret)));
    expect(paid.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(paid.find(({ status }) => status === "rejected")).toMatchObject({
      reason: expect.any(SpendingLimitExceededError),
    });
    await expect(payWith(token)).rejects.toThrow(SpendingLimitExceededError);
  });

  it("are revoked with their parent, at any depth", async () => {
    const { token, tokenId } = await stack.account({ limits: LIMITS, token: { networks: ["base-sepolia"] } });
    const { secret: child } = await createChildToken(token);
    const { secret: grandchild } = await createChildToken(child);
    const { token: unrelated } = await stack.account();
    await payWith(grandchild);
    await revokeApiToken(stack.service.deps, await findViewer(token), tokenId);
    expect(await Promise.all([token, child, grandchild].map(findViewer))).toEqual([null, null, null]);
    expect(await findViewer(unrelated)).not.toBeNull();
  });

  it("have a maximum depth", async () => {
    const { token } = await stack.account({ limits: LIMITS, token: { networks: ["base-sepolia"] } });
    let last = token;
    const createDescendants = async () => {
      for (let i = 0; i < 20; i++) last = (await createChildToken(last)).secret;
    };
    await expect(createDescendants()).rejects.toThrow(ForbiddenError);
    await payWith(last);
  });
});

describe("disabling X402", () => {
  it("stops a payment whose request arrived before", async () => {
    const { deps } = stack.service;
    const { token, accountId } = await stack.account();
    const viewer = await findViewer(token);
    await deps.db.prisma.account.update({ where: { id: accountId }, data: { x402EnabledAt: null } });
    const required = parsePaymentRequired({ body: createOffer() });
    const order = { url: "http://shop.test/", required, maxValueAtomic: null, idempotencyKey: null };
    await expect(pay(deps, viewer, order)).rejects.toThrow(X402NotEnabledError);
    expect(await deps.db.prisma.transaction.count({ where: { accountId, type: "x402" } })).toBe(0);
  });
});

describe("a token with allowed hosts", () => {
  it("signs only for allowed payees, as a signature could be used at another host", async () => {
    const sign = async (rules: object) => {
      const { token } = await stack.account({ token: { allowedHosts: ["shop.test"], ...rules } });
      const body = { paymentRequirements: createOffer(), requestData: { url: "http://shop.test/" } };
      return (await stack.rest(token, "POST", "/api/sign-payment", body)).status;
    };
    expect(await sign({})).toBe(403);
    expect(await sign({ allowedPayees: [SELLER] })).toBe(200);
  });
});
