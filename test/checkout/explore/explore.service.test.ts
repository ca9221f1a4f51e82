/** Explorations through the agent API and the worker protocol. Browser behaviour is tested in test/worker. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CheckoutFixture, openCheckoutFixture } from "../checkout-fixture.ts";
import { createWorkerClient, WORKER_TOKEN } from "../orders/worker-client.ts";

let fixture: CheckoutFixture;
let worker: ReturnType<typeof createWorkerClient>;
/** The sandbox store with the Storefront API that is not onboarded in the pool. */
let unexplored: { url: string; name: string };

beforeAll(async () => {
  fixture = await openCheckoutFixture({ WORKER_TOKEN });
  worker = createWorkerClient(fixture.stack);
  const { stores = [] } = fixture.stack.sandbox ?? {};
  const store = stores.findLast(({ kind }) => kind === "shopify");
  unexplored = { url: store?.url ?? "", name: store?.name ?? "" };
});
afterAll(() => fixture?.stop());

const prisma = () => fixture.stack.service.deps.db.prisma;
const explore = (body: object, token = fixture.account.token) =>
  fixture.stack.rest(token, "POST", "/api/autofill/explore", { goal: "anything", ...body });
const readOrder = async (id: string) => (await fixture.get(`/api/autofill/orders/${id}`)).json;

/** Creates the result of an exploration of the merchant at `url`. */
const createExploration = (url: string, more: object = {}) => ({
  url,
  name: "Hammer & Chisel",
  currency: "USD",
  countryCode: "US",
  shipsTo: ["US"],
  supportsPickup: false,
  taxPolicy: "added",
  logoUrl: null,
  products: [createProduct(url, "HAM-2"), createProduct(url, "CHI-12")],
  isWhole: true,
  recipe: createRecipe(url),
  ...more,
});
const createProduct = (url: string, sku: string, priceMinor = 4_200) => ({
  ...{ sku, productId: `/item/${sku}`, title: `Tool ${sku}`, variantTitle: null, priceMinor, currency: "USD" },
  ...{ available: true, imageUrl: null, productUrl: `${url}/item/${sku}` },
});
const createRecipe = (url: string, more: object = {}) => ({
  ...{
    format: 1,
    basketUrl: `${url}/basket`,
    checkoutOrigins: [url],
    cardFrameOrigins: null,
    fields: {},
    controls: {},
  },
  ...{ payPath: null, ...more },
});

/** Explores `url` and finishes the job as a worker with the result `exploration`. */
async function exploreAndFinish(url: string, exploration: object, goal = "a hammer") {
  const { json } = await explore({ merchant_url: url, goal });
  const { lease, orderId } = await worker.claimNext();
  expect(orderId).toBe(json.order_id);
  return { orderId, finished: await worker.send(lease, "finish", { cause: "explored", exploration }) };
}

describe("a merchant with the Storefront API", () => {
  it("is explored immediately and can be quoted afterwards", async () => {
    const search = () => fixture.get("/api/autofill/products/search?q=a&country=AU&limit=100");
    const { json } = await explore({ merchant_url: `${unexplored.url}/products/sourdough-loaf#x`, goal: "bread" });
    expect(json).toMatchObject({ status: "explored", merchant_id: await fixture.findMerchantId(unexplored.name) });
    expect(json.order_url).toContain(`/orders/${json.order_id}`);
    expect(json.live_view_url).toContain(`/live/${json.order_id}?token=`);
    expect(await readOrder(json.order_id)).toMatchObject({
      ...{ status: "explored", kind: "explored", retryable: false, retry_action: "re_preview", test: true },
      ...{ merchant_id: json.merchant_id, amount_minor: null, error_code: null },
    });
    const merchant = await fixture.get(`/api/autofill/merchants/${json.merchant_id}`);
    expect(merchant.json).toMatchObject({ rail: "shopify", is_test: true });
    const [{ sku }] = merchant.json.catalogue;
    const quote = await fixture.quote({ merchant_id: json.merchant_id, items: [{ sku, quantity: 2 }] });
    expect(quote.status, quote.text).toBe(200);
    for (const { merchant: listed, onboard } of (await search()).json.products) {
      if (listed.id === json.merchant_id) expect(onboard).toBeUndefined();
    }
  });

  it("is not treated as another kind of merchant when it does not respond", async () => {
    await fixture.configureFault("harbour", "api_5xx");
    const { status, json } = await explore({ merchant_url: fixture.findStoreUrl("harbour"), goal: "socks" });
    expect([status, json.error]).toEqual([502, "catalog_unavailable"]);
  });
});

