/**
 * No sequence of one account's explorations changes what another account's orders do, where its card goes, or what its
 * merchants, search and look-ups contain.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestAccount } from "../../support/stack.ts";
import type { Buyer } from "../dispatch/buyer.ts";
import { type DispatchFixture, openDispatchFixture } from "../dispatch/dispatch-fixture.ts";
import { createExploration, createProduct, createRecipe, exploreAs } from "./explored.ts";

const RUNS = 15;
/** A merchant outside the pool that both accounts explore. */
const SHARED_URL = "http://127.0.0.1:21";

let fixture: DispatchFixture;
let buyer: Buyer;
let explorer: TestAccount;
/** Merchants of the buyer: one with an API, one of the pool without, and one that the buyer explored. */
let carts: { merchant_id: string; items: { sku: string }[]; fulfillment_option_id?: string | undefined }[];

beforeAll(async () => {
  fixture = await openDispatchFixture();
  // Otherwise the search would find more while the test compares what it finds.
  await fixture.waitForCatalogues();
  buyer = await fixture.openBuyer();
  explorer = await fixture.stack.account();
  await buyer.signPolicy({ dailyMaxMinor: 10_000_000, monthlyMaxMinor: 10_000_000 });
  const quarry = await exploreAs(fixture, buyer, createExploration(fixture.findStoreUrl("quarry")));
  const own = await exploreAs(fixture, buyer, createExploration(SHARED_URL));
  const { merchant_id, items, fulfillment_option_id } = fixture.createDispatch() as (typeof carts)[number];
  carts = [
    { merchant_id, items, fulfillment_option_id },
    { merchant_id: quarry.merchant_id, items: [{ sku: "HAM-2" }] },
    { merchant_id: own.merchant_id, items: [{ sku: "HAM-2" }] },
  ];
});
afterAll(() => fixture?.stop());

const read = async (path: string) =>
  (await fixture.stack.rest(buyer.token, "GET", `/api/autofill/${path}`)).json as object;

/** Everything that the buyer sees, and the jobs of its orders, without ids and times of the orders themselves. */
async function observe() {
  const product = `${fixture.findStoreUrl("harbour")}/products/wool-socks`;
  const views = [
    await read("merchants"),
    ...(await Promise.all(carts.map(({ merchant_id }) => read(`merchants/${merchant_id}`)))),
    await read("products/search?q=a&country=GB&limit=100"),
    await read(`products/lookup?url=${encodeURIComponent(product)}`),
    await read("reliability"),
  ];
  const jobs = [];
  for (const cart of carts) jobs.push(await orderAndRead(cart));
  return { views: JSON.parse(JSON.stringify(views, (name, value) => (name === "generated_at" ? null : value))), jobs };
}

async function orderAndRead(cart: (typeof carts)[number]) {
  const { json: quote } = await buyer.quote(cart);
  const amount_minor = quote.expected_amount_minor;
  const placed = await buyer.dispatch(
    fixture.createDispatch({ ...cart, fulfillment_option_id: undefined, ...cart, amount_minor }),
  );
  expect(placed.status, placed.text).toBe(200);
  const { lease, orderId: _order, ...job } = await fixture.worker.claimNext();
  const { status } = await fixture.worker.send(lease, "finish", { cause: "out_of_stock" });
  const ended = (await read(`orders/${placed.json.order_id}`)) as { error_code: string };
  return { quote, job, status, ended: ended.error_code };
}

const exploration = () => {
  const origin = fc.constantFrom("https://evil.example", "https://pay.example", "http://localhost:1");
  const url = fc.constantFrom(
    ...["harbour", "quarry", "bindery", "corner"].map((name) => fixture.findStoreUrl(name)),
    ...[SHARED_URL, "http://127.0.0.1:22", "https://www.elsewhere.example"],
  );
  const facts = fc.record({
    name: fc.constantFrom("Harbour Outfitters", "Quarry Tools", "Evil", "Hammer & Chisel"),
    currency: fc.constantFrom("GBP", "USD", "JPY"),
    countryCode: fc.constantFrom("GB", "ZZ", "US"),
    shipsTo: fc.subarray(["GB", "US"]),
    supportsPickup: fc.boolean(),
    taxPolicy: fc.constantFrom("included", "added", "unknown"),
    logoUrl: fc.constantFrom(null, "https://evil.example/logo.png"),
    isWhole: fc.boolean(),
  });
  const recipe = fc.record({
    basketUrl: fc.constantFrom(null, "https://evil.example/cart"),
    cardFrameOrigins: fc.option(fc.uniqueArray(origin, { maxLength: 2 })),
    payPath: fc.constantFrom(null, "/pay"),
    fields: fc.constantFrom({}, { card_number: "#evil" }),
    controls: fc.constantFrom({}, { pay: "#evil" }),
  });
  return fc
    .record({
      url,
      facts,
      recipe,
      more: fc.uniqueArray(origin, { maxLength: 2 }),
      priceMinor: fc.integer({ min: 0, max: 9 }),
    })
    .map(({ url: at, facts: found, recipe: hints, more, priceMinor }) =>
      createExploration(at, {
        ...found,
        products: [createProduct(at, "HAM-2", priceMinor), createProduct(at, "OTHER", priceMinor)],
        recipe: createRecipe(at, { ...hints, checkoutOrigins: [...new Set([at, ...more])] }),
      }),
    );
};

it("holds for every sequence of explorations", async () => {
  const before = await observe();
  await fc.assert(
    fc.asyncProperty(fc.array(exploration(), { minLength: 1, maxLength: 3 }), async (explorations) => {
      for (const one of explorations) await exploreAs(fixture, explorer, one);
      expect(await observe()).toEqual(before);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 180_000);
