// @module-tag postgresql
/** Daily and monthly limits of a policy hold under concurrent orders, and unused amounts are released. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type Buyer, SOCKS_MINOR } from "./buyer.ts";
import { type DispatchFixture, openDispatchFixture } from "./dispatch-fixture.ts";

let fixture: DispatchFixture;
beforeAll(async () => {
  fixture = await openDispatchFixture();
});
afterAll(() => fixture?.stop());

const prisma = () => fixture.stack.service.deps.db.prisma;
const countOrders = ({ accountId }: Buyer, status: string) =>
  prisma().checkoutOrder.count({ where: { accountId, status } });
const readUse = async ({ accountId }: Buyer) => {
  const { dayUsedMinor, monthUsedMinor } = await prisma().checkoutPolicy.findUniqueOrThrow({
    where: { activeSlot: accountId },
  });
  return [Number(dayUsedMinor), Number(monthUsedMinor)];
};

it("covers as many concurrent orders as the limits allow and requires approval for the others", async () => {
  const caps = fc.record({
    ordersAllowed: fc.integer({ min: 0, max: 4 }),
    over: fc.integer({ min: 0, max: SOCKS_MINOR - 1 }),
    orderCount: fc.integer({ min: 1, max: 6 }),
    isOfMonth: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(caps, async ({ ordersAllowed, over, orderCount, isOfMonth }) => {
      const buyer = await fixture.openBuyer();
      const cap = Math.max(1, ordersAllowed * SOCKS_MINOR + over);
      const monthlyMaxMinor = isOfMonth ? Math.max(cap, 1) : 10_000_000;
      const dailyMaxMinor = cap;
      const perOrderMaxMinor = Math.min(cap, SOCKS_MINOR);
      await buyer.signPolicy({ perOrderMaxMinor, dailyMaxMinor, monthlyMaxMinor });
      const responses = await Promise.all(
        Array.from({ length: orderCount }, () => buyer.dispatch(fixture.createDispatch())),
      );
      const covered = Math.min(orderCount, Math.floor(cap / SOCKS_MINOR));
      const outcomes = responses.map(({ status, json }) => json.error ?? status).toSorted();
      const [placed, pending] = [Array(covered).fill(200), Array(orderCount - covered).fill(202)];
      expect(outcomes).toEqual([...placed, ...pending]);
      expect(await countOrders(buyer, "pending")).toBe(covered);
      expect(await readUse(buyer)).toEqual([covered * SOCKS_MINOR, covered * SOCKS_MINOR]);
      await prisma().checkoutOrder.updateMany({
        where: { accountId: buyer.accountId, status: "pending" },
        data: { createdAt: new Date(0) },
      });
      for (let n = 0; n < covered; n++) {
        const job = await fixture.worker.claimNext();
        await fixture.worker.send(job.lease, "finish", { cause: "out_of_stock" });
      }
      expect(await readUse(buyer)).toEqual([0, 0]);
    }),
    { numRuns: 4, endOnFailure: true },
  );
});

it("requires approval with the reason when the policy does not cover the order", async () => {
  const buyer = await fixture.openBuyer();
  const dispatchForReason = async (terms: object, more: object = {}) => {
    await buyer.signPolicy(terms);
    const body = fixture.createDispatch(more);
    await buyer.quoteFor(body);
    const { status, json } = await buyer.dispatch(body);
    return [status, json.reason];
  };
  const daily = { dailyMaxMinor: 2_894, perOrderMaxMinor: 2_894 };
  expect(await dispatchForReason(daily)).toEqual([202, "above_order_limit"]);
  expect(await dispatchForReason({ currency: "USD" })).toEqual([202, "currency_differs"]);
  expect(await dispatchForReason({ blockedMerchantIds: [fixture.harbour] })).toEqual([202, "merchant_blocked"]);
  expect(await dispatchForReason({ allowedCountries: ["US"] })).toEqual([202, "country_not_allowed"]);
  expect(await dispatchForReason({ newMerchant: "REQUIRE_APPROVAL" })).toEqual([202, "new_merchant"]);
  const elsewhere = {
    ...{ first_name: "Charles", last_name: "Babbage", address1: "1 Dorset Street", city: "London" },
    ...{ postal_code: "W1U 4EE", country_code: "GB" },
  };
  const guarded = { shipToOther: "REQUIRE_APPROVAL" };
  expect(await dispatchForReason(guarded, { ship_to: elsewhere })).toEqual([202, "ship_to_other"]);
  expect(await dispatchForReason(guarded)).toEqual([200, undefined]);
  expect(await readUse(buyer)).toEqual([SOCKS_MINOR, SOCKS_MINOR]);
});

it("limits new dispatches per minute and still returns existing orders", async () => {
  const buyer = await fixture.openBuyer();
  await buyer.signPolicy();
  const body = fixture.createDispatch();
  const first = await buyer.dispatch(body);
  const { rateLimiter } = fixture.stack.service.deps;
  for (let count = 1; count < 120; count++) await rateLimiter.consume("dispatch", buyer.accountId, 120);
  const { status, json, headers } = await buyer.dispatch(
    fixture.createDispatch({ user_confirmation_text: "And another pair." }),
  );
  expect([status, json.error]).toEqual([429, "rate_limited"]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await countOrders(buyer, "pending")).toBe(1);
  expect(await readUse(buyer)).toEqual([SOCKS_MINOR, SOCKS_MINOR]);
  const again = await buyer.dispatch(body);
  expect([again.status, again.json.order_id]).toEqual([200, first.json.order_id]);
});

// PGlite has one connection, so transactions never overlap.
it.skipIf(inject("postgresqlUrl") === null)(
  "signs a policy while a long transaction locks the account row",
  async () => {
    const buyer = await fixture.openBuyer();
    const signing = prisma().$transaction(
      async (tx) => {
        // The lock of any insert with a foreign key to the account, such as an email with attachments.
        await tx.$queryRaw`SELECT id FROM accounts WHERE id = ${buyer.accountId}::uuid FOR KEY SHARE`;
        return await buyer.signPolicy();
      },
      { timeout: 10_000 },
    );
    await expect(signing).resolves.toBeTypeOf("string");
  },
);