describe("any other merchant", () => {
  it("is explored by a worker and can be quoted from its catalogue", async () => {
    const url = fixture.findStoreUrl("quarry");
    const { json } = await explore({ merchant_url: url, goal: "a hammer", prefs: "by post", currency: "usd" });
    expect(json).toMatchObject({ status: "pending" });
    expect(await readOrder(json.order_id)).toMatchObject({ status: "pending", retry_action: "poll" });
    const job = await worker.claimNext();
    expect(job).toMatchObject({
      ...{ orderId: json.order_id, kind: "explored" },
      request: { merchantUrl: `${url}/`, goal: "a hammer", prefs: "by post", currency: "USD" },
    });
    expect((await worker.send(job.lease, "card")).status).toBe(409);
    expect((await worker.send(job.lease, "submitting")).status).toBe(409);
    const finished = await worker.send(job.lease, "finish", { cause: "explored", exploration: createExploration(url) });
    expect(finished.json).toEqual({ status: "explored" });
    const merchantId = await fixture.findMerchantId("quarry");
    expect(await readOrder(json.order_id)).toMatchObject({
      status: "explored",
      merchant_id: merchantId,
      currency: "USD",
    });
    const merchant = (await fixture.get(`/api/autofill/merchants/${merchantId}`)).json;
    expect(merchant).toMatchObject({ rail: "worker", is_test: true, ships_to: ["US"], tax_policy: "added" });
    expect(merchant.catalogue.map(({ sku }: { sku: string }) => sku)).toEqual(["CHI-12", "HAM-2"]);
    const quote = await fixture.quote({ merchant_id: merchantId, items: [{ sku: "HAM-2" }] });
    expect(quote.json).toMatchObject({ rail: "worker", subtotal_minor: 4_200, amount_is_final: false });
  });

  it("outside the pool is stored as explored, with a new recipe version when the recipe changes", async () => {
    const url = "http://127.0.0.1:1";
    const first = await exploreAndFinish(url, createExploration(url, { countryCode: "ZZ" }));
    expect(first.finished.json).toEqual({ status: "explored" });
    await exploreAndFinish(url, createExploration(url, { name: "Quarry & Sons", countryCode: "US" }), "another");
    const pinned = createRecipe(url, { cardFrameOrigins: ["https://pay.example"], fields: { email: "#a1" } });
    await exploreAndFinish(url, createExploration(url, { recipe: pinned }), "a third");
    await exploreAndFinish(url, createExploration(url, { name: "Quarry & Sons" }), "a fourth");
    const merchant = await prisma().merchant.findFirstOrThrow({
      where: { domain: "127.0.0.1:1" },
      include: { recipes: { orderBy: { version: "asc" } } },
    });
    const { accountId } = fixture.account;
    expect(merchant).toMatchObject({ accountId, name: "Quarry & Sons", countryCode: "US", isTest: true });
    expect(merchant.pooledDomain).toBeNull();
    expect(merchant.recipes.map(({ version }) => version)).toEqual([1, 2, 3]);
    expect(merchant.recipes[1]?.definition).toEqual(pinned);
    // The newest exploration replaces earlier findings, which may have been false.
    expect(merchant.recipes[2]?.definition).toEqual(createRecipe(url));
  });

  it("of the pool retains all facts of the operator, and the account's catalogue is added", async () => {
    const url = fixture.findStoreUrl("bindery");
    const exploration = createExploration(url, {
      ...{ name: "Elsewhere", currency: "USD", countryCode: "US", taxPolicy: "added" },
      ...{ shipsTo: ["US"], supportsPickup: true, logoUrl: "https://logo.example/1.png" },
    });
    const id = await fixture.findMerchantId("bindery");
    const before = await prisma().merchant.findUniqueOrThrow({ where: { id } });
    await exploreAndFinish(url, exploration);
    expect(await prisma().merchant.findUniqueOrThrow({ where: { id } })).toEqual(before);
    const { json } = await fixture.get(`/api/autofill/merchants/${id}`);
    expect(json).toMatchObject({ name: "The Bindery", currency: "GBP", country_code: "GB", rail: "worker" });
    expect(json).toMatchObject({ tax_policy: "included", is_pooled: true });
    expect(json.catalogue).toHaveLength(2);
  });

  it("is unchanged when its links lead to another merchant", async () => {
    const url = fixture.findStoreUrl("quarry");
    const before = await prisma().merchant.findUniqueOrThrow({ where: { id: await fixture.findMerchantId("quarry") } });
    const { json } = await explore({ merchant_url: `${url}/leave?to=elsewhere`, goal: "anything at all" });
    const { lease } = await worker.claimNext();
    await worker.send(lease, "finish", {
      cause: "explored",
      exploration: createExploration("http://www.elsewhere.example"),
    });
    expect(await prisma().merchant.findUniqueOrThrow({ where: { id: before.id } })).toEqual(before);
    const { merchant_id } = await readOrder(json.order_id);
    expect(merchant_id).not.toBe(before.id);
    // The same merchant without www.
    await exploreAndFinish("http://elsewhere.example", createExploration("http://elsewhere.example"));
    const elsewhere = { where: { domain: { endsWith: "elsewhere.example" } } };
    expect(await prisma().merchant.findMany(elsewhere)).toMatchObject([{ id: merchant_id, isTest: false }]);
  });

  it("retains earlier products after a partial exploration", async () => {
    const url = "http://127.0.0.1:2";
    await exploreAndFinish(url, createExploration(url));
    const listSkus = async () => {
      const { catalogues } = await prisma().merchant.findFirstOrThrow({
        where: { domain: "127.0.0.1:2" },
        include: { catalogues: { include: { products: { orderBy: { sku: "asc" } } } } },
      });
      return (catalogues[0]?.products ?? []).map(({ sku, priceMinor }) => [sku, Number(priceMinor)]);
    };
    await exploreAndFinish(
      url,
      createExploration(url, { products: [createProduct(url, "HAM-2", 4_300)], isWhole: false }),
      "cheaper",
    );
    expect(await listSkus()).toEqual([
      ["CHI-12", 4_200],
      ["HAM-2", 4_300],
    ]);
    await exploreAndFinish(
      url,
      createExploration(url, { products: [createProduct(url, "HAM-3")], isWhole: true }),
      "all",
    );
    expect(await listSkus()).toEqual([["HAM-3", 4_200]]);
  });

  it.each(["exploration_failed", "exploration_walled", "not_a_shop"])(
    "ends with %s as a merchant error",
    async (cause) => {
      const { json } = await explore({ merchant_url: "http://127.0.0.1:3/", goal: cause });
      const { lease } = await worker.claimNext();
      expect((await worker.send(lease, "finish", { cause })).json).toEqual({ status: "merchant_error" });
      const ended = await readOrder(json.order_id);
      expect(ended).toMatchObject({
        error_code: cause,
        retryable: true,
        retry_action: "re_preview",
        merchant_id: null,
      });
      expect(ended.error_message).not.toBe("");
    },
  );

  it("is not updated by an invalid exploration result", async () => {
    const url = "http://127.0.0.1:4";
    const { json } = await explore({ merchant_url: url });
    const { lease } = await worker.claimNext();
    const invalidChanges = [
      { name: " " },
      { currency: "XXY" },
      { countryCode: "Britain" },
      { url: "file:///etc/passwd" },
      { products: [] },
      { products: Array.from({ length: 501 }, (_, at) => createProduct(url, `S${at}`)) },
      { products: [{ ...createProduct(url, "A"), productUrl: "javascript:alert(1)" }] },
      { products: [{ ...createProduct(url, "A"), priceMinor: -1 }] },
      { products: [createProduct("http://127.0.0.1:9", "A")] },
      { recipe: createRecipe(url, { cardFrameOrigins: ["https://pay.example/path"] }) },
      { recipe: createRecipe(url, { more: true }) },
      { more: true },
    ];
    for (const more of invalidChanges) {
      const exploration = createExploration(url, more);
      expect(
        (await worker.send(lease, "finish", { cause: "explored", exploration })).status,
        JSON.stringify(more),
      ).toBe(400);
    }
    await worker.send(lease, "finish", { cause: "not_a_shop" });
    expect((await readOrder(json.order_id)).status).toBe("merchant_error");
  });
});

