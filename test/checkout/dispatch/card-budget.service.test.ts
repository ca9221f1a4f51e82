// @module-tag postgresql
/** Card budgets of API tokens and grants: orders within them are placed, others require approval with the exceeded budget. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endOrder } from "../../../src/checkout/orders/end-order.ts";
import { authorizeClient, type Browser, createClient, obtainTokens, openSignedInBrowser } from "../../support/oauth.ts";
import { type Buyer, SOCKS_MINOR } from "./buyer.ts";
import { type DispatchFixture, openDispatchFixture } from "./dispatch-fixture.ts";

let fixture: DispatchFixture;
beforeAll(async () => {
  fixture = await openDispatchFixture();
});
afterAll(() => fixture?.stop());

const prisma = () => fixture.stack.service.deps.db.prisma;

const FIELDS = `currency perOrderLimit { amountMinor } dailyLimit { amount } monthlyLimit { amount } dayUsed { amount } monthUsed { amount }`;
const CREATE = `mutation ($input: CreateApiTokenInput!) { createApiToken(input: $input) { __typename
  ... on CreateApiTokenSuccess { secret token { tokenId cardBudget { ${FIELDS} } } } ... on Error { code message } ... on InvalidRequestError { field } } }`;
const LIST = `{ viewer { apiTokens { edges { node { tokenId cardBudget { ${FIELDS} } } } } } }`;

/** Limits in minor units; omitted: no limit. */
const pounds = (limits: { order?: number; day?: number; month?: number }) => ({
  ...{ currency: "GBP", perOrderLimitMinor: limits.order ?? null },
  ...{ dailyLimitMinor: limits.day ?? null, monthlyLimitMinor: limits.month ?? null },
});
const createToken = async ({ visitor }: Buyer, input: object) =>
  (await visitor.graphql(CREATE, { input: { name: "agent", networks: ["base-sepolia"], ...input } })).createApiToken;
const listBudgets = async ({ visitor }: Buyer) => {
  const { viewer } = await visitor.graphql(LIST);
  const nodes: { tokenId: string; cardBudget: object | null }[] = viewer.apiTokens.edges.map(
    (edge: { node: object }) => edge.node,
  );
  return new Map(nodes.map(({ tokenId, cardBudget }) => [tokenId, cardBudget]));
};
const withToken = (secret: string) => ({ "x-service-token": secret });
/** Dispatches a new order with this token. Returns status and reason. */
async function dispatchWith(buyer: Buyer, secret: string) {
  const { status, json } = await buyer.dispatch(fixture.createDispatch(), withToken(secret));
  return [status, json.reason ?? null];
}
const readUse = async (id: string) => {
  const { dayUsedMinor, monthUsedMinor } = await prisma().cardBudget.findUniqueOrThrow({ where: { id } });
  return [Number(dayUsedMinor), Number(monthUsedMinor)];
};

