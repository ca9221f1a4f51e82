/** Exploring as agents and workers see it; what a worker does in its browser is tested with the worker. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WORKER_TOKEN, workerOf } from "../orders/worker.ts";
import { type CheckoutRoom, openCheckoutRoom } from "../room.ts";

let room: CheckoutRoom;
let worker: ReturnType<typeof workerOf>;
/** The shop with the Storefront API that the sandbox's pool has not onboarded. */
let unexplored: { url: string; name: string };

beforeAll(async () => {
  room = await openCheckoutRoom({ WORKER_TOKEN });
  worker = workerOf(room.stack);
  const { stores = [] } = room.stack.sandbox ?? {};
  const store = stores.findLast(({ kind }) => kind === "shopify");
  unexplored = { url: store?.url ?? "", name: store?.name ?? "" };
});
afterAll(() => room?.stop());

const prisma = () => room.stack.service.deps.db.prisma;
const explore = (body: object, token = room.account.token) =>
  room.stack.rest(token, "POST", "/api/autofill/explore", { goal: "anything", ...body });
const order = async (id: string) => (await room.get(`/api/autofill/orders/${id}`)).json;

/** What a worker would have found at the shop at `url`. */
const found = (url: string, more: object = {}) => ({
  url,
  name: "Quarry Tools",
  currency: "USD",
  countryCode: "US",
  shipsTo: ["US"],
  supportsPickup: false,
  taxPolicy: "added",
  logoUrl: null,
  products: [product(url, "HAM-2"), product(url, "CHI-12")],
  isWhole: true,
  recipe: recipe(url),
  ...more,
});
const product = (url: string, sku: string, priceMinor = 4_200) => ({
  ...{ sku, productId: `/item/${sku}`, title: `Tool ${sku}`, variantTitle: null, priceMinor, currency: "USD" },
  ...{ available: true, imageUrl: null, productUrl: `${url}/item/${sku}` },
});
const recipe = (url: string, more: object = {}) => ({
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

/** Explores `url` as a worker that finds `exploration`. */
async function exploreBy(url: string, exploration: object, goal = "a hammer") {
  const { json } = await explore({ merchant_url: url, goal });
  const { lease, orderId } = await worker.take();
  expect(orderId).toBe(json.order_id);
  return { orderId, finished: await worker.say(lease, "finish", { cause: "explored", exploration }) };
}

describe("a shop with the Storefront API", () => {
  it("is explored at once, and can be bought from after", async () => {
    const search = () => room.get("/api/autofill/products/search?q=a&country=AU&limit=100");
    const { json } = await explore({ merchant_url: `${unexplored.url}/products/sourdough-loaf#x`, goal: "bread" });
    expect(json).toMatchObject({ status: "explored", merchant_id: await room.merchantId(unexplored.name) });
    expect(json.order_url).toContain(`/orders/${json.order_id}`);
    expect(json.live_view_url).toContain(`/live/${json.order_id}?token=`);
    expect(await order(json.order_id)).toMatchObject({
      ...{ status: "explored", kind: "explored", retryable: false, retry_action: "re_preview", test: true },
      ...{ merchant_id: json.merchant_id, amount_minor: null, error_code: null },
    });
    const merchant = await room.get(`/api/autofill/merchants/${json.merchant_id}`);
    expect(merchant.json).toMatchObject({ rail: "shopify", is_test: true });
    const [{ sku }] = merchant.json.catalogue;
    const quote = await room.quote({ merchant_id: json.merchant_id, items: [{ sku, quantity: 2 }] });
    expect(quote.status, quote.text).toBe(200);
    for (const { merchant: shop, onboard } of (await search()).json.products) {
      if (shop.id === json.merchant_id) expect(onboard).toBeUndefined();
    }
  });

  it("that does not answer is not taken for one of another kind", async () => {
    await room.fault("harbour", "api_5xx");
    const { status, json } = await explore({ merchant_url: room.urlOf("harbour"), goal: "socks" });
    expect([status, json.error]).toEqual([502, "catalog_unavailable"]);
  });
});

describe("any other shop", () => {
  it("is explored by a worker: a merchant with a catalogue, to be quoted", async () => {
    const url = room.urlOf("quarry");
    const { json } = await explore({ merchant_url: url, goal: "a hammer", prefs: "by post", currency: "usd" });
    expect(json).toMatchObject({ status: "pending" });
    expect(await order(json.order_id)).toMatchObject({ status: "pending", retry_action: "poll" });
    const job = await worker.take();
    expect(job).toMatchObject({
      ...{ orderId: json.order_id, kind: "explored" },
      request: { merchantUrl: `${url}/`, goal: "a hammer", prefs: "by post", currency: "USD" },
    });
    expect((await worker.say(job.lease, "card")).status).toBe(409);
    expect((await worker.say(job.lease, "submitting")).status).toBe(409);
    const told = await worker.say(job.lease, "finish", { cause: "explored", exploration: found(url) });
    expect(told.json).toEqual({ status: "explored" });
    const merchantId = await room.merchantId("quarry");
    expect(await order(json.order_id)).toMatchObject({ status: "explored", merchant_id: merchantId, currency: "USD" });
    const merchant = (await room.get(`/api/autofill/merchants/${merchantId}`)).json;
    expect(merchant).toMatchObject({ rail: "worker", is_test: true, ships_to: ["US"], tax_policy: "added" });
    expect(merchant.catalogue.map(({ sku }: { sku: string }) => sku)).toEqual(["CHI-12", "HAM-2"]);
    const quote = await room.quote({ merchant_id: merchantId, items: [{ sku: "HAM-2" }] });
    expect(quote.json).toMatchObject({ rail: "worker", subtotal_minor: 4_200, amount_is_final: false });
  });

  it("that nobody wrote into the pool is what exploring says, and is of another version when it changed", async () => {
    const url = "http://127.0.0.1:1";
    const first = await exploreBy(url, found(url, { countryCode: "ZZ" }));
    expect(first.finished.json).toEqual({ status: "explored" });
    await exploreBy(url, found(url, { name: "Quarry & Sons", countryCode: "US" }), "another");
    const pinned = recipe(url, { cardFrameOrigins: ["https://pay.example"], fields: { email: "#a1" } });
    await exploreBy(url, found(url, { recipe: pinned }), "a third");
    // It got less far this time.
    await exploreBy(url, found(url, { name: "Quarry & Sons" }), "a fourth");
    const merchant = await prisma().merchant.findUniqueOrThrow({
      where: { domain: "127.0.0.1:1" },
      include: { recipes: { orderBy: { version: "asc" } } },
    });
    expect(merchant).toMatchObject({ name: "Quarry & Sons", countryCode: "US", isTest: true, isPooled: false });
    expect(merchant.recipes.map(({ version }) => version)).toEqual([1, 2]);
    expect(merchant.recipes[1]?.definition).toEqual(pinned);
  });

  it("keeps what an operator wrote of it", async () => {
    const url = room.urlOf("bindery");
    const exploration = found(url, { name: "Elsewhere", currency: "USD", countryCode: "US", taxPolicy: "added" });
    await exploreBy(url, exploration);
    const { json } = await room.get(`/api/autofill/merchants/${await room.merchantId("bindery")}`);
    expect(json).toMatchObject({ name: "The Bindery", currency: "GBP", country_code: "GB", rail: "worker" });
    expect(json.tax_policy).toBe("included");
  });

  it("whose links lead to another shop is left as it is", async () => {
    const url = room.urlOf("quarry");
    const before = await prisma().merchant.findUniqueOrThrow({ where: { id: await room.merchantId("quarry") } });
    const { json } = await explore({ merchant_url: `${url}/leave?to=elsewhere`, goal: "anything at all" });
    const { lease } = await worker.take();
    await worker.say(lease, "finish", { cause: "explored", exploration: found("http://www.elsewhere.example") });
    expect(await prisma().merchant.findUniqueOrThrow({ where: { id: before.id } })).toEqual(before);
    const { merchant_id } = await order(json.order_id);
    expect(merchant_id).not.toBe(before.id);
    // The same shop without www.
    await exploreBy("http://elsewhere.example", found("http://elsewhere.example"));
    const elsewhere = { where: { domain: { endsWith: "elsewhere.example" } } };
    expect(await prisma().merchant.findMany(elsewhere)).toMatchObject([{ id: merchant_id, isTest: false }]);
  });

  it("that was read in part keeps what it offered before, for a while", async () => {
    const url = "http://127.0.0.1:2";
    await exploreBy(url, found(url));
    const skus = async () => {
      const { products } = await prisma().merchant.findUniqueOrThrow({
        where: { domain: "127.0.0.1:2" },
        include: { products: { orderBy: { sku: "asc" } } },
      });
      return products.map(({ sku, priceMinor }) => [sku, Number(priceMinor)]);
    };
    await exploreBy(url, found(url, { products: [product(url, "HAM-2", 4_300)], isWhole: false }), "cheaper");
    expect(await skus()).toEqual([
      ["CHI-12", 4_200],
      ["HAM-2", 4_300],
    ]);
    await exploreBy(url, found(url, { products: [product(url, "HAM-3")], isWhole: true }), "all");
    expect(await skus()).toEqual([["HAM-3", 4_200]]);
  });

  it.each(["exploration_failed", "exploration_walled", "not_a_shop"])(
    "ends by %s as an error of the shop",
    async (cause) => {
      const { json } = await explore({ merchant_url: "http://127.0.0.1:3/", goal: cause });
      const { lease } = await worker.take();
      expect((await worker.say(lease, "finish", { cause })).json).toEqual({ status: "merchant_error" });
      const ended = await order(json.order_id);
      expect(ended).toMatchObject({
        error_code: cause,
        retryable: true,
        retry_action: "re_preview",
        merchant_id: null,
      });
      expect(ended.error_message).not.toBe("");
    },
  );

  it("is not explored by what no worker of this version would say", async () => {
    const url = "http://127.0.0.1:4";
    const { json } = await explore({ merchant_url: url });
    const { lease } = await worker.take();
    const spoilt = [
      { name: " " },
      { currency: "XXY" },
      { countryCode: "Britain" },
      { url: "file:///etc/passwd" },
      { products: [] },
      { products: Array.from({ length: 501 }, (_, at) => product(url, `S${at}`)) },
      { products: [{ ...product(url, "A"), productUrl: "javascript:alert(1)" }] },
      { products: [{ ...product(url, "A"), priceMinor: -1 }] },
      { products: [product("http://127.0.0.1:9", "A")] },
      { recipe: recipe(url, { cardFrameOrigins: ["https://pay.example/path"] }) },
      { recipe: recipe(url, { more: true }) },
      { more: true },
    ];
    for (const more of spoilt) {
      const exploration = found(url, more);
      expect((await worker.say(lease, "finish", { cause: "explored", exploration })).status, JSON.stringify(more)).toBe(
        400,
      );
    }
    await worker.say(lease, "finish", { cause: "not_a_shop" });
    expect((await order(json.order_id)).status).toBe("merchant_error");
  });
});

describe("asked again", () => {
  it("while it is under way is the same order, for the same account", async () => {
    const body = { merchant_url: "http://127.0.0.1:5/shop", goal: "tea" };
    const answers = await Promise.all(Array.from({ length: 10 }, () => explore(body)));
    expect(new Set(answers.map(({ json }) => json.order_id)).size).toBe(1);
    const json = answers[0]?.json;
    expect((await explore({ ...body, goal: " tea " })).json.order_id).toBe(json.order_id);
    const { lease, orderId } = await worker.take();
    expect(orderId).toBe(json.order_id);
    expect((await explore(body)).json).toMatchObject({ order_id: json.order_id, status: "pending" });
    const stranger = await room.stack.account();
    const other = (await explore(body, stranger.token)).json.order_id;
    expect(other).not.toBe(json.order_id);
    await worker.say((await worker.take()).lease, "finish", { cause: "not_a_shop" });
    await worker.say(lease, "finish", { cause: "not_a_shop" });
    const again = (await explore(body)).json.order_id;
    expect(again).not.toBe(json.order_id);
    await worker.say((await worker.take()).lease, "finish", { cause: "not_a_shop" });
    expect((await order(json.order_id)).status).toBe("merchant_error");
  });

  it("too much waits", async () => {
    const busy = await room.stack.account();
    const ask = (n: number) => explore({ merchant_url: `http://127.0.0.1:6/${n}` }, busy.token);
    const asked = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(async (n) => ({ n, ...(await ask(n)) })));
    const taken = asked.filter(({ status }) => status === 200);
    expect(taken).toHaveLength(3);
    for (const { status, json, headers } of asked.filter((answer) => !taken.includes(answer))) {
      expect([status, json.error]).toEqual([429, "rate_limited"]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await ask(taken[0]?.n ?? 0)).json.order_id).toBe(taken[0]?.json.order_id);
  });
});

describe("is refused", () => {
  it.each([
    [{ merchant_url: "ftp://shop.example" }, "invalid_request", "merchant_url"],
    [{ merchant_url: "shop.example" }, "invalid_request", "merchant_url"],
    [{ merchant_url: "https://me:secret@shop.example" }, "invalid_request", "merchant_url"],
    [{ merchant_url: "http://169.254.169.254/latest" }, "url_not_allowed", "merchant_url"],
    [{ merchant_url: "http://10.0.0.1/" }, "url_not_allowed", "merchant_url"],
    [{ merchant_url: "http://[fd00::1]/" }, "url_not_allowed", "merchant_url"],
    [{ merchant_url: "https://shop.example", goal: " " }, "invalid_request", "goal"],
    [{ merchant_url: "https://shop.example", goal: "x".repeat(2_001) }, "invalid_request", "goal"],
    [{ merchant_url: "https://shop.example", goal: "x", prefs: "x".repeat(2_001) }, "invalid_request", "prefs"],
    [{ merchant_url: "https://shop.example", goal: "x", currency: "EURO" }, "invalid_request", "currency"],
    [{ merchant_url: "https://shop.example", goal: 1 }, "invalid_request", "goal"],
  ])("%o", async (body, error, field) => {
    const { status, json } = await explore(body);
    expect([status, json.error, json.field]).toEqual([400, error, field]);
  });

  it("to nobody", async () => {
    const body = { merchant_url: "https://shop.example", goal: "x" };
    expect((await room.stack.rest(null, "POST", "/api/autofill/explore", body)).status).toBe(401);
  });
});

it("answers GraphQL as it answers REST", async () => {
  const query = `mutation($input: ExploreShopInput!) { exploreShop(input: $input) { __typename
    ... on ExploreShopSuccess { order { orderId status kind merchantUrl merchant { merchantId isOnboarded } } liveViewUrl }
    ... on InvalidRequestError { field code } } }`;
  const { json } = await room.stack.graphql(room.account.token, query, {
    input: { merchantUrl: unexplored.url, goal: "cake" },
  });
  const { exploreShop: result } = json.data;
  expect(result.order).toMatchObject({ status: "explored", kind: "explored", merchant: { isOnboarded: true } });
  const refused = await room.stack.graphql(room.account.token, query, { input: { merchantUrl: "x", goal: "cake" } });
  expect(refused.json.data.exploreShop).toMatchObject({ __typename: "InvalidRequestError", field: "merchantUrl" });
});
