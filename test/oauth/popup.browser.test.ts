/** Popups in a real browser: the redirect URI is loaded, or only the page that opened the popup receives the response. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser as Chromium, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { getSharedBrowser } from "../support/browser.ts";
import {
  authorizeClient,
  type Browser,
  createAuthorizePath,
  createClient,
  exchangeCode,
  openSignedInBrowser,
  type TestClient,
} from "../support/oauth.ts";
import { type Stack, sharedStack } from "../support/stack.ts";

let stack: Stack;
let chromium: Chromium;
let app: Server;
let appUrl: string;
let user: Browser;
let client: TestClient;
let redirectUri: string;

beforeAll(async () => {
  stack = await sharedStack();
  const page = `<!doctype html><title>App</title><script>
    window.messages = [];
    addEventListener("message", ({ data, origin }) => window.messages.push({ data, origin }));
  </script>`;
  app = createServer((_request, response) => response.setHeader("content-type", "text/html").end(page));
  await new Promise<void>((resolve) => app.listen(0, "127.0.0.1", resolve));
  appUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}`;
  redirectUri = `${appUrl}/callback`;
  client = await createClient(stack, { redirectUris: [redirectUri] });
  user = await openSignedInBrowser(stack, (await stack.account()).accountId);
  // An active grant, so the consent page is skipped.
  await authorizeClient(user, client, { redirect_uri: redirectUri });
  chromium = await getSharedBrowser();
});
afterAll(() => app?.close());

/** Opens a page of `origin` in a browser with the user's session. */
async function openPage(origin: string): Promise<Page> {
  const context = await chromium.newContext();
  onTestFinished(() => context.close());
  const site = stack.service.deps.site.browserUrl();
  const [name = "", value = ""] = (user.cookie ?? "").split("=");
  await context.addCookies([{ name, value, url: site, httpOnly: true, sameSite: "Lax" }]);
  const page = await context.newPage();
  await page.goto(origin);
  return page;
}

const popupUrl = (state: string, more: Record<string, string> = { response_mode: "web_message" }) =>
  stack.service.deps.site.browserUrl() +
  createAuthorizePath(client.clientId, { redirect_uri: redirectUri, display: "popup", state, ...more });

async function openPopup(page: Page, url: string): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent("popup"), page.evaluate((to) => void window.open(to), url)]);
  if (!popup.isClosed()) await popup.waitForEvent("close");
  return popup;
}

type Received = { data: { type: string; response: Record<string, string> }; origin: string }[];
const readMessages = (page: Page) => page.evaluate(() => (window as unknown as { messages: Received }).messages);

describe("the authorization response", () => {
  it("is posted to the page that opened the popup, which then closes", async () => {
    const page = await openPage(appUrl);
    await openPopup(page, popupUrl("s & p+"));
    await page.waitForFunction(() => (window as unknown as { messages: Received }).messages.length > 0);
    const [message] = await readMessages(page);
    expect(message?.origin).toBe(stack.service.deps.site.browserUrl());
    expect(message?.data).toEqual({
      type: "authorization_response",
      response: { code: expect.any(String), state: "s & p+", iss: stack.baseUrl },
    });
    const code = message?.data.response["code"] ?? "";
    expect((await exchangeCode(stack, client, code, { redirect_uri: redirectUri })).status).toBe(200);
  });

  it("is not posted to a page of another origin", async () => {
    const page = await openPage(appUrl.replace("127.0.0.1", "localhost"));
    await openPopup(page, popupUrl("s"));
    expect(await readMessages(page)).toEqual([]);
  });

  it("is sent to the redirect URI in the popup unless the request opts in to messages", async () => {
    const page = await openPage(appUrl);
    const url = popupUrl("loaded", {});
    const [popup] = await Promise.all([page.waitForEvent("popup"), page.evaluate((to) => void window.open(to), url)]);
    await popup.waitForURL(`${redirectUri}?**`);
    expect(new URL(popup.url()).searchParams.get("state")).toBe("loaded");
    expect(await readMessages(page)).toEqual([]);
  });

  it("is sent to the redirect URI if there is no opener", async () => {
    const page = await openPage(appUrl);
    await page.goto(popupUrl("alone"));
    await page.waitForURL(`${redirectUri}?**`);
    const parameters = new URL(page.url()).searchParams;
    expect([parameters.get("state"), parameters.get("iss")]).toEqual(["alone", stack.baseUrl]);
    expect(await page.evaluate(() => document.referrer)).toBe("");
  });
});