// The first test: the worker claims no orders of other buyers.
it("covers as many concurrent orders as the budget allows, and releases what charged nothing", async () => {
  const plan = fc.record({
    ordersAllowed: fc.integer({ min: 0, max: 4 }),
    over: fc.integer({ min: 0, max: SOCKS_MINOR - 1 }),
    orderCount: fc.integer({ min: 1, max: 6 }),
    isOfMonth: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(plan, async ({ ordersAllowed, over, orderCount, isOfMonth }) => {
      const buyer = await fixture.openBuyer();
      await buyer.signPolicy();
      const limit = ordersAllowed * SOCKS_MINOR + over;
      const cardBudget = pounds(isOfMonth ? { month: limit } : { day: limit });
      const { secret, token } = await createToken(buyer, { cardBudget });
      const outcomes = await Promise.all(Array.from({ length: orderCount }, () => dispatchWith(buyer, secret)));
      const covered = Math.min(orderCount, ordersAllowed);
      const reason = isOfMonth ? "above_card_budget_monthly_limit" : "above_card_budget_daily_limit";
      expect(outcomes.filter(([status]) => status === 200)).toHaveLength(covered);
      expect(outcomes.filter(([status]) => status === 202)).toEqual(Array(orderCount - covered).fill([202, reason]));
      const used = [covered * SOCKS_MINOR, covered * SOCKS_MINOR];
      expect(await readUse(token.tokenId)).toEqual(used);
      const policy = { where: { activeSlot: buyer.accountId }, select: { dayUsedMinor: true } };
      // An order that a budget refuses is not counted against the policy either.
      expect(Number((await prisma().checkoutPolicy.findUniqueOrThrow(policy)).dayUsedMinor)).toBe(used[0]);
      const mine = { accountId: buyer.accountId, status: "pending" };
      await prisma().checkoutOrder.updateMany({ where: mine, data: { createdAt: new Date(0) } });
      for (let n = 0; n < covered; n++) {
        const job = await fixture.worker.claimNext();
        await fixture.worker.send(job.lease, "finish", { cause: "out_of_stock" });
      }
      expect(await readUse(token.tokenId)).toEqual([0, 0]);
    }),
    { numRuns: 4, endOnFailure: true },
  );
});

describe("a new token", () => {
  it("orders no more than its limits in US dollars allow, unless it has a card budget of its own", async () => {
    const buyer = await fixture.openBuyer();
    await buyer.signPolicy();
    const one = await createToken(buyer, { perTransactionLimitUsd: "1", dailyLimitUsd: "1", monthlyLimitUsd: "1" });
    const dollar = { currency: "USD", perOrderLimit: { amountMinor: 100 }, dailyLimit: { amount: "1.00" } };
    expect(one.token.cardBudget).toMatchObject(dollar);
    expect(await dispatchWith(buyer, one.secret)).toEqual([202, "card_budget_currency_differs"]);
    const unlimited = await createToken(buyer, {});
    expect(unlimited.token.cardBudget).toBeNull();
    expect(await dispatchWith(buyer, unlimited.secret)).toEqual([200, null]);
    const cardBudget = pounds({ order: SOCKS_MINOR, day: SOCKS_MINOR, month: 2 * SOCKS_MINOR });
    const own = await createToken(buyer, { perTransactionLimitUsd: "1", cardBudget });
    expect(await dispatchWith(buyer, own.secret)).toEqual([200, null]);
    expect(await dispatchWith(buyer, own.secret)).toEqual([202, "above_card_budget_daily_limit"]);
    const budgets = await listBudgets(buyer);
    expect(budgets.get(own.token.tokenId)).toEqual({
      ...{ currency: "GBP", perOrderLimit: { amountMinor: SOCKS_MINOR }, dailyLimit: { amount: "28.95" } },
      ...{ monthlyLimit: { amount: "57.90" }, dayUsed: { amount: "28.95" }, monthUsed: { amount: "28.95" } },
    });
    expect(budgets.get(buyer.tokenId)).toBeNull();
  });

  it("exceeds neither the policy nor the token that created it", async () => {
    const buyer = await fixture.openBuyer();
    await buyer.signPolicy({ perOrderMaxMinor: SOCKS_MINOR - 1 });
    const cardBudget = pounds({ order: 10 * SOCKS_MINOR, day: SOCKS_MINOR });
    const scopes = ["PAYMENTS_SIGN", "ACCOUNT_MANAGE"];
    const parent = await createToken(buyer, { scopes, cardBudget });
    expect(await dispatchWith(buyer, parent.secret)).toEqual([202, "above_order_limit"]);
    await buyer.signPolicy();
    const create = async (input: object) => {
      const variables = { input: { name: "child", networks: ["base-sepolia"], scopes: ["PAYMENTS_SIGN"], ...input } };
      const { json } = await fixture.stack.graphql(null, CREATE, variables, withToken(parent.secret));
      return json.data.createApiToken;
    };
    const higher = await create({ cardBudget: pounds({ order: 100, day: SOCKS_MINOR + 1 }) });
    expect(higher).toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining("card budget") });
    const [one, two] = [await create({}), await create({ cardBudget: pounds({ order: 5_000, day: SOCKS_MINOR }) })];
    expect(await dispatchWith(buyer, one.secret)).toEqual([200, null]);
    expect(await dispatchWith(buyer, two.secret)).toEqual([202, "above_card_budget_daily_limit"]);
    expect(await readUse(parent.token.tokenId)).toEqual([SOCKS_MINOR, SOCKS_MINOR]);
    expect(await readUse(two.token.tokenId)).toEqual([0, 0]);
  });

  it("is not created with an invalid budget", async () => {
    const buyer = await fixture.openBuyer();
    const result = await createToken(buyer, { cardBudget: pounds({ day: -1 }) });
    expect(result).toMatchObject({ code: "INVALID_REQUEST", field: "cardBudget.dailyMinor" });
  });
});

