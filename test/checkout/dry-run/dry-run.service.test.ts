// @module-tag postgresql
/** Dry runs: who may start one, what the worker receives and reports, and that none has a card. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBillingAddress } from "../../../src/checkout/cards/billing-address.ts";
import { withDryRun } from "../../../src/checkout/dry-run/latest-dry-run.ts";
import type { Constraints } from "../../../src/checkout/quote/constraints.ts";
import type { Quote } from "../../../src/checkout/quote/quote.ts";
import type { Buyer } from "../dispatch/buyer.ts";
import { BABBAGE, type DispatchFixture, openDispatchFixture } from "../dispatch/dispatch-fixture.ts";

let fixture: DispatchFixture;
let standard: string;
const SOCKS = "gid://shopify/ProductVariant/710031";
beforeAll(async () => {
  fixture = await openDispatchFixture();
  const { json } = await fixture.quote({ merchant_id: fixture.harbour, items: [{ sku: SOCKS }], ship_to: BABBAGE });
  const options: { title: string; id: string }[] = json.fulfillment_options;
  standard = options.find(({ title }) => title === "Standard")?.id ?? "";
});
afterAll(() => fixture?.stop());

const prisma = () => fixture.stack.service.deps.db.prisma;
const createCart = (more: object = {}) => ({
  ...{ merchant_id: fixture.harbour, items: [{ sku: SOCKS }], fulfillment_option_id: standard },
  ...more,
});
const start = ({ token }: Buyer, cart: object = createCart()) =>
  fixture.stack.rest(token, "POST", "/api/autofill/dry-run", cart);
const openBuyer = async (terms: object = {}) => {
  const buyer = await fixture.openBuyer();
  await buyer.signPolicy(terms);
  return buyer;
};
const RESULT = { isAtPayment: true, totalMinor: 1_645, taxMinor: 274, currency: "GBP", missingFields: [] };

/** Claims the dry run of a buyer that has no other order. */
async function claim(orderId: string) {
  await prisma().checkoutOrder.updateMany({
    where: { status: "pending", id: { not: orderId } },
    data: { status: "timeout", completedAt: new Date() },
  });
  return await fixture.worker.claimNext();
}

describe("is refused", () => {
  it.each<[string, object | null, object]>([
    ["without a policy", null, {}],
    ["at a blocked merchant", { blockedMerchantIds: "harbour" }, {}],
    ["at a merchant that the policy does not list", { allowedMerchantIds: [] }, {}],
    ["in a country that the policy does not list", { allowedCountries: ["US"] }, {}],
    ["at a new merchant, if the owner decides about those", { newMerchant: "REQUIRE_APPROVAL" }, {}],
    ["to another address, if the owner decides about those", { shipToOther: "REQUIRE_APPROVAL" }, { ship_to: BABBAGE }],
  ])("%s", async (_title, terms, more) => {
    const buyer = await fixture.openBuyer();
    if (terms) {
      const isBlocked = "blockedMerchantIds" in terms;
      await buyer.signPolicy(isBlocked ? { blockedMerchantIds: [fixture.harbour] } : terms);
    }
    const { status, json } = await start(buyer, createCart(more));
    expect([status, json.error]).toEqual([403, "forbidden"]);
    expect(json.message).toContain("may not see name, address and email");
    expect(await prisma().checkoutOrder.count({ where: { accountId: buyer.accountId } })).toBe(0);
  });

  it("for a frozen account, and for an order that is collected", async () => {
    const buyer = await openBuyer();
    const collected = await start(buyer, createCart({ fulfillment_option_id: undefined, pickup_location: "Falmouth" }));
    expect(collected.status, collected.text).toBe(400);
    await prisma().account.update({
      where: { id: buyer.accountId },
      data: { frozenAt: new Date(), frozenBy: "owner" },
    });
    expect((await start(buyer)).status).toBe(403);
    expect(await prisma().checkoutOrder.count({ where: { accountId: buyer.accountId } })).toBe(0);
  });
});

describe("in progress", () => {
  it("is one order for concurrent requests of the same cart, and another for another cart", async () => {
    const buyer = await openBuyer();
    const same = await Promise.all(Array.from({ length: 6 }, () => start(buyer)));
    expect(new Set(same.map(({ json, text }) => json.order_id ?? text)).size).toBe(1);
    const other = await start(buyer, createCart({ items: [{ sku: SOCKS, quantity: 2 }] }));
    expect(other.json.order_id).not.toBe(same[0]?.json.order_id);
    expect(await prisma().checkoutOrder.count({ where: { accountId: buyer.accountId } })).toBe(2);
  });

  it("has the cart and the address, and neither amount nor card", async () => {
    const buyer = await openBuyer();
    const { json } = await start(buyer);
    const job = await claim(json.order_id);
    expect(job).toMatchObject({
      ...{ kind: "dry_run", orderId: json.order_id, currency: "GBP" },
      contact: { firstName: "Ada", email: `${buyer.accountId}@people.example` },
      deliverTo: { city: "London" },
    });
    expect(job).not.toHaveProperty("amountMinor");
    expect((await fixture.worker.send(job.lease, "card")).status).toBe(409);
    expect((await fixture.worker.send(job.lease, "submitting")).status).toBe(409);
    const row = await fixture.readOrder(json.order_id);
    expect([row.cardId, row.cardReleasedAt, row.policyId, row.cardBudgetIds]).toEqual([null, null, null, []]);
  });
});

