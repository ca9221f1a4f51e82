/** Exploration with a real browser: the two sandbox stores without an API, and sites that block or fail. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SharedStores, sharedStores } from "../sandbox/stores.ts";
import { type Carts, followCarts } from "./carts.ts";
import { type Explored, type ExploreFixture, type ExploreOptions, openExploreFixture } from "./explore-fixture.ts";

let stores: SharedStores;
let fixture: ExploreFixture;

beforeAll(async () => {
  [stores, fixture] = await Promise.all([sharedStores(), openExploreFixture()]);
});
afterAll(() => fixture?.close());

interface Options extends ExploreOptions {
  /** The sandbox store; Quarry Tools by default. */
  readonly store?: string;
  /** Faults of its checkout, for the carts of this exploration. */
  readonly faults?: readonly string[];
  /** Number of carts that get the faults; all by default. */
  readonly faultyCarts?: number;
}

async function explore(
  merchantUrl: string,
  goal?: string,
  options: Options = {},
): Promise<Explored & { payments: readonly string[] }> {
  const { store = "quarry", faults = [], faultyCarts } = options;
  let carts: Carts | null = null;
  const explored = await fixture.explore(merchantUrl, goal, {
    ...options,
    async onContext(context) {
      carts = await followCarts(context, stores, store, faults, faultyCarts);
    },
  });
  return { ...explored, payments: (await (carts as Carts | null)?.readRecords())?.outcomes ?? [] };
}

describe.concurrent("a merchant without an API", () => {
  it("is explored from its front page, with a multi-page checkout and tax added", async () => {
    const url = stores.urlOf("quarry");
    const { cause, exploration, steps, posted } = await explore(url, "a cold chisel, half an inch");
    expect([cause, steps]).toEqual(["explored", expect.anything()]);
    expect(exploration).toMatchObject({
      ...{ url, name: "Quarry Tools", currency: "USD", countryCode: "US", shipsTo: ["US"] },
      ...{ supportsPickup: false, taxPolicy: "added", isWhole: true },
      recipe: { basketUrl: `${url}/basket`, checkoutOrigins: [url], cardFrameOrigins: null },
    });
    expect(exploration?.products.toSorted((one, other) => one.sku.localeCompare(other.sku))).toEqual([
      expect.objectContaining({ sku: "CHI-12", variantTitle: "1/2 in", priceMinor: 1_650, available: true }),
      expect.objectContaining({ sku: "CHI-34", variantTitle: "3/4 in", priceMinor: 1_950, available: false }),
      expect.objectContaining({ sku: "HAM-2", title: "Stone hammer", variantTitle: null, priceMinor: 4_200 }),
    ]);
    for (const { productUrl } of exploration?.products ?? []) expect(productUrl).toMatch(`${url}/item/`);
    // One product in the cart, one started checkout, and no personal data.
    expect(posted).toEqual(["POST /basket/put id=760021&quantity=1", "POST /basket/checkout "]);
  });

  it("is explored from a product page, with a one-page checkout, unmarked fields and collection", async () => {
    const url = stores.urlOf("bindery");
    const { cause, exploration, steps, posted, payments } = await explore(
      `${url}/item/sewn-notebook?x=1#top`,
      "a ruled notebook",
      { store: "bindery" },
    );
    expect([cause, steps]).toEqual(["explored", expect.anything()]);
    expect(exploration).toMatchObject({
      ...{ url, name: "The Bindery", currency: "GBP", countryCode: "GB", shipsTo: ["GB"] },
      ...{ supportsPickup: true, taxPolicy: "included", isWhole: true },
      recipe: { basketUrl: `${url}/basket`, checkoutOrigins: [url], fields: {}, controls: {} },
    });
    // The card frame is pinned, because its origin differs from the merchant's.
    expect(exploration?.recipe.cardFrameOrigins).toEqual([expect.stringMatching(/^http:\/\/localhost:\d+$/)]);
    expect(exploration?.products.map(({ sku }) => sku).toSorted()).toEqual(["BF-16", "NB-PLAIN", "NB-RULED"]);
    expect(posted.filter((one) => one.includes("/put"))).toEqual([expect.stringContaining("quantity=1")]);
    expect(posted.some((one) => one.includes("/pay"))).toBe(false);
    expect(payments).toEqual([]);
  });
});

it.concurrent.each([
  ["captcha", "exploration_walled"],
  ["bot_wall", "exploration_walled"],
  ["no_guest_checkout", "exploration_walled"],
  ["server_error", "exploration_failed"],
])("a checkout with %s ends as %s", async (fault, cause) => {
  const { steps, ...ended } = await explore(stores.urlOf("quarry"), "anything", { faults: [fault] });
  expect(ended, steps.join("\n")).toMatchObject({ cause });
  expect(ended).not.toHaveProperty("exploration");
});

it.concurrent("a checkout that never responds ends within the time limit", async () => {
  const limits = { navigationMs: 2_000, withinMs: 5_000 };
  const { cause } = await explore(stores.urlOf("quarry"), "hammer", { ...limits, faults: ["hangs"] });
  expect(cause).toMatch(/^(?:time_spent|exploration_failed)$/);
});

it.concurrent("a product that sells out during exploration is replaced by another", async () => {
  const once = { faults: ["stock_out"], faultyCarts: 1 };
  const { cause, exploration, posted } = await explore(stores.urlOf("quarry"), "hammer", once);
  expect(cause).toBe("explored");
  expect(exploration?.shipsTo).toEqual(["US"]);
  expect(posted.filter((one) => one.includes("/put"))).toHaveLength(2);
});

describe("a site without a store", () => {
  it("fails when it does not respond", async () => {
    const url = await fixture.startSite((request) => request.socket.destroy());
    expect(await explore(url)).toMatchObject({ cause: "exploration_failed" });
  });

  it("fails when it returns 503", async () => {
    const url = await fixture.startSite((_request, response) => response.writeHead(503).end("Service Unavailable"));
    expect(await explore(`${url}/product/1`)).toMatchObject({ cause: "exploration_failed" });
  });

  it("is reported as blocked when it rejects browsers", async () => {
    const page = "<title>Just a moment…</title><h1>Checking your browser</h1>";
    const url = await fixture.startSite((_request, response) =>
      response.writeHead(403, { "content-type": "text/html" }).end(page),
    );
    expect(await explore(url)).toMatchObject({ cause: "exploration_walled" });
  });

  it("is reported as no store when it is a page of text", async () => {
    const page = `<title>Notes</title><h1>Notes</h1><p>${"Words and more words. ".repeat(100)}</p><a href="/more">More</a>`;
    const url = await fixture.startSite((_request, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end(page),
    );
    expect(await explore(url)).toMatchObject({ cause: "not_a_shop" });
  });

  it("fails at a private address", async () => {
    expect(await explore("http://10.1.2.3/")).toMatchObject({ cause: "exploration_failed" });
  });
});

it("stops when its signal is aborted", async () => {
  const stop = new AbortController();
  const url = await fixture.startSite(() => stop.abort(new Error("stopped")));
  await expect(explore(url, "anything", { signal: stop.signal, navigationMs: 2_000 })).rejects.toThrow();
});