describe("a change of a token's budget", () => {
  const CHANGE = `mutation ($input: ChangeApiTokenCardBudgetInput!) { changeApiTokenCardBudget(input: $input) { __typename
    ... on ChangeApiTokenCardBudgetSuccess { token { tokenId cardBudget { ${FIELDS} } } }
    ... on Error { code message } ... on InvalidRequestError { field } } }`;
  const change = async ({ visitor }: Buyer, id: string, cardBudget: object | null) =>
    (await visitor.graphql(CHANGE, { input: { id, cardBudget } })).changeApiTokenCardBudget;

  it("holds for the next order, leaves the use as it was, and limits a token that had none", async () => {
    const buyer = await fixture.openBuyer();
    await buyer.signPolicy();
    const { secret, token } = await createToken(buyer, {});
    expect(await dispatchWith(buyer, secret)).toEqual([200, null]);
    const given = await change(buyer, token.tokenId, pounds({ day: SOCKS_MINOR }));
    expect(given.token.cardBudget).toMatchObject({ currency: "GBP", dailyLimit: { amount: "28.95" } });
    expect(await dispatchWith(buyer, secret)).toEqual([200, null]);
    expect(await dispatchWith(buyer, secret)).toEqual([202, "above_card_budget_daily_limit"]);
    await change(buyer, token.tokenId, pounds({ day: 2 * SOCKS_MINOR }));
    expect(await readUse(token.tokenId)).toEqual([SOCKS_MINOR, SOCKS_MINOR]);
    await change(buyer, token.tokenId, pounds({ order: SOCKS_MINOR - 1 }));
    expect(await dispatchWith(buyer, secret)).toEqual([202, "above_card_budget_order_limit"]);
    expect((await change(buyer, token.tokenId, null)).token.cardBudget).toBeNull();
    expect(await dispatchWith(buyer, secret)).toEqual([200, null]);
  });

  it("is the owner's alone, of an active token, with a valid budget", async () => {
    const buyer = await fixture.openBuyer();
    const scopes = ["PAYMENTS_SIGN", "ACCOUNT_MANAGE"];
    const { secret, token } = await createToken(buyer, { scopes, cardBudget: pounds({ day: 1 }) });
    const input = { id: token.tokenId, cardBudget: null };
    const { json } = await fixture.stack.graphql(null, CHANGE, { input }, withToken(secret));
    expect(JSON.stringify(json)).toContain("FORBIDDEN");
    const other = await fixture.openBuyer();
    expect(await change(other, token.tokenId, null)).toMatchObject({ code: "NOT_FOUND" });
    expect(await change(buyer, token.tokenId, pounds({ day: -1 }))).toMatchObject({
      ...{ code: "INVALID_REQUEST", field: "cardBudget.dailyMinor" },
    });
    await prisma().apiToken.update({ where: { id: token.tokenId }, data: { revokedAt: new Date() } });
    expect(await change(buyer, token.tokenId, null)).toMatchObject({ code: "NOT_FOUND" });
    expect((await listBudgets(buyer)).get(token.tokenId)).toMatchObject({ dailyLimit: { amount: "0.01" } });
  });

  it("lets no order pass that starts after it was lowered, while others are placed concurrently", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 3 }), async (before, allowed) => {
        const buyer = await fixture.openBuyer();
        await buyer.signPolicy();
        const { secret, token } = await createToken(buyer, { cardBudget: pounds({ day: 4 * SOCKS_MINOR }) });
        const lowered = pounds({ day: allowed * SOCKS_MINOR });
        const [, ...concurrent] = await Promise.all([
          change(buyer, token.tokenId, lowered),
          ...Array.from({ length: before }, () => dispatchWith(buyer, secret)),
        ]);
        const placed = concurrent.filter(([status]) => status === 200).length;
        const after = await Promise.all(Array.from({ length: 3 }, () => dispatchWith(buyer, secret)));
        const remaining = Math.max(0, allowed - placed);
        expect(after.filter(([status]) => status === 200)).toHaveLength(Math.min(3, remaining));
        expect((await readUse(token.tokenId))[0]).toBe((placed + Math.min(3, remaining)) * SOCKS_MINOR);
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });
});

it("counts no order that the owner approved with the passkey", async () => {
  const buyer = await fixture.openBuyer();
  await buyer.signPolicy();
  const { secret, token } = await createToken(buyer, { cardBudget: pounds({ order: 0 }) });
  const body = fixture.createDispatch();
  const first = await buyer.dispatch(body, withToken(secret));
  expect([first.status, first.json.reason]).toEqual([202, "above_card_budget_order_limit"]);
  await buyer.approve(first);
  const approved = { ...body, approval_token: first.json.approval_token };
  expect((await buyer.dispatch(approved, withToken(secret))).status).toBe(200);
  expect(await readUse(token.tokenId)).toEqual([0, 0]);
});