describe("whose merchant may no longer see the data", () => {
  const revoke = async (buyer: Buyer) => {
    const policy = await prisma().checkoutPolicy.findUniqueOrThrow({ where: { activeSlot: buyer.accountId } });
    const REVOKE =
      "mutation ($input: RevokeCheckoutPolicyInput!) { revokeCheckoutPolicy(input: $input) { __typename } }";
    const { revokeCheckoutPolicy } = await buyer.visitor.graphql(REVOKE, { input: { id: policy.id } });
    expect(revokeCheckoutPolicy.__typename).toBe("RevokeCheckoutPolicySuccess");
  };
  const freeze = async ({ accountId }: Buyer) => {
    await prisma().account.update({ where: { id: accountId }, data: { frozenAt: new Date(), frozenBy: "owner" } });
  };

  it.each([
    ["policy_ended", revoke],
    ["account_frozen", freeze],
  ] as const)("ends as %s with the next renewal of its lease", async (errorCode, end) => {
    const buyer = await openBuyer();
    const { json } = await start(buyer);
    const job = await claim(json.order_id);
    expect((await fixture.worker.send(job.lease, "renew")).status).toBe(200);
    await end(buyer);
    expect((await fixture.worker.send(job.lease, "renew")).status).toBe(409);
    const row = await fixture.readOrder(json.order_id);
    expect(row).toMatchObject({ status: "worker_error", errorCode, retryable: true, dryRun: null });
  });
});

describe("that has ended", () => {
  const finish = (lease: string, body: object) => fixture.worker.send(lease, "finish", body);

  it("states its result, and replaces the ceiling of a quote for 15 minutes", async () => {
    const buyer = await openBuyer();
    const { json } = await start(buyer);
    const job = await claim(json.order_id);
    expect((await finish(job.lease, { cause: "explored", dryRun: RESULT })).status).toBe(200);
    const order = (await fixture.stack.rest(buyer.token, "GET", `/api/autofill/orders/${json.order_id}`)).json;
    expect(order).toMatchObject({ status: "explored", kind: "explored", amount_minor: null });
    expect(order.dry_run).toMatchObject({
      is_at_payment: true,
      total_minor: 1_645,
      tax_minor: 274,
      missing_fields: [],
    });
    const again = await start(buyer);
    expect(again.json.order_id).not.toBe(json.order_id);
  });

  it("raises no ceiling of a quote that caps delivery, because its total does not state delivery", async () => {
    const buyer = await openBuyer();
    const { json } = await start(buyer);
    const job = await claim(json.order_id);
    await finish(job.lease, { cause: "explored", dryRun: RESULT });
    const card = await prisma().paymentCard.findUniqueOrThrow({ where: { id: buyer.cardId } });
    const ceiling = {
      capMinor: 1_200,
      expectedMinor: 1_200,
      isFinal: false,
      selectedOptionId: standard,
      currency: "GBP",
    };
    const stated = async (caps: Partial<Constraints> | null, quote: object = ceiling) => {
      const constraints = caps && {
        maxTotalMinor: null,
        maxShippingMinor: null,
        maxSubtotalMinor: null,
        maxItemMinor: null,
        ...caps,
      };
      const cart = { merchantId: fixture.harbour, items: [{ sku: SOCKS, quantity: 1 }], shipTo: null, constraints };
      const parties = { accountId: buyer.accountId, request: cart, home: readBillingAddress(card) };
      const { expectedMinor, isFinal } = await withDryRun(fixture.stack.service.deps.db, quote as Quote, parties);
      return [expectedMinor, isFinal];
    };
    expect(await stated(null)).toEqual([1_645, true]);
    const endedAgo = (minutes: number, seconds: number) =>
      prisma().checkoutOrder.update({
        where: { id: json.order_id },
        data: { completedAt: new Date(Date.now() - (minutes * 60 + seconds) * 1_000) },
      });
    await endedAgo(15, 1);
    expect(await stated(null)).toEqual([1_200, false]);
    await endedAgo(14, 0);
    expect(await stated(null)).toEqual([1_645, true]);
    expect(await stated({ maxTotalMinor: 1_645 })).toEqual([1_645, true]);
    expect(await stated({ maxTotalMinor: 1_644 })).toEqual([1_200, false]);
    expect(await stated({ maxShippingMinor: 500 })).toEqual([1_200, false]);
    expect(await stated({ maxShippingMinor: 500 }, { ...ceiling, capMinor: 1_700, expectedMinor: 1_700 })).toEqual([
      1_645,
      true,
    ]);
  });

  it("is failed if it reports an exploration, and an exploration if it reports a dry run", async () => {
    const buyer = await openBuyer();
    const { json } = await start(buyer);
    const job = await claim(json.order_id);
    const merchants = await prisma().merchant.count();
    const product = {
      ...{ sku: "A", productId: "A", title: "A", variantTitle: null, priceMinor: 1, currency: "GBP" },
      ...{ available: true, imageUrl: null, productUrl: "https://evil.example/a" },
    };
    const exploration = {
      ...{ url: "https://evil.example", name: "Evil", currency: "GBP", countryCode: "GB", shipsTo: [] },
      ...{ supportsPickup: false, taxPolicy: "unknown", logoUrl: null, products: [product], isWhole: true, recipe: {} },
    };
    await finish(job.lease, { cause: "explored", exploration });
    await finish(job.lease, { cause: "exploration_failed" });
    expect((await fixture.readOrder(json.order_id)).status).toBe("merchant_error");
    expect(await prisma().merchant.count()).toBe(merchants);
    const explored = await fixture.stack.rest(buyer.token, "POST", "/api/autofill/explore", {
      ...{ merchant_url: "https://unknown.example/item", goal: "an item" },
    });
    const other = await claim(explored.json.order_id);
    await finish(other.lease, { cause: "explored", dryRun: RESULT });
    expect(await fixture.readOrder(explored.json.order_id)).toMatchObject({ status: "merchant_error", dryRun: null });
  });
});
