/** Hostile pages during an exploration: no other site becomes part of a merchant's recipe. */
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchTexts } from "../../src/worker/explore/fetch-texts.ts";
import { type ExploreFixture, openExploreFixture } from "./explore-fixture.ts";

/** A merchant's site, and other sites of this machine on the same port. */
interface Sites {
  readonly merchantUrl: string;
  originOf(name: string): string;
}
type Page = string | ((response: ServerResponse) => void);

const PRODUCT = {
  ...{ "@context": "https://schema.org", "@type": "Product", name: "Enamel pot", sku: "POT-1" },
  offers: { "@type": "Offer", price: "19.90", priceCurrency: "GBP", availability: "https://schema.org/InStock" },
};
const CARD = `<label>Card number <input autocomplete="cc-number"></label><label>Expiry <input autocomplete="cc-exp"></label>
  <label>Security code <input autocomplete="cc-csc"></label>`;
const createForm = (content: string) =>
  `<h1>Checkout</h1><form method="post" action="/pay"><label>Email <input autocomplete="email"></label>
    <p>Total £19.90</p>${content}<button>Pay now</button></form>`;
const PRODUCT_PAGE = `<title>Enamel pot – Pots</title><h1>Enamel pot</h1>
  <script type="application/ld+json">${JSON.stringify(PRODUCT)}</script>
  <form action="/cart"><button>Add to cart</button></form>`;
const MERCHANT_PAGES: Readonly<Record<string, Page>> = {
  "/": `<title>Pots</title><h1>Pots</h1><a href="/item/pot">Enamel pot</a>`,
  "/item/pot": PRODUCT_PAGE,
  "/cart": `<h1>Cart</h1><p>Enamel pot £19.90</p><a href="/checkout">Checkout</a>`,
  "/checkout": createForm(""),
};
/** Moves its opener to a checkout of its own as soon as the merchant's opens. */
const POPUP = `<script>new EventSource("/checkout-requested").onmessage = () => { opener.location = "/own-checkout" }</script>`;

let fixture: ExploreFixture;
beforeAll(async () => {
  fixture = await openExploreFixture();
});
afterAll(() => fixture?.close());

/** Starts sites. @param createPages pages by `name /path`; those of `merchant` replace its regular pages */
async function startSites(createPages: (sites: Sites) => Readonly<Record<string, Page>>): Promise<Sites> {
  const waiting: ServerResponse[] = [];
  let pages: Readonly<Record<string, Page>> = {};
  const merchantUrl = await fixture.startSite(({ url = "", headers }, response) => {
    const { hostname, pathname } = new URL(url, `http://${headers.host}`);
    const name = hostname === "127.0.0.1" ? "merchant" : hostname.replace(".localhost", "");
    if (pathname === "/checkout-requested") {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      return void waiting.push(response);
    }
    if (name === "merchant" && pathname === "/checkout") for (const one of waiting) one.write("data: now\n\n");
    const page = pages[`${name} ${pathname}`] ?? (name === "merchant" ? MERCHANT_PAGES[pathname] : undefined);
    response.statusCode = page === undefined ? 404 : 200;
    response.setHeader("content-type", "text/html; charset=utf-8");
    if (typeof page === "function") page(response);
    else response.end(`<!doctype html><body>${page ?? ""}`);
  });
  const sites = { merchantUrl, originOf: (name: string) => merchantUrl.replace("127.0.0.1", `${name}.localhost`) };
  pages = createPages(sites);
  return sites;
}

async function exploreRecipe(url: string) {
  const { cause, exploration, steps } = await fixture.explore(url, "an enamel pot");
  expect([cause, steps]).toEqual(["explored", expect.anything()]);
  return { url: exploration?.url, ...exploration?.recipe };
}

const redirect = (response: ServerResponse, url: string) => void response.writeHead(302, { location: url }).end();
/** A checkout that the merchant's server redirects to another origin. */
const createHostedCheckout = ({ originOf }: Sites): Record<string, Page> => ({
  "merchant /checkout": (response) => redirect(response, `${originOf("hosted")}/pay`),
  "hosted /pay": createForm(CARD),
});

