/** The card is entered only where the order permits it, and nothing is submitted after the page moved elsewhere. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DriveOptions, HOME, openWorkerFixture, type WorkerFixture } from "./checkout-fixture.ts";

const CARD = `<label>Card number <input name="number" autocomplete="cc-number"></label>
  <label>Expiry (MM/YY) <input name="exp" autocomplete="cc-exp"></label>
  <label>Security code <input name="cvc" autocomplete="cc-csc"></label>
  <script>addEventListener("input", ({ target }) => fetch("/typed?" + target.name))</script>`;
const TOTAL = "<p>Total £28.90</p>";
/** Holds the focus of the whole page, to which the browser sends keyboard input. */
const FOCUS_HOLDER = `<input name="any"><script>
  setInterval(() => document.querySelector("input").focus(), 1);
  oninput = () => fetch("/typed?any");
</script>`;
/** Reverts all input that no key event preceded, and accepts one character per key. */
const KEYS_ONLY = `<script>
  const before = new Map();
  addEventListener("keydown", ({ target, key }) => before.set(target, target.value + key), true);
  addEventListener("input", ({ target }) => { target.value = before.get(target) ?? ""; before.delete(target); }, true);
</script>`;
/** Moves a page to another site through its popup. */
const MOVE = "popup.postMessage('', '*')";
const createForm = (content: string) =>
  `<h1>Checkout</h1><form method="post" action="/pay">${TOTAL}${content}<button>Pay now</button></form>`;

const createFormless = (content: string) =>
  `<h1>Checkout</h1>${TOTAL}${content}<form id="f" method="post" action="/pay"></form>
  <button type="button" onclick="f.submit()">Pay now</button>`;
/** Adds a copy of the page's first frame, as an advertisement's script could. */
const ADD_FRAME = "document.body.append(document.querySelector('iframe').cloneNode())";

/** Sites of this machine on one port. The merchant's is `127.0.0.1`. */
interface Sites {
  originOf(name: string): string;
  createFrame(name: string, path?: string, size?: string): string;
  /** A page that shows its total when its popup has loaded. */
  createPageWithPopup(content: string): string;
  /** Names of the sites in which card fields received input, and of those that received a payment. */
  readonly typedAt: Set<string>;
  readonly paidAt: Set<string>;
}

let fixture: WorkerFixture;
const servers: Server[] = [];
beforeAll(async () => {
  fixture = await openWorkerFixture();
});
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

