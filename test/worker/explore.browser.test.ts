/** Exploring shops with a real browser: the sandbox's two that have no API, and what stands in the way. */
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ExplorationJob } from "../../src/checkout/worker-protocol/job.ts";
import { launchBrowser, type WorkerBrowser } from "../../src/worker/browser.ts";
import { TIMING } from "../../src/worker/checkout/ending.ts";
import { driveExploration } from "../../src/worker/explore/drive-exploration.ts";
import type { WorkerSession } from "../../src/worker/session.ts";
import { openStores, type Stores } from "../sandbox/stores.ts";

let stores: Stores;
let browser: WorkerBrowser;
const servers: Server[] = [];

beforeAll(async () => {
  [stores, browser] = await Promise.all([openStores(), launchBrowser({ chromiumPath: null, allowLoopback: true })]);
});
afterEach(() => Promise.all(["quarry", "bindery"].map((shop) => stores.order(shop, null))));
afterAll(async () => {
  for (const server of servers) server.close();
  await browser?.close();
  await stores?.stop();
});

const refuse = () => Promise.reject(new Error("An exploration asked for what is of purchases."));

async function explore(
  merchantUrl: string,
  goal = "anything",
  { signal = new AbortController().signal, withinMs = 50_000 } = {},
) {
  const context = await browser.openContext();
  const steps: string[] = [];
  const posted: string[] = [];
  context.on("request", (request) => {
    if (request.method() !== "GET")
      posted.push(`${request.method()} ${new URL(request.url()).pathname} ${request.postData() ?? ""}`);
  });
  const job: ExplorationJob = {
    ...{
      lease: "wjb_test",
      leasedForMs: 30_000,
      timeoutMs: 180_000,
      orderId: "ord_test",
      recipe: null,
      merchant: null,
    },
    ...{ kind: "explored", request: { merchantUrl, goal, prefs: null, currency: null } },
  };
  const session: WorkerSession<ExplorationJob> = {
    ...{ job, context, signal, page: await context.newPage() },
    step: async (action, { outcome }) => void steps.push(`${action}: ${outcome}`),
    ...{
      releaseCard: refuse,
      submitting: refuse,
      personNeeded: refuse,
      securityCode: refuse,
      maskField: refuse,
      pauseStream: refuse,
    },
  };
  try {
    const result = await driveExploration(session, { timing: { ...TIMING, navigationMs: 6_000 }, withinMs });
    return { ...result, steps, posted };
  } finally {
    await context.close();
  }
}

/** A shop of a test's own. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a shop without an API", () => {
  it("is found out from its front page: several pages of checkout, tax on top", async () => {
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
    // One product into the basket, one begun checkout, and nothing about anybody.
    expect(posted).toEqual(["POST /basket/put id=760021&quantity=1", "POST /basket/checkout "]);
  });

  it("is found out from a product's page: one page of checkout, none of its fields marked, a counter to collect from", async () => {
    const url = stores.urlOf("bindery");
    const { cause, exploration, steps, posted } = await explore(
      `${url}/item/sewn-notebook?x=1#top`,
      "a ruled notebook",
    );
    expect([cause, steps]).toEqual(["explored", expect.anything()]);
    expect(exploration).toMatchObject({
      ...{ url, name: "The Bindery", currency: "GBP", countryCode: "GB", shipsTo: ["GB"] },
      ...{ supportsPickup: true, taxPolicy: "included", isWhole: true },
      recipe: { basketUrl: `${url}/basket`, checkoutOrigins: [url], fields: {}, controls: {} },
    });
    // The card's frame is pinned: it is of another origin than the shop.
    expect(exploration?.recipe.cardFrameOrigins).toEqual([expect.stringMatching(/^http:\/\/localhost:\d+$/)]);
    expect(exploration?.products.map(({ sku }) => sku).toSorted()).toEqual(["BF-16", "NB-PLAIN", "NB-RULED"]);
    expect(posted.filter((one) => one.includes("/put"))).toEqual([expect.stringContaining("quantity=1")]);
    expect(posted.some((one) => one.includes("/pay"))).toBe(false);
    expect((await stores.admin("/bindery/charges")).attempts).toEqual([]);
  });
});

it.each([
  ["captcha", "exploration_walled"],
  ["bot_wall", "exploration_walled"],
  ["no_guest_checkout", "exploration_walled"],
  ["server_error", "exploration_failed"],
])("a shop whose checkout meets it with %s ends as %s", async (fault, cause) => {
  await stores.order("quarry", fault);
  const { steps, ...ended } = await explore(stores.urlOf("quarry"));
  expect(ended, steps.join("\n")).toMatchObject({ cause });
  expect(ended).not.toHaveProperty("exploration");
});

it("a shop whose checkout never answers takes no longer than it may", async () => {
  await stores.order("quarry", "hangs");
  const { cause } = await explore(stores.urlOf("quarry"), "hammer", { withinMs: 15_000 });
  expect(cause).toMatch(/^(?:time_spent|exploration_failed)$/);
});

it("a shop that sells the last one meanwhile is explored by what else it has", async () => {
  await stores.order("quarry", "stock_out", { times: 1 });
  const { cause, exploration, posted } = await explore(stores.urlOf("quarry"), "hammer");
  expect(cause).toBe("explored");
  expect(exploration?.shipsTo).toEqual(["US"]);
  expect(posted.filter((one) => one.includes("/put"))).toHaveLength(2);
});

describe("what is no shop", () => {
  it("and answers nothing cannot be read", async () => {
    const url = await serve((request) => request.socket.destroy());
    expect(await explore(url)).toMatchObject({ cause: "exploration_failed" });
  });

  it("and is down cannot be read", async () => {
    const url = await serve((_request, response) => response.writeHead(503).end("Service Unavailable"));
    expect(await explore(`${url}/product/1`)).toMatchObject({ cause: "exploration_failed" });
  });

  it("and turns browsers away is walled", async () => {
    const page = "<title>Just a moment…</title><h1>Checking your browser</h1>";
    const url = await serve((_request, response) => response.writeHead(403, { "content-type": "text/html" }).end(page));
    expect(await explore(url)).toMatchObject({ cause: "exploration_walled" });
  });

  it("but a page of text has nothing to buy", async () => {
    const page = `<title>Notes</title><h1>Notes</h1><p>${"Words and more words. ".repeat(100)}</p><a href="/more">More</a>`;
    const url = await serve((_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(page));
    expect(await explore(url)).toMatchObject({ cause: "not_a_shop" });
  });

  it("and has private addresses behind it is not read", async () => {
    expect(await explore("http://10.1.2.3/")).toMatchObject({ cause: "exploration_failed" });
  });
});

it("stops with its signal", async () => {
  const stop = new AbortController();
  const url = await serve(() => stop.abort(new Error("stopped")));
  await expect(explore(url, "anything", { signal: stop.signal })).rejects.toThrow();
});