describe("a grant", () => {
  const GRANTS = `{ viewer { connectedApps { edges { node { id grantId cardBudget { ${FIELDS} } } } } } }`;
  const UPDATE = `mutation ($input: UpdateGrantLimitsInput!) { updateGrantLimits(input: $input) { __typename
    ... on UpdateGrantLimitsSuccess { grant { cardBudget { ${FIELDS} } } } ... on Error { code message } } }`;
  const readGrant = async (browser: Browser) =>
    (await browser.graphql(GRANTS)).json.data.viewer.connectedApps.edges[0].node;
  const update = async (browser: Browser, input: object) =>
    (await browser.graphql(UPDATE, { input })).json.data.updateGrantLimits;

  it("has the limits of its consent for orders, which the owner changes without new allowance", async () => {
    const buyer = await fixture.openBuyer();
    await buyer.signPolicy();
    const browser = await openSignedInBrowser(fixture.stack, buyer.accountId);
    const client = await createClient(fixture.stack);
    const { access_token: accessToken } = await obtainTokens(fixture.stack, browser, client);
    const bearer = { "x-service-token": "", authorization: `Bearer ${accessToken}` };
    const dispatch = async () => {
      const { status, json } = await buyer.dispatch(fixture.createDispatch(), bearer);
      return [status, json.reason ?? null];
    };
    const { id, grantId, cardBudget } = await readGrant(browser);
    expect(cardBudget).toMatchObject({ currency: "USD", dailyLimit: { amount: "20.00" } });
    expect(await dispatch()).toEqual([202, "card_budget_currency_differs"]);
    const changed = await update(browser, { id, cardBudget: pounds({ day: SOCKS_MINOR }) });
    expect(changed.grant.cardBudget).toMatchObject({ currency: "GBP", perOrderLimit: null });
    expect(await dispatch()).toEqual([200, null]);
    await update(browser, { id, cardBudget: pounds({ day: 2 * SOCKS_MINOR - 1 }) });
    expect(await dispatch()).toEqual([202, "above_card_budget_daily_limit"]);
    await update(browser, { id, dailyLimitUsd: "1" });
    expect(await readUse(grantId)).toEqual([SOCKS_MINOR, SOCKS_MINOR]);
    // A repeated consent without a card budget leaves it unchanged.
    await authorizeClient(browser, client, { prompt: "consent" });
    expect((await readGrant(browser)).cardBudget).toMatchObject({ currency: "GBP", dayUsed: { amount: "28.95" } });
    await update(browser, { id, cardBudget: null });
    expect((await readGrant(browser)).cardBudget).toBeNull();
    expect(await dispatch()).toEqual([200, null]);
  });

  it("releases nothing that was counted before the owner removed the card budget and set it again", async () => {
    const buyer = await fixture.openBuyer();
    await buyer.signPolicy();
    const browser = await openSignedInBrowser(fixture.stack, buyer.accountId);
    const client = await createClient(fixture.stack);
    const { access_token: accessToken } = await obtainTokens(fixture.stack, browser, client);
    const bearer = { "x-service-token": "", authorization: `Bearer ${accessToken}` };
    const { id, grantId } = await readGrant(browser);
    const cardBudget = pounds({ day: SOCKS_MINOR });
    const order = async () => (await buyer.dispatch(fixture.createDispatch(), bearer)).status;
    const dollars = { ...cardBudget, currency: "USD" };
    for (const other of [null, dollars]) {
      await update(browser, { id, cardBudget });
      expect(await order()).toBe(200);
      await update(browser, { id, cardBudget: other });
      await update(browser, { id, cardBudget });
      expect(await order()).toBe(200);
      const [first, second] = await prisma().checkoutOrder.findMany({
        where: { accountId: buyer.accountId, status: "pending" },
        orderBy: { createdAt: "asc" },
      });
      const end = (ended: typeof first) => prisma().$transaction((tx) => endOrder(tx, ended?.id ?? "", "never_taken"));
      expect(await end(first)).not.toBeNull();
      expect(await readUse(grantId)).toEqual([SOCKS_MINOR, SOCKS_MINOR]);
      expect(await end(second)).not.toBeNull();
      expect(await readUse(grantId)).toEqual([0, 0]);
    }
  });

  it("of an earlier version remains without a card budget when its consent is repeated", async () => {
    const buyer = await fixture.openBuyer();
    await buyer.signPolicy();
    const browser = await openSignedInBrowser(fixture.stack, buyer.accountId);
    const client = await createClient(fixture.stack);
    await obtainTokens(fixture.stack, browser, client);
    const { grantId } = await readGrant(browser);
    await prisma().cardBudget.delete({ where: { id: grantId } });
    await authorizeClient(browser, client, { prompt: "consent" });
    expect((await readGrant(browser)).cardBudget).toBeNull();
  });
});
