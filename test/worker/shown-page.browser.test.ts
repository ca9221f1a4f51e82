/** What the live view states about the page, in a real browser: origin, certificate, operator and the challenge's frame. */
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { selfSigned } from "../../sandbox/app/self-signed.ts";
import type { Party } from "../../src/checkout/worker-protocol/live-messages.ts";
import { type PageMessage, watchShownPage } from "../../src/worker/live/shown-page.ts";
import { getSharedBrowser } from "../support/browser.ts";

const PARTIES: Readonly<Record<string, Party>> = {
  "https://store.example": "merchant",
  "https://acs.example": "issuer",
};
const partyOf = (url: string) => PARTIES[new URL(url).origin] ?? "unknown";
const STORE = {
  type: "page",
  origin: "https://store.example",
  party: "merchant",
  certificateHost: null,
  frame: null,
};

let browser: Browser;
let context: BrowserContext;
let page: Page;
let messages: PageMessage[];
beforeAll(async () => {
  browser = await getSharedBrowser();
});
beforeEach(async () => {
  // The test's certificate is self-signed.
  context = await browser.newContext({ ignoreHTTPSErrors: true });
  page = await context.newPage();
  messages = [];
});
afterEach(() => context.close());

const watch = () => watchShownPage(page, partyOf, (message) => messages.push(message));
const serveEverySite = () =>
  context.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: "<h1>A page</h1>" }));

it("states the subject of the page's certificate, and none without TLS", async () => {
  const server = createServer(selfSigned("store.example"), (_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<h1>Store</h1>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const shown = watch();
    expect(shown.current).toMatchObject({ origin: null, party: "unknown", certificateHost: null });
    await page.goto(origin);
    await expect.poll(() => shown.current).toMatchObject({ origin, certificateHost: "store.example" });
    await context.route("http://plain.example/", (route) => route.fulfill({ contentType: "text/html", body: "" }));
    await page.goto("http://plain.example/");
    expect(shown.current).toMatchObject({ origin: "http://plain.example", certificateHost: null });
    await page.goBack();
    await expect.poll(() => shown.current).toMatchObject({ origin, certificateHost: "store.example" });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

it("reports each change of origin and operator once", async () => {
  await serveEverySite();
  watch();
  await page.goto("https://store.example/cart");
  await page.goto("https://store.example/pay");
  await page.evaluate("history.pushState(null, '', '/paid')");
  await page.goto("https://store.example.attacker.example/");
  expect(messages).toEqual([STORE, { ...STORE, origin: "https://store.example.attacker.example", party: "unknown" }]);
});

it("states the origin of the challenge's frame, also when the frame navigates, until it is removed", async () => {
  await serveEverySite();
  const shown = watch();
  await page.goto("https://store.example/pay");
  await page.setContent('<iframe src="https://acs.example/challenge"></iframe>');
  await page.frameLocator("iframe").getByText("A page").waitFor();
  const frame = page.frames().find((one) => one.parentFrame() !== null) ?? null;
  expect(shown.current).toEqual(STORE);
  shown.setChallengeFrame(frame);
  expect(shown.current).toEqual({ ...STORE, frame: { origin: "https://acs.example", party: "issuer" } });
  await frame?.goto("https://attacker.example/code");
  expect(messages.at(-1)?.frame).toEqual({ origin: "https://attacker.example", party: "unknown" });
  await page.evaluate("document.querySelector('iframe').remove()");
  await expect.poll(() => messages.at(-1)).toEqual(STORE);
  shown.setChallengeFrame(page.mainFrame());
  expect(shown.current).toEqual(STORE);
});
