// @module-tag postgresql
/** However many orders come at once, a policy's day and month are never passed, and what was not bought is given back. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type Buyer, SOCKS_MINOR } from "./buyer.ts";
import { type Desk, openDesk } from "./desk.ts";

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk?.stop());

const prisma = () => desk.stack.service.deps.db.prisma;
const ordersOf = ({ accountId }: Buyer, status: string) =>
  prisma().checkoutOrder.count({ where: { accountId, status } });
const used = async ({ accountId }: Buyer) => {
  const { dayUsedMinor, monthUsedMinor } = await prisma().checkoutPolicy.findUniqueOrThrow({
    where: { activeSlot: accountId },
  });
  return [Number(dayUsedMinor), Number(monthUsedMinor)];
};

it("covers as many orders at once as it allows, and asks for the others", async () => {
  const caps = fc.record({
    ordersAllowed: fc.integer({ min: 0, max: 4 }),
    over: fc.integer({ min: 0, max: SOCKS_MINOR - 1 }),
    ordersAsked: fc.integer({ min: 1, max: 6 }),
    isOfMonth: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(caps, async ({ ordersAllowed, over, ordersAsked, isOfMonth }) => {
      const buyer = await desk.openBuyer();
      const cap = Math.max(1, ordersAllowed * SOCKS_MINOR + over);
      const monthlyMaxMinor = isOfMonth ? Math.max(cap, 1) : 10_000_000;
      const dailyMaxMinor = cap;
      const perOrderMaxMinor = Math.min(cap, SOCKS_MINOR);
      await buyer.signPolicy({ perOrderMaxMinor, dailyMaxMinor, monthlyMaxMinor });
      const answers = await Promise.all(Array.from({ length: ordersAsked }, () => buyer.dispatch(desk.socks())));
      const covered = Math.min(ordersAsked, Math.floor(cap / SOCKS_MINOR));
      const outcomes = answers.map(({ status, json }) => json.error ?? status).toSorted();
      const [placed, asked] = [Array(covered).fill(200), Array(ordersAsked - covered).fill(202)];
      expect(outcomes).toEqual([...placed, ...asked]);
      expect(await ordersOf(buyer, "pending")).toBe(covered);
      expect(await used(buyer)).toEqual([covered * SOCKS_MINOR, covered * SOCKS_MINOR]);
      await prisma().checkoutOrder.updateMany({
        where: { accountId: buyer.accountId, status: "pending" },
        data: { createdAt: new Date(0) },
      });
      for (let n = 0; n < covered; n++) {
        const job = await desk.worker.take();
        await desk.worker.say(job.lease, "finish", { cause: "out_of_stock" });
      }
      expect(await used(buyer)).toEqual([0, 0]);
    }),
    { numRuns: 4, endOnFailure: true },
  );
});

it("asks where the policy does not cover, and says why", async () => {
  const buyer = await desk.openBuyer();
  const reasonOf = async (terms: object, more: object = {}) => {
    await buyer.signPolicy(terms);
    const body = desk.socks(more);
    await buyer.quoteFor(body);
    const { status, json } = await buyer.dispatch(body);
    return [status, json.reason];
  };
  const daily = { dailyMaxMinor: 2_894, perOrderMaxMinor: 2_894 };
  expect(await reasonOf(daily)).toEqual([202, "above_order_limit"]);
  expect(await reasonOf({ currency: "USD" })).toEqual([202, "currency_differs"]);
  expect(await reasonOf({ blockedMerchants: [desk.harbour] })).toEqual([202, "merchant_blocked"]);
  expect(await reasonOf({ allowedCountries: ["US"] })).toEqual([202, "country_not_allowed"]);
  expect(await reasonOf({ newMerchant: "REQUIRE_APPROVAL" })).toEqual([202, "new_merchant"]);
  const elsewhere = {
    ...{ first_name: "Charles", last_name: "Babbage", address1: "1 Dorset Street", city: "London" },
    ...{ postal_code: "W1U 4EE", country_code: "GB" },
  };
  const guarded = { shipToOther: "REQUIRE_APPROVAL" };
  expect(await reasonOf(guarded, { ship_to: elsewhere })).toEqual([202, "ship_to_other"]);
  expect(await reasonOf(guarded)).toEqual([200, undefined]);
  expect(await used(buyer)).toEqual([SOCKS_MINOR, SOCKS_MINOR]);
});

it("takes so many new dispatches a minute, and answers those that stand all the same", async () => {
  const buyer = await desk.openBuyer();
  await buyer.signPolicy();
  const body = desk.socks();
  const first = await buyer.dispatch(body);
  const { rateLimiter } = desk.stack.service.deps;
  for (let count = 1; count < 120; count++) await rateLimiter.consume("dispatch", buyer.accountId, 120);
  const { status, json, headers } = await buyer.dispatch(desk.socks({ user_confirmation_text: "And another pair." }));
  expect([status, json.error]).toEqual([429, "rate_limited"]);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await ordersOf(buyer, "pending")).toBe(1);
  expect(await used(buyer)).toEqual([SOCKS_MINOR, SOCKS_MINOR]);
  const again = await buyer.dispatch(body);
  expect([again.status, again.json.order_id]).toEqual([200, first.json.order_id]);
});

// PGlite has one connection: nothing meets there.
it.skipIf(inject("postgresqlUrl") === null)(
  "is signed while something that takes long is written for its account",
  async () => {
    const buyer = await desk.openBuyer();
    const signing = prisma().$transaction(
      async (tx) => {
        // As whatever refers to the account does, a letter with long files for one.
        await tx.$queryRaw`SELECT id FROM accounts WHERE id = ${buyer.accountId}::uuid FOR KEY SHARE`;
        return await buyer.signPolicy();
      },
      { timeout: 10_000 },
    );
    await expect(signing).resolves.toBeTypeOf("string");
  },
);