describe.concurrent("a recipe", () => {
  it("contains a checkout on another origin to which the merchant leads", async () => {
    const { merchantUrl, originOf } = await startSites(createHostedCheckout);
    expect(await exploreRecipe(merchantUrl)).toMatchObject({
      ...{ url: merchantUrl, checkoutOrigins: [merchantUrl, originOf("hosted")], cardFrameOrigins: [] },
    });
  });

  it("contains no checkout of a page that leads to a merchant and moves it through a popup", async () => {
    const sites = await startSites(({ merchantUrl }) => ({
      "evil /": `<script>open("/popup"); location = "${merchantUrl}/"</script>`,
      "evil /popup": POPUP,
      "evil /own-checkout": createForm(CARD),
    }));
    expect(await exploreRecipe(`${sites.originOf("evil")}/`)).toMatchObject({
      ...{ url: sites.merchantUrl, checkoutOrigins: [sites.merchantUrl], cardFrameOrigins: null },
    });
  });

  it("contains no checkout to which a popup of the merchant's page leads", async () => {
    const { merchantUrl } = await startSites(({ originOf }) => ({
      "merchant /item/pot": `${PRODUCT_PAGE}<script>open("${originOf("evil")}/popup")</script>`,
      "evil /popup": POPUP,
      "evil /own-checkout": createForm(CARD),
    }));
    expect(await exploreRecipe(merchantUrl)).toMatchObject({
      ...{ url: merchantUrl, checkoutOrigins: [merchantUrl], cardFrameOrigins: null },
    });
  });

  it("contains no checkout on another origin once any page opened a popup", async () => {
    const { merchantUrl } = await startSites((sites) => ({
      ...createHostedCheckout(sites),
      "merchant /": `${MERCHANT_PAGES["/"]}<script>open("about:blank")</script>`,
    }));
    expect(await exploreRecipe(merchantUrl)).toMatchObject({ url: merchantUrl, checkoutOrigins: [merchantUrl] });
  });

  it("contains no other checkout after a page that leads to the merchant only at its second visit", async () => {
    let visitCount = 0;
    const { merchantUrl, originOf } = await startSites((sites) => ({
      ...createHostedCheckout(sites),
      "evil /": (response) => {
        visitCount += 1;
        response.end(visitCount === 1 ? "<p>Welcome" : `<script>location = "${sites.merchantUrl}/"</script>`);
      },
    }));
    const recipe = await exploreRecipe(`${originOf("evil")}/`);
    expect(recipe).toMatchObject({ url: merchantUrl, checkoutOrigins: [merchantUrl] });
    expect(visitCount).toBe(2);
  });

  it.each<[what: string, createCheckout: (sites: Sites) => string, frameOrigins: (sites: Sites) => string[] | null]>([
    [
      "a frame in the paying form",
      (sites) => createForm(createFrame(sites, "pay")),
      ({ originOf }) => [originOf("pay")],
    ],
    ["a frame outside the paying form", (sites) => createForm("") + createFrame(sites, "pay"), () => null],
    ["two origins", (sites) => createForm(createFrame(sites, "ad") + createFrame(sites, "pay")), () => null],
    ["the merchant's page and no frame", () => createForm(CARD), () => []],
    [
      "the merchant's page next to a frame",
      (sites) => createForm(CARD) + createFrame(sites, "ad").replace("/fields", "/"),
      () => null,
    ],
  ])("states the origins of card fields in %s", async (_what, createCheckout, frameOrigins) => {
    const sites = await startSites((open) => ({
      "merchant /checkout": createCheckout(open),
      "pay /fields": CARD,
      "ad /fields": CARD,
      "ad /": "<p>Buy more",
    }));
    expect((await exploreRecipe(sites.merchantUrl)).cardFrameOrigins).toEqual(frameOrigins(sites));
  });
});

it("fails at a page that leads to the merchant at its second visit and opens a popup", async () => {
  let visitCount = 0;
  const { originOf } = await startSites(({ merchantUrl }) => ({
    "evil /": (response) => {
      visitCount += 1;
      response.end(visitCount === 1 ? "<p>Welcome" : `<script>open("/popup"); location = "${merchantUrl}/"</script>`);
    },
    "evil /popup": POPUP,
  }));
  expect((await fixture.explore(`${originOf("evil")}/`)).cause).toBe("exploration_failed");
  expect(visitCount).toBe(2);
});

it("reads no texts from a page of another origin", async () => {
  const { merchantUrl, originOf } = await startSites(({ merchantUrl: url }) => ({
    "evil /": `<script>fetch = async (address) => ({
      url: address === "${url}/" ? address : location.href,
      ...{ status: 200, headers: new Headers({ "content-type": "text/html" }), text: async () => "Invented" },
    })</script>`,
  }));
  const context = await fixture.browser.openContext();
  try {
    const page = await context.newPage();
    await page.goto(`${originOf("evil")}/`);
    expect(await fetchTexts(page, [`${merchantUrl}/`, `${merchantUrl}/cart`], merchantUrl)).toEqual([null, null]);
    await page.goto(`${merchantUrl}/`);
    expect(await fetchTexts(page, [`${merchantUrl}/`], merchantUrl)).toMatchObject([{ status: 200 }]);
  } finally {
    await context.close();
  }
});

const createFrame = ({ originOf }: Sites, name: string) =>
  `<iframe src="${originOf(name)}/fields" style="border:0;width:400px;height:120px"></iframe>`;

it("fails at a page that leads to another site at every second visit", async () => {
  const alternate = (other: string): Page => {
    let visitCount = 0;
    return (response) => {
      visitCount += 1;
      if (visitCount % 2 === 0) redirect(response, other);
      else response.end(PRODUCT_PAGE);
    };
  };
  const { originOf } = await startSites((sites) => ({
    "a /": alternate(`${sites.originOf("b")}/`),
    "b /": alternate(`${sites.originOf("a")}/`),
  }));
  expect((await fixture.explore(`${originOf("a")}/`)).cause).toBe("exploration_failed");
});
