// @module-tag postgresql
/** Declined payments on record: the reason, the limit and the caller, within bounds. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ROWS_PER_HOUR, recordingRefusal } from "../../src/payments/declined-payments.ts";
import { ForbiddenError } from "../../src/platform/errors.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { createOffer, OTHER_SELLER } from "../security/seller.ts";
import { enforceRules } from "../support/retention.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { createToken, fetchWithToken, openTarget, respondWith402 } from "./purchase-token.ts";

const QUERY = `{ viewer { declinedPayments(first: 20) { edges { node { __typename id type declineReason message resource network
  amountUsd limitOwner limitPeriod limitUsd remainingUsd occurrences requestedBy { kind name isOneTime } } } pageInfo { hasNextPage } } } }`;

let stack: OwnStack;
let account: TestAccount;
beforeAll(async () => {
  stack = await startStack({ networks: ["base-sepolia"] });
});
beforeEach(async () => {
  account = await stack.account({ limits: { dailyMicroUsd: 1_500n } });
});
afterAll(async () => {
  const audited = await auditLedger(stack.service.deps.db);
  await stack.stop();
  expect(audited).toEqual([]);
});

const list = async ({ token }: TestAccount = account) => {
  const { json } = await stack.graphql(token, QUERY);
  return json.data.viewer.declinedPayments.edges.map(({ node }: { node: object }) => node);
};
const rowsOf = ({ accountId }: TestAccount) =>
  stack.service.deps.db.prisma.declinedPayment.findMany({ where: { accountId } });
const sellerOf = (price: string, changes: object = {}) =>
  openTarget((_request, response, isPaid) => {
    if (isPaid) response.end("sold");
    else respondWith402(response, { maxAmountRequired: price, ...changes });
  });

describe("a declined payment", () => {
  it("of a spending limit has the limit and the caller, and holds no money", async () => {
    const { origin } = await sellerOf("1000");
    expect((await fetchWithToken(stack, account.token, origin)).status).toBe(200);
    expect((await fetchWithToken(stack, account.token, origin)).status).toBe(402);
    expect(await list()).toEqual([
      {
        __typename: "DeclinedPayment",
        id: expect.any(String),
        type: "X402",
        declineReason: "SPENDING_LIMIT_EXCEEDED",
        message: expect.stringContaining("exceeds the token's limit per day"),
        resource: `${origin}/`,
        network: null,
        amountUsd: "0.001",
        limitOwner: "TOKEN",
        limitPeriod: "DAY",
        limitUsd: "0.0015",
        remainingUsd: "0.0005",
        occurrences: 1,
        requestedBy: { kind: "API_TOKEN", name: "test", isOneTime: false },
      },
    ]);
    const rest = await stack.rest(account.token, "GET", "/api/declined-payments?limit=1");
    expect(rest.json).toMatchObject({
      declinedPayments: [
        { id: expect.stringMatching(/^dp_/), declineReason: "spending_limit_exceeded", limitPeriod: "day" },
      ],
      nextCursor: null,
    });
    const { json } = await stack.rest(account.token, "GET", "/api/transactions");
    expect(json.transactions.filter(({ type }: { type: string }) => type === "x402")).toHaveLength(1);
  });

  it("has each reason", async () => {
    const open = await stack.account();
    const bound = await stack.account({ token: { allowedHosts: ["shop.test"] } });
    const off = await stack.account({ x402: false });
    const { origin } = await sellerOf("6000000");
    const reasonOf = async (who: TestAccount) => (await list(who))[0]?.declineReason;
    await fetchWithToken(stack, open.token, origin);
    expect(await reasonOf(open)).toBe("INSUFFICIENT_BALANCE");
    await fetchWithToken(stack, open.token, origin, { maxValue: "1" });
    expect(await reasonOf(open)).toBe("MAX_VALUE_EXCEEDED");
    await fetchWithToken(stack, open.token, (await sellerOf("1", { network: "nowhere" })).origin);
    expect(await reasonOf(open)).toBe("NO_ACCEPTABLE_REQUIREMENT");
    await fetchWithToken(stack, bound.token, origin);
    expect(await reasonOf(bound)).toBe("FORBIDDEN");
    const body = { paymentRequirements: createOffer(), requestData: { url: "http://shop.test/", method: "GET" } };
    await stack.rest(off.token, "POST", "/api/sign-payment", body);
    expect(await reasonOf(off)).toBe("X402_NOT_ENABLED");
    expect(await list(await stack.account())).toEqual([]);
  });

  it("of a used one-time token names the credential that created it", async () => {
    const { origin } = await sellerOf("1000");
    const { token } = await createToken(stack, account.token, { merchantUrl: origin });
    expect((await fetchWithToken(stack, token, origin)).status).toBe(200);
    expect((await fetchWithToken(stack, token, `${origin}/other`)).status).toBe(401);
    expect(await list()).toMatchObject([
      { declineReason: "PURCHASE_TOKEN_USED", requestedBy: { kind: "API_TOKEN", isOneTime: true } },
    ]);
  });

  it("is found by its reason, its time, its id and its own id", async () => {
    const open = await stack.account();
    const { origin } = await sellerOf("6000000");
    await fetchWithToken(stack, open.token, origin);
    await fetchWithToken(stack, open.token, origin, { maxValue: "1" });
    const find = async (argument: string) => {
      const query = `{ viewer { declinedPayments(${argument}) { totalCount { value } edges { node { id declinedPaymentId declineReason } } } } }`;
      const { json } = await stack.graphql(open.token, query);
      const { edges, totalCount } = json.data.viewer.declinedPayments;
      expect(totalCount.value).toBe(edges.length);
      return edges.map(({ node }: { node: { id: string; declinedPaymentId: string; declineReason: string } }) => node);
    };
    const [limited, unfunded] = await find("first: 5");
    expect(await find("filter: { declineReasons: [INSUFFICIENT_BALANCE] }")).toEqual([unfunded]);
    expect(await find("orderBy: { field: CREATED_AT, direction: ASC }")).toEqual([unfunded, limited]);
    expect(await find(`filter: { createdBefore: "2026-01-01T00:00:00Z" }`)).toEqual([]);
    for (const id of [limited.id, limited.declinedPaymentId]) {
      const { json } = await stack.graphql(open.token, `{ declinedPayment(id: "${id}") { declineReason } }`);
      expect(json.data.declinedPayment).toEqual({ declineReason: "MAX_VALUE_EXCEEDED" });
    }
  });

  it("of a transfer has no resource", async () => {
    const mutation = `mutation { sendTokens(input: { network: "base-sepolia", to: "${OTHER_SELLER}", amount: "1" }) { __typename } }`;
    await stack.graphql(account.token, mutation);
    expect(await list()).toMatchObject([
      { type: "TRANSFER", declineReason: "SPENDING_LIMIT_EXCEEDED", resource: null, amountUsd: "1.00" },
    ]);
  });
});

describe("the record", () => {
  const viewer = () => ({ accountId: account.accountId, budgetIds: [account.accountId] }) as never;
  const decline = () =>
    recordingRefusal(
      stack.service.deps,
      viewer(),
      { type: "x402", resource: `http://shop.test/${"x".repeat(9_999)}` },
      () => Promise.reject(new ForbiddenError("Not here.")),
    ).catch(() => {});

  it("has at most the rows of an hour under concurrent refusals, and counts every refusal", async () => {
    const count = ROWS_PER_HOUR + 40;
    await Promise.all(Array.from({ length: count }, decline));
    await decline();
    const rows = await rowsOf(account);
    expect(rows.length).toBeLessThanOrEqual(ROWS_PER_HOUR);
    expect(rows.reduce((sum, { occurrences }) => sum + occurrences, 0)).toBe(count + 1);
    expect(rows[0]?.resource?.length).toBe(2_048);
    expect(new Set(rows.map(({ slot }) => slot)).size).toBe(rows.length);
  });

  it("fills the rows of an hour one after the other, and counts further refusals in the last", async () => {
    for (let n = 0; n < ROWS_PER_HOUR + 3; n++) await decline();
    const rows = (await rowsOf(account)).toSorted((a, b) => a.slot - b.slot);
    expect(rows).toHaveLength(ROWS_PER_HOUR);
    expect(rows.map(({ occurrences }) => occurrences)).toEqual([...Array(ROWS_PER_HOUR - 1).fill(1), 4]);
  });

  it("is deleted after the retention", async () => {
    await decline();
    await decline();
    const { db } = stack.service.deps;
    const [old] = await rowsOf(account);
    const createdAt = new Date(Date.now() - 91 * 86_400_000);
    await db.prisma.declinedPayment.update({ where: { id: old?.id ?? "" }, data: { createdAt } });
    await enforceRules(db, ["declined-payments"]);
    expect((await rowsOf(account)).map(({ id }) => id)).not.toContain(old?.id);
    expect(await rowsOf(account)).toHaveLength(1);
  });
});