describe("a repeated exploration", () => {
  it("returns the pending order to the same account", async () => {
    const body = { merchant_url: "http://127.0.0.1:5/shop", goal: "tea" };
    const responses = await Promise.all(Array.from({ length: 10 }, () => explore(body)));
    expect(new Set(responses.map(({ json }) => json.order_id)).size).toBe(1);
    const json = responses[0]?.json;
    expect((await explore({ ...body, goal: " tea " })).json.order_id).toBe(json.order_id);
    const { lease, orderId } = await worker.claimNext();
    expect(orderId).toBe(json.order_id);
    expect((await explore(body)).json).toMatchObject({ order_id: json.order_id, status: "pending" });
    const otherAccount = await fixture.stack.account();
    const other = (await explore(body, otherAccount.token)).json.order_id;
    expect(other).not.toBe(json.order_id);
    await worker.send((await worker.claimNext()).lease, "finish", { cause: "not_a_shop" });
    await worker.send(lease, "finish", { cause: "not_a_shop" });
    const again = (await explore(body)).json.order_id;
    expect(again).not.toBe(json.order_id);
    await worker.send((await worker.claimNext()).lease, "finish", { cause: "not_a_shop" });
    expect((await readOrder(json.order_id)).status).toBe("merchant_error");
  });

  it("is limited in the number of pending orders per account", async () => {
    const busy = await fixture.stack.account();
    const exploreNumbered = (n: number) => explore({ merchant_url: `http://127.0.0.1:6/${n}` }, busy.token);
    const responses = await Promise.all(
      [1, 2, 3, 4, 5, 6, 7, 8].map(async (n) => ({ n, ...(await exploreNumbered(n)) })),
    );
    const accepted = responses.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(3);
    for (const { status, json, headers } of responses.filter((response) => !accepted.includes(response))) {
      expect([status, json.error]).toEqual([429, "rate_limited"]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await exploreNumbered(accepted[0]?.n ?? 0)).json.order_id).toBe(accepted[0]?.json.order_id);
  });
});

