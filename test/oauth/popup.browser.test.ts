/** A popup in a real browser: an application's page opens it, and the answer comes back to that page and no other. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser as Chromium, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sharedBrowser } from "../support/browser.ts";
import {
  authorizeByHand,
  authorizePath,
  type Browser,
  createClient,
  exchange,
  signedIn,
  type TestClient,
} from "../support/oauth.ts";
import { type Stack, sharedStack } from "../support/stack.ts";

let stack: Stack;
let chromium: Chromium;
let app: Server;
let appUrl: string;
let person: Browser;
let client: TestClient;
let redirectUri: string;

beforeAll(async () => {
  stack = await sharedStack();
  const page = `<!doctype html><title>App</title><script>
    window.answers = [];
    addEventListener("message", ({ data, origin }) => window.answers.push({ data, origin }));
  </script>`;
  app = createServer((_request, response) => response.setHeader("content-type", "text/html").end(page));
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  appUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  redirectUri = `${appUrl}/callback`;
  client = await createClient(stack, { redirectUris: [redirectUri] });
  person = await signedIn(stack, (await stack.account()).accountId);
  // Allowed before, so that no page asks.
  await authorizeByHand(person, client, { redirect_uri: redirectUri });
  chromium = await sharedBrowser();
});
afterAll(() => app?.close());

/** A page of `origin` in a browser in which the person is signed in. */
async function pageAt(origin: string): Promise<Page> {
  const context = await chromium.newContext();
  onTestFinished(() => context.close());
  const site = stack.service.deps.site.browserUrl();
  const [name = "", value = ""] = (person.cookie ?? "").split("=");
  await context.addCookies([{ name, value, url: site, httpOnly: true, sameSite: "Lax" }]);
  const page = await context.newPage();
  await page.goto(origin);
  return page;
}

const popupUrl = (state: string) =>
  stack.service.deps.site.browserUrl() +
  authorizePath(client.clientId, { redirect_uri: redirectUri, display: "popup", state });

async function openPopup(page: Page, url: string): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent("popup"), page.evaluate((to) => void window.open(to), url)]);
  if (!popup.isClosed()) await popup.waitForEvent("close");
  return popup;
}

type Received = { data: { type: string; response: Record<string, string> }; origin: string }[];
const answersOf = (page: Page) => page.evaluate(() => (window as unknown as { answers: Received }).answers);

describe("the answer", () => {
  it("is posted to the page that opened the window, which closes", async () => {
    const page = await pageAt(appUrl);
    await openPopup(page, popupUrl("s & p+"));
    await page.waitForFunction(() => (window as unknown as { answers: Received }).answers.length > 0);
    const [answer] = await answersOf(page);
    expect(answer?.origin).toBe(stack.service.deps.site.browserUrl());
    expect(answer?.data).toEqual({
      type: "authorization_response",
      response: { code: expect.any(String), state: "s & p+", iss: stack.baseUrl },
    });
    const code = answer?.data.response["code"] ?? "";
    expect((await exchange(stack, client, code, { redirect_uri: redirectUri })).status).toBe(200);
  });

  it("reaches no page of another origin", async () => {
    const page = await pageAt(appUrl.replace("127.0.0.1", "localhost"));
    await openPopup(page, popupUrl("s"));
    expect(await answersOf(page)).toEqual([]);
  });

  it("goes to the redirect URI where no window waits for it", async () => {
    const page = await pageAt(appUrl);
    await page.goto(popupUrl("alone"));
    await page.waitForURL(`${redirectUri}?**`);
    const answer = new URL(page.url()).searchParams;
    expect([answer.get("state"), answer.get("iss")]).toEqual(["alone", stack.baseUrl]);
    expect(await page.evaluate(() => document.referrer)).toBe("");
  });
});