async function startSites(createCheckout: (sites: Sites) => string): Promise<Sites> {
  const [typedAt, paidAt] = [new Set<string>(), new Set<string>()];
  const server = createServer(({ url = "", headers, method }, response) => {
    const { hostname, pathname } = new URL(url, `http://${headers.host}`);
    const name = hostname === "127.0.0.1" ? "merchant" : hostname.replace(".localhost", "");
    if (pathname === "/typed") typedAt.add(name);
    if (pathname === "/postcode") typedAt.add(url);
    if (pathname === "/typed-at-tenant") typedAt.add("another customer of the processor");
    if (method === "POST") paidAt.add(name);
    const pages: Record<string, string> = {
      "/cart": `<h1>Basket</h1><a href="/checkout">Checkout</a>`,
      "/checkout": createCheckout(sites),
      "/hosted": `<h1>Secure payment</h1><form method="post" action="/hosted/pay">${TOTAL}${CARD}<button>Pay £28.90</button></form>`,
      "/hosted-dear": `<form method="post" action="/hosted/pay"><p>Total £30.00</p>${CARD}<button>Pay</button></form>`,
      "/hosted-silent": `<form method="post" action="/hosted/pay">${CARD}<button>Pay</button></form>`,
      "/hosted/pay": `<script>location = "${originOf("merchant")}/pay"</script>`,
      "/to-processor": `<script>onmessage = () => { opener.location = "${originOf("pay")}/hosted" }; opener.postMessage("", "*")</script>`,
      "/own-checkout": `${createForm(CARD)}${sites.createFrame("merchant", "/total")}`,
      "/total": TOTAL,
      "/pay": `<h1>Thank you for your order</h1><p>Order number: A-1001</p>${TOTAL}`,
      "/fields": CARD,
      "/keys-only": KEYS_ONLY + CARD,
      "/postcode-fields": `${CARD}<label>Postcode <input oninput="fetch('/postcode?' + encodeURIComponent(value)); event.stopPropagation()"></label>`,
      "/tenant": CARD.replace("/typed", "/typed-at-tenant"),
      "/navigating": `<script>location = "${originOf("pay")}/tenant"</script>`,
      "/focus-holder": FOCUS_HOLDER,
      "/nested": sites.createFrame("pay"),
      "/popup": `<script>onmessage = () => { opener.location = "/own-checkout" }; opener.postMessage("", "*")</script>`,
    };
    response.setHeader("content-type", "text/html; charset=utf-8").end(`<!doctype html><body>${pages[pathname] ?? ""}`);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const originOf = (name: string) => `http://${name === "merchant" ? "127.0.0.1" : `${name}.localhost`}:${port}`;
  const sites: Sites = {
    ...{ typedAt, paidAt, originOf },
    createFrame: (name, path = "/fields", size = "width:300px;height:250px") =>
      `<iframe src="${originOf(name)}${path}" style="border:0;${size}"></iframe>`,
    createPageWithPopup: (content) => `${content.replace(TOTAL, "<p id=total></p>")}<script>
      onmessage = () => {
        document.querySelector("#total").outerHTML = "${TOTAL}";
        document.querySelector(".focused")?.focus();
      };
      onload = () => { popup = open("${originOf("evil")}/popup"); };
    </script>`,
  };
  return sites;
}

interface Options extends Partial<DriveOptions> {
  /** Name of the site of the merchant's URL at present. */
  readonly movedTo?: string;
  /** Names of the sites whose frames are pinned. */
  readonly pinned?: readonly string[];
}

async function buy(
  createCheckout: (sites: Sites) => string,
  { pinned, movedTo = "merchant", ...options }: Options = {},
) {
  const sites = await startSites(createCheckout);
  const merchantUrl = sites.originOf("merchant");
  const { result, calls, steps } = await fixture.drive({
    ...{ store: merchantUrl, cartPath: "/cart", amountMinor: 2_890, currency: "GBP" },
    fulfillment: { type: "digital", title: "Sent by email", amountMinor: 0, pickupLocation: null },
    ...options,
    job: {
      merchant: { id: "mer_test", name: "A store", url: sites.originOf(movedTo), rail: "shopify" },
      cardEntry: { pageOrigins: [merchantUrl], frameOrigins: pinned?.map(sites.originOf) ?? null },
      processorOrigins: [sites.originOf("pay")],
    },
  });
  const [stop = ""] = steps.flatMap((step) => /^Stop: (.*)/.exec(step)?.[1] ?? []);
  return {
    ...{ cause: result.cause, calls, typedAt: [...sites.typedAt], paidAt: [...sites.paidAt] },
    reason: stop.replaceAll(/:\d+/g, ""),
  };
}

const PAID = {
  ...{ cause: "confirmed", calls: ["card", "submitting"], typedAt: ["pay"], paidAt: ["merchant"], reason: "" },
};
const SEVERAL = "Card number fields in several frames: http://pay.localhost, http://pay.localhost";
const NOTHING = { cause: "missing_field", calls: [], typedAt: [], paidAt: [] };

describe.concurrent("a purchase", () => {
  it("waits for card fields by time, not by number of reads", async () => {
    const createCheckout = () => `${createForm(`<p hidden>${CARD}</p>`)}<script>
      let readCount = 0;
      Object.defineProperty(document, "title", { get: () => {
        readCount += 1;
        document.querySelector("p[hidden]")?.toggleAttribute("hidden", readCount < 70);
        return "Checkout";
      } });
    </script>`;
    expect(await buy(createCheckout, { timing: { appearMs: 40_000 } })).toEqual({ ...PAID, typedAt: ["merchant"] });
  });

  it("succeeds with a known processor's frame in the paying form", async () => {
    expect(await buy(({ createFrame }) => createForm(createFrame("pay")))).toEqual(PAID);
  });

  it("enters the cardholder's postcode into the processor's frame", async () => {
    const purchase = await buy(({ createFrame }) => createForm(createFrame("pay", "/postcode-fields")), {
      card: { billingAddress: { ...HOME, postalCode: "LS1 4AP" } },
    });
    expect(purchase).toEqual({ ...PAID, typedAt: ["pay", "/postcode?LS1%204AP"] });
  });

  it("succeeds with a pinned frame and ignores all others", async () => {
    const purchase = await buy(({ createFrame }) => createFrame("ad") + createForm(createFrame("other")), {
      pinned: ["other"],
    });
    expect(purchase).toEqual({ ...PAID, typedAt: ["other"] });
  });

  it("ignores an advertisement that shows a page of the pinned processor outside the paying form", async () => {
    const createCheckout = ({ createFrame }: Sites) =>
      createFrame("ad", "/navigating") + createForm(createFrame("pay"));
    expect(await buy(createCheckout, { pinned: ["pay"] })).toEqual(PAID);
  });

  it("succeeds without a form with the page's only frame that requests a card number", async () => {
    const createCheckout = ({ createFrame }: Sites) => createFormless(createFrame("pay"));
    expect(await buy(createCheckout, { pinned: ["pay"] })).toEqual(PAID);
    expect(await buy(createCheckout)).toEqual(PAID);
  });

  it("types nothing when another such frame appears while the card is requested", async () => {
    const createCheckout = ({ createFrame }: Sites) => createFormless(createFrame("pay"));
    const onRelease = async (context: BrowserContext) => {
      const [page] = context.pages();
      await page?.evaluate(ADD_FRAME);
      await page?.frameLocator("iframe >> nth=1").getByLabel("Expiry").waitFor();
    };
    expect(await buy(createCheckout, { onRelease })).toEqual({ ...NOTHING, calls: ["card"], reason: SEVERAL });
  });

  it("submits nothing when another such frame appears while the card is typed", async () => {
    const createCheckout = ({ createFrame }: Sites) =>
      createFormless(`${createFrame("pay")}<input autocomplete="cc-name" oninput="${ADD_FRAME}">`);
    expect(await buy(createCheckout)).toEqual({ ...NOTHING, calls: ["card"], typedAt: ["pay"], reason: SEVERAL });
  });

  it.each([
    ["a known processor's frame", "/fields", undefined],
    ["a pinned frame", "/fields", ["pay"]],
    ["a frame that requires key events", "/keys-only", ["pay"]],
  ])("types into %s only, while another frame holds the focus", async (_what, path, pinned) => {
    const createCheckout = ({ createFrame }: Sites) =>
      createFrame("ad", "/focus-holder", "width:1px;height:1px") +
      createForm(`<label>Email <input autocomplete="email"></label>${createFrame("pay", path)}`);
    expect(await buy(createCheckout, pinned && { pinned })).toEqual(PAID);
  });

  it.each<[what: string, createCheckout: (sites: Sites) => string, reason: string, pinned?: readonly string[]]>([
    [
      "an advertisement before the processor's frame",
      ({ createFrame }) => createFrame("ad") + createForm(createFrame("pay")),
      "Card fields of several origins: http://ad.localhost, http://pay.localhost",
    ],
    [
      "a field in the page next to the processor's frame",
      ({ createFrame }) => createForm(CARD + createFrame("pay")),
      "Card fields of several origins: http://127.0.0.1, http://pay.localhost",
    ],
    [
      "the processor's frame outside the paying form",
      ({ createFrame }) => createFrame("pay") + createForm(""),
      "The card may not be entered at http://pay.localhost",
    ],
    [
      "an unknown processor's frame",
      ({ createFrame }) => createForm(createFrame("unknown")),
      "The card may not be entered at http://unknown.localhost",
    ],
    [
      "only other frames than the pinned one",
      ({ createFrame }) => createForm(createFrame("pay")),
      "The card may not be entered at http://pay.localhost",
      ["other"],
    ],
    [
      "the pinned frame outside the paying form",
      ({ createFrame }) => createFrame("pay") + createForm(""),
      "The card may not be entered at http://pay.localhost",
      ["pay"],
    ],
    [
      "two pinned frames in the paying form",
      ({ createFrame }) => createForm(createFrame("ad", "/navigating") + createFrame("pay")),
      SEVERAL,
      ["pay"],
    ],
    [
      "an advertisement that shows a page of the pinned processor, without a form",
      ({ createFrame }) => createFrame("ad", "/navigating") + createFormless(createFrame("pay")),
      SEVERAL,
      ["pay"],
    ],
    [
      "an advertisement that shows a page of a known processor, without a form",
      ({ createFrame }) => createFrame("ad", "/navigating") + createFormless(createFrame("pay")),
      SEVERAL,
    ],
    [
      "an advertisement next to the pinned frame, without a form",
      ({ createFrame }) => createFrame("ad") + createFormless(createFrame("pay")),
      "Card number fields in several frames: http://ad.localhost, http://pay.localhost",
      ["pay"],
    ],
    [
      "a pinned frame in an advertisement",
      ({ createFrame }) => createForm(createFrame("ad", "/nested")),
      "The card may not be entered at http://pay.localhost",
      ["pay"],
    ],
  ])("requests no card for %s", async (_what, createCheckout, reason, pinned) => {
    const options = { timing: { appearMs: 1_500 }, ...(pinned && { pinned }) };
    expect(await buy(createCheckout, options)).toEqual({ ...NOTHING, reason });
  });

  it("requests no card at an origin that became the merchant's after the order was placed", async () => {
    const createCheckout = ({ originOf }: Sites) => `<script>location = "${originOf("new")}/own-checkout"</script>`;
    const reason = "The checkout leads to another site: http://new.localhost";
    expect(await buy(createCheckout, { movedTo: "new" })).toEqual({ ...NOTHING, reason });
  });

  const continueTo = (url: string) => `<h1>Details</h1><a href="${url}">Continue to payment</a>`;

  it("succeeds on the page of a known processor to which the merchant leads", async () => {
    const createCheckout = ({ originOf }: Sites) => continueTo(`${originOf("pay")}/hosted`);
    expect(await buy(createCheckout)).toEqual({ ...PAID, paidAt: ["pay"] });
  });

  it.each<[what: string, site: string, path: string, expected: object, pinned?: readonly string[]]>([
    [
      "of an unknown site",
      "unknown",
      "/hosted",
      { reason: "The checkout leads to another site: http://unknown.localhost" },
    ],
    [
      "that the order does not permit",
      "pay",
      "/hosted",
      { reason: "The checkout leads to another site: http://pay.localhost" },
      [],
    ],
    [
      "with a higher total",
      "pay",
      "/hosted-dear",
      { cause: "price_changed", reason: "The total exceeds the approved amount" },
    ],
    ["without a total", "pay", "/hosted-silent", { reason: "No control for the next step found" }],
  ])("requests no card on a hosted payment page %s", async (_what, site, path, expected, pinned) => {
    const createCheckout = ({ originOf }: Sites) => continueTo(originOf(site) + path);
    const options = { timing: { appearMs: 1_500 }, ...(pinned && { pinned }) };
    expect(await buy(createCheckout, options)).toEqual({ ...NOTHING, ...expected });
  });

  it("requests no card on a processor's page to which a popup led", async () => {
    const createCheckout = ({ originOf }: Sites) =>
      `<h1>Checkout</h1><script>onmessage = () => popup.postMessage("", "*"); onload = () => { popup = open("${originOf("evil")}/to-processor"); };</script>`;
    const reason = "The checkout leads to another site: http://pay.localhost";
    expect(await buy(createCheckout)).toEqual({ ...NOTHING, reason });
  });

  it("requests no card after a popup moved the payment page", async () => {
    // The worker removes the focus before it reads the payment page for the last time.
    const createCheckout = ({ createFrame, createPageWithPopup }: Sites) =>
      createPageWithPopup(createForm(`<input class="focused" onblur="${MOVE}">${createFrame("pay")}`));
    const reason = "The checkout leads to another site: http://evil.localhost";
    expect(await buy(createCheckout)).toEqual({ ...NOTHING, reason });
  });

  it("submits nothing after a popup moved the page with the typed card", async () => {
    // The name is the last field that is filled in. It loses the focus afterwards.
    const createCheckout = ({ createFrame, createPageWithPopup }: Sites) =>
      createPageWithPopup(createForm(`${createFrame("pay")}<input autocomplete="cc-name" onblur="${MOVE}">`));
    const reason = "A page at http://127.0.0.1 was replaced by one at http://evil.localhost";
    expect(await buy(createCheckout)).toEqual({ ...NOTHING, calls: ["card"], typedAt: ["pay"], reason });
  });

  it("sends nothing when the page moves while the submission is recorded", async () => {
    const createCheckout = ({ createFrame, createPageWithPopup }: Sites) =>
      createPageWithPopup(createForm(createFrame("pay")));
    const onSubmitting = async (context: BrowserContext) => {
      // The page itself is about to navigate and does not respond.
      const [page, popup] = context.pages();
      await popup?.evaluate("postMessage('', '*')");
      await page?.waitForURL("**/own-checkout");
    };
    const reason = "A page at http://127.0.0.1 was replaced by one at http://evil.localhost";
    expect(await buy(createCheckout, { onSubmitting })).toEqual({
      ...{ ...NOTHING, calls: ["card", "submitting"], typedAt: ["pay"], reason },
    });
  });
});