describe("an exploration is rejected", () => {
  it.each([
    [{ merchant_url: "ftp://merchant.example" }, "invalid_request", "merchant_url"],
    [{ merchant_url: "merchant.example" }, "invalid_request", "merchant_url"],
    [{ merchant_url: "https://me:secret@merchant.example" }, "invalid_request", "merchant_url"],
    [{ merchant_url: "http://169.254.169.254/latest" }, "url_not_allowed", "merchant_url"],
    [{ merchant_url: "http://10.0.0.1/" }, "url_not_allowed", "merchant_url"],
    [{ merchant_url: "http://[fd00::1]/" }, "url_not_allowed", "merchant_url"],
    [{ merchant_url: "https://merchant.example", goal: " " }, "invalid_request", "goal"],
    [{ merchant_url: "https://merchant.example", goal: "x".repeat(2_001) }, "invalid_request", "goal"],
    [{ merchant_url: "https://merchant.example", goal: "x", prefs: "x".repeat(2_001) }, "invalid_request", "prefs"],
    [{ merchant_url: "https://merchant.example", goal: "x", currency: "EURO" }, "invalid_request", "currency"],
    [{ merchant_url: "https://merchant.example", goal: 1 }, "invalid_request", "goal"],
  ])("for %o", async (body, error, field) => {
    const { status, json } = await explore(body);
    expect([status, json.error, json.field]).toEqual([400, error, field]);
  });

  it("without a credential", async () => {
    const body = { merchant_url: "https://merchant.example", goal: "x" };
    expect((await fixture.stack.rest(null, "POST", "/api/autofill/explore", body)).status).toBe(401);
  });
});

it("returns the same results over GraphQL as over REST", async () => {
  const query = `mutation($input: ExploreShopInput!) { exploreShop(input: $input) { __typename
    ... on ExploreShopSuccess { order { orderId status kind merchantUrl merchant { merchantId isOnboarded } } liveViewUrl }
    ... on InvalidRequestError { field code } } }`;
  const { json } = await fixture.stack.graphql(fixture.account.token, query, {
    input: { merchantUrl: unexplored.url, goal: "cake" },
  });
  const { exploreShop: result } = json.data;
  expect(result.order).toMatchObject({ status: "EXPLORED", kind: "EXPLORED", merchant: { isOnboarded: true } });
  const rejected = await fixture.stack.graphql(fixture.account.token, query, {
    input: { merchantUrl: "x", goal: "cake" },
  });
  expect(rejected.json.data.exploreShop).toMatchObject({ __typename: "InvalidRequestError", field: "merchantUrl" });
});
