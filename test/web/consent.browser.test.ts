/** Life of an OAuth application in a real browser: registration, review, consent, limits and disconnection. */
import { randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as oauth from "oauth4webapi";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import {
  createAuthorizePath,
  createChallengeParameters,
  createClient,
  createPkce,
  decideAuthorization,
  openSignedInBrowser,
  readRequestId,
} from "../support/oauth.ts";
import { checkPage, openPages, type Pages, type PageUser } from "../support/pages.ts";
import { ADMIN_EMAIL } from "../support/stack.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

const insecure = { [oauth.allowInsecureRequests]: true };

let pages: Pages;
let administratorId: string;
let site: Server;
/** Origin of the application's site. */
let siteUrl: string;

beforeAll(async () => {
  site = createServer((_request, response) => {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>The app</title><p>The app</p>");
  });
  site.listen(0, "127.0.0.1");
  pages = await openPages();
  administratorId = (await pages.stack.account()).accountId;
  const { prisma } = pages.stack.service.deps.db;
  await prisma.account.update({ where: { id: administratorId }, data: { email: ADMIN_EMAIL } });
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}, 120_000);
beforeEach(async () => {
  // Clears the review queue, which may contain apps of other tests.
  const status = "pending_approval";
  await pages.stack.service.deps.db.prisma.oAuthClient.updateMany({ where: { status }, data: { status: "rejected" } });
});
afterAll(async () => {
  await pages?.stop();
  site?.close();
});

const signedInUser = async () => openSignedInPage(pages, (await pages.stack.account()).accountId);

async function register(developer: PageUser, appName: string, redirectUri: string) {
  const { page } = developer;
  await page.goto("/dashboard/developer");
  await page.getByRole("link", { name: "Register app" }).click();
  await page.getByLabel("Full name").fill("Ada Lovelace");
  await page.getByRole("button", { name: "Continue" }).click();
  await expect.poll(() => page.getByText("Choose a country.").isVisible()).toBe(true);
  const focused = () => page.evaluate("document.activeElement.labels?.[0]?.textContent");
  await expect.poll(() => focused()).toBe("Phone");
  await page.getByLabel("Phone").fill("+351 210 000 000");
  await page.getByLabel("Country").selectOption("PT");
  await page.getByLabel("Postal address").fill("Rua Augusta 1\nLisboa");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByLabel("App name").fill(appName);
  await page.getByLabel("Support email").fill("help@app.example");
  await page.goBack();
  await expect.poll(() => page.getByLabel("Full name").inputValue()).toBe("Ada Lovelace");
  await page.goForward();
  await expect.poll(() => page.getByLabel("App name").inputValue()).toBe(appName);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  await expect.poll(focused).toContain("Server");
  await page.getByText("Server").click();
  await page.getByLabel("Redirect URI 1").fill("http://app.example/callback");
  await page.getByLabel("I accept the terms").check();
  await page.getByRole("button", { name: "Continue" }).click();
  await checkPage(developer, "register-review");
  // Validation errors of the service are shown at their field.
  await page.getByRole("button", { name: "Register app" }).click();
  await page.getByText(/^It must begin with https:/).waitFor();
  await expect.poll(focused).toBe("Redirect URI 1");
  await page.getByLabel("Redirect URI 1").fill(redirectUri);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Register app" }).click();
  await page.getByRole("heading", { name: "App registered" }).waitFor();
  const secret = (await page.locator("code").textContent()) ?? "";
  await checkPage(developer, "registered");
  await page.getByRole("link", { name: "Continue" }).click();
  await page.getByText("Users cannot grant access to the app").waitFor();
  await expect.poll(() => page.locator("main").textContent()).not.toContain(secret);
  return { clientId: page.url().split("/").at(-1) ?? "", secret };
}

it("lets an app pay within the limits set by the user, until it is disconnected", async () => {
  const administrator = await openSignedInPage(pages, administratorId);
  const developer = await signedInUser();
  const person = await pages.openUser();
  const redirectUri = `${siteUrl}/callback`;
  const { clientId, secret } = await register(developer, "Ledger & <Sons>", redirectUri);
  await checkPage(developer, "client-pending");

  await administrator.page.goto("/dashboard/admin");
  await administrator.page.getByRole("button", { name: "Review Ledger & <Sons>" }).click();
  await checkPage(administrator, "review-dialog");
  await administrator.page.getByRole("button", { name: "Approve" }).click();
  await administrator.page.getByText("No apps to review.").waitFor();
  await developer.page.goto("/dashboard/admin");
  await developer.page.getByText("Page not found").waitFor();

  const { stack } = pages;
  const issuer = new URL(stack.baseUrl);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { ...insecure, algorithm: "oauth2" }),
  );
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const { page } = person;
  const email = `${randomUUID().slice(0, 8)}@people.example`;
  const challenge = await oauth.calculatePKCECodeChallenge(verifier);
  const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
  const authorizationParameters = { redirect_uri: redirectUri, state, login_hint: email, ...pkce };
  await page.goto(createAuthorizePath(clientId, authorizationParameters));
  await page.getByRole("heading", { name: "Ledger & <Sons> requests payment access" }).waitFor();
  await expect.poll(() => page.getByLabel("Email address").inputValue()).toBe(email);
  await checkPage(person, "consent-sign-in");
  await page.getByLabel("Email address").press("Enter");
  const code = page.getByLabel("Code");
  await code.waitFor();
  await code.fill(await pages.waitForCode(email));
  await code.press("Enter");

  await page.getByRole("button", { name: "Enable payments" }).click();
  await page.getByText("X402 payments are disabled").waitFor({ state: "detached" });
  await expect.poll(() => page.getByLabel("Per payment").inputValue()).toBe("");
  await page.getByRole("button", { name: "Allow" }).click();
  await expect.poll(() => page.getByText("Enter a limit.").count()).toBe(3);
  await page.getByLabel("Per payment").fill("0.015");
  await page.getByLabel("Per day").fill("0.02");
  await page.getByLabel("Per month").fill("1");
  await page.getByLabel("base-sepolia").check();
  await page.getByText("Same for card orders in USD").waitFor();
  await checkPage(person, "consent");
  // Viewport of a phone with visible browser bars.
  await page.setViewportSize({ width: 390, height: 664 });
  const overflowPx = await page.evaluate("document.documentElement.scrollHeight - innerHeight");
  expect(overflowPx, "the decision needs scrolling on a phone").toBe(0);
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${redirectUri}?**`);

  const client = { client_id: clientId };
  const parameters = oauth.validateAuthResponse(server, client, new URL(page.url()), state);
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.ClientSecretPost(secret),
      parameters,
      redirectUri,
      verifier,
      insecure,
    ),
  );
  const fetchPath = `/api/x402/fetch?url=${encodeURIComponent(`${stack.sandbox?.shopUrl}/v1/weather`)}`;
  const pay = () => stack.rest(null, "POST", fetchPath, undefined, { authorization: `Bearer ${tokens.access_token}` });
  expect([(await pay()).status, (await pay()).status]).toEqual([200, 200]);
  expect(await pay()).toMatchObject({ status: 402, json: { error: "spending_limit_exceeded" } });

  await page.goto("/dashboard/apps");
  const app = page.getByRole("listitem", { name: "Ledger & <Sons>" });
  await expect.poll(() => app.textContent()).toMatch(/up to 0\.02 USD0\.0[12] USD spent/);
  await checkPage(person, "apps");
  await app.getByRole("button", { name: "Change limits" }).click();
  await page.getByLabel("Daily limit").fill("0.03");
  // 0.015 and 0.02 US dollars, rounded down.
  await expect.poll(() => page.getByLabel("Card limit per order").inputValue()).toBe("0.01");
  await page.getByLabel("Currency").selectOption("JPY");
  await page.getByLabel("Daily card limit").fill("12.5");
  await page.getByRole("button", { name: "Save limits" }).click();
  await page.getByText("Enter an amount such as 25 or 12.50.").first().waitFor();
  await page.getByLabel("Card limit per order").fill("800");
  await page.getByLabel("Daily card limit").fill("900");
  await page.getByLabel("Monthly card limit").fill("");
  await checkPage(person, "apps-limits");
  await page.getByRole("button", { name: "Save limits" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await expect.poll(() => app.textContent()).toContain("Orders by card: up to 800 JPY each, 0 JPY of 900 JPY today");
  expect((await pay()).status).toBe(200);
  await app.getByRole("button", { name: "Disconnect" }).click();
  await checkPage(person, "apps-disconnect");
  await page.getByRole("alertdialog").getByRole("button", { name: "Disconnect" }).click();
  await app.getByText("Disconnected", { exact: true }).waitFor();
  expect((await pay()).status).toBe(401);
}, 120_000);

it("posts the authorization response to the opener window", async () => {
  const owner = await pages.stack.account();
  const { clientId } = await createClient(pages.stack, {
    accountId: owner.accountId,
    redirectUris: [`${siteUrl}/callback`],
  });
  const person = await signedInUser();
  const { page } = person;
  const path = createAuthorizePath(clientId, {
    redirect_uri: `${siteUrl}/callback`,
    display: "popup",
    response_mode: "web_message",
    state: "of-the-popup",
  });
  await page.goto(`${siteUrl}/`);
  const [popup] = await Promise.all([
    page.context().waitForEvent("page"),
    page.evaluate(
      `window.message = new Promise((resolve) => addEventListener("message", ({ data, origin }) => resolve({ data, origin })));
       window.open(${JSON.stringify(pages.origin + path)}, "", "width=420,height=640"), undefined`,
    ),
  ]);
  await popup.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => popup.getByLabel("Per month").inputValue()).toBe("100.00");
  const isClosed = popup.waitForEvent("close");
  await popup.getByRole("button", { name: "Allow" }).click();
  const message = (await page.evaluate("window.message")) as { data: object; origin: string };
  expect(message.origin).toBe(pages.origin);
  expect(message.data).toMatchObject({ response: { code: expect.any(String), state: "of-the-popup" } });
  await isClosed;
});

it("shows the hosts of an app that registered itself above its name, and requires a confirmation of each request", async () => {
  const app = pages.stack.sandbox?.app.url ?? "";
  const person = await signedInUser();
  const { page } = person;
  const redirectUri = `${siteUrl}/callback`;
  const path = createAuthorizePath(`${app}/client.json`, {
    redirect_uri: redirectUri,
    scope: "balance:read",
    ...createChallengeParameters(createPkce()),
  });
  await page.goto(path);
  await page.getByRole("heading", { name: "Sandbox app requests access" }).waitFor();
  const text = ((await page.locator("main").textContent()) ?? "").replace(/\s+/g, " ");
  expect(text.indexOf(new URL(app).host)).toBeGreaterThanOrEqual(0);
  expect(text.indexOf(new URL(app).host)).toBeLessThan(text.indexOf("Sandbox app"));
  expect(text.indexOf(`redirects to ${new URL(siteUrl).host}`)).toBeLessThan(text.indexOf("Sandbox app"));
  await checkPage(person, "consent-unverified");
  await page.getByRole("button", { name: "Allow" }).click();
  await page.waitForURL(`${redirectUri}?code=**`);

  await page.goto(path);
  await page.getByRole("heading", { name: "Sandbox app requests access again" }).waitFor();
  await checkPage(person, "consent-confirmation");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(`${redirectUri}?code=**`);
});

it("returns access_denied to the app after a denial, and shows that a request has ended", async () => {
  const owner = await pages.stack.account();
  const { clientId } = await createClient(pages.stack, {
    accountId: owner.accountId,
    redirectUris: [`${siteUrl}/callback`],
  });
  const person = await signedInUser();
  const { page } = person;
  await page.goto(createAuthorizePath(clientId, { redirect_uri: `${siteUrl}/callback`, scope: "balance:read" }));
  await page.getByText("The app did not request payments").waitFor();
  await checkPage(person, "consent-read-only");
  const consentUrl = page.url();
  await page.getByRole("button", { name: "Deny" }).click();
  await page.waitForURL(`${siteUrl}/callback?**`);
  expect(new URL(page.url()).searchParams.get("error")).toBe("access_denied");
  for (const url of [consentUrl, "/consent?request=oar_unknown", "/consent"]) {
    await page.goto(url);
    await page.getByRole("heading", { name: "Request not available" }).waitFor();
  }
  await checkPage(person, "consent-over");
});

it("shows what an app without enforced scopes can do, and limits it at the consent or later", async () => {
  const person = await signedInUser();
  const { page } = person;
  const { prisma } = pages.stack.service.deps.db;
  const redirectUri = `${siteUrl}/callback`;
  const consent = async (isLimited: boolean) => {
    const { clientId } = await createClient(pages.stack, { redirectUris: [redirectUri] });
    await page.goto(createAuthorizePath(clientId, { redirect_uri: redirectUri, scope: "balance:read" }));
    await page.getByText("This app can also make payments").waitFor();
    await page.getByText("read and send email in your agent’s mailbox").waitFor();
    if (isLimited) await page.getByLabel("Allow only the requested permissions").check();
    await checkPage(person, `consent-waiver${isLimited ? "-limited" : ""}`);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${redirectUri}?**`);
    return await prisma.oAuthGrant.findFirstOrThrow({ where: { clientId } });
  };
  expect((await consent(true)).strictScopes).toBe(true);
  const { id, strictScopes } = await consent(false);
  expect(strictScopes).toBe(false);
  await page.goto("/dashboard/apps");
  await page.getByText("Can also make payments").waitFor();
  await checkPage(person, "apps-waiver");
  await page.getByRole("button", { name: "Limit to its permissions" }).click();
  await page.getByText("Can also make payments").waitFor({ state: "detached" });
  expect((await prisma.oAuthGrant.findUniqueOrThrow({ where: { id } })).strictScopes).toBe(true);
});

it("does not prompt again for granted access after sign-in", async () => {
  const [owner, account] = [await pages.stack.account(), await pages.stack.account()];
  const redirectUri = `${siteUrl}/callback`;
  const { clientId } = await createClient(pages.stack, { accountId: owner.accountId, redirectUris: [redirectUri] });
  const path = createAuthorizePath(clientId, { redirect_uri: redirectUri });
  const browser = await openSignedInBrowser(pages.stack, account.accountId);
  await decideAuthorization(browser, readRequestId(await browser.navigate(path)));
  const visitor = await pages.openUser();
  await visitor.page.goto(path);
  await visitor.page.getByText("Sign in to decide").waitFor();
  const { page } = await openSignedInPage(pages, account.accountId);
  await page.goto(visitor.page.url());
  await page.waitForURL(`${redirectUri}?**`);
  expect(new URL(page.url()).searchParams.get("code")).toBeTruthy();
});

it("shows the reason of a rejection, resubmits a changed app for review, and rotates its secret", async () => {
  const { accountId } = await pages.stack.account();
  const { clientId } = await createClient(pages.stack, { accountId, status: "pending_approval" });
  const administrator = await openSignedInPage(pages, administratorId);
  await administrator.page.goto("/dashboard/admin");
  await administrator.page.getByRole("button", { name: "Review" }).click();
  await administrator.page.getByRole("button", { name: "Reject" }).click();
  await administrator.page.getByText("Enter a reason").waitFor();
  await administrator.page.getByRole("dialog").getByLabel("Reason").fill("The name is another company's.");
  await administrator.page.getByRole("button", { name: "Reject" }).click();
  await administrator.page.getByText("is rejected").waitFor();

  const owner = await openSignedInPage(pages, accountId);
  const { page } = owner;
  await page.goto("/dashboard/developer");
  await page.getByText("Rejected").waitFor();
  await checkPage(owner, "developer");
  await page.getByRole("link", { name: "Ledger & <Sons>" }).click();
  await page.getByText("The name is another company's.").first().waitFor();
  await page.getByLabel("App name").fill("Ada's Ledger");
  await page.getByRole("button", { name: "Save: App" }).click();
  await page.getByRole("heading", { name: "Ada's Ledger" }).waitFor();
  await page.getByText("Users cannot grant access to the app").waitFor();

  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate secret" }).click();
  await page.getByText("Shown only once").waitFor();
  const secret = (await page.locator("code").first().textContent()) ?? "";
  expect(secret).toMatch(/^satchel_cs_/);
  await page.reload();
  await page.getByText(secret.slice(-4), { exact: true }).waitFor();
  await page.getByRole("switch", { name: "Enforce scopes" }).click();
  await expect
    .poll(() => pages.stack.service.deps.db.prisma.oAuthClient.findUniqueOrThrow({ where: { id: clientId } }))
    .toMatchObject({
      appName: "Ada's Ledger",
      status: "pending_approval",
      strictScopes: true,
      secretHint: secret.slice(-4),
    });
}, 60_000);

it("lets an administrator add an explored merchant to the pool", async () => {
  const { prisma } = pages.stack.service.deps.db;
  const { accountId } = await pages.stack.account();
  const [id, domain] = [newId("mer"), `${randomUUID()}.example`];
  const place = { url: `https://${domain}`, rail: "worker", currency: "GBP", countryCode: "GB", shipsTo: ["GB"] };
  await prisma.merchant.create({
    data: { id, accountId, name: "Brook & Stone", domain, ...place, onboardedAt: new Date() },
  });
  await prisma.merchantCatalogue.create({
    data: { id: newId("cat"), merchantId: id, accountId, readAt: new Date() },
  });
  const checkoutOrigins = [`https://${domain}`, "https://pay.example"];
  const hints = { basketUrl: null, cardFrameOrigins: null, fields: {}, controls: {}, payPath: null };
  const definition = { format: 1, checkoutOrigins, ...hints };
  await prisma.checkoutRecipe.create({ data: { id: newId("rcp"), merchantId: id, accountId, version: 1, definition } });
  const administrator = await openSignedInPage(pages, administratorId);
  const { page } = administrator;
  await page.goto("/dashboard/admin");
  await page.getByRole("button", { name: "Review Brook & Stone" }).click();
  await page.getByRole("dialog").getByText("https://pay.example").waitFor();
  await checkPage(administrator, "vet-merchant-dialog");
  await page.getByRole("button", { name: "Add to pool" }).click();
  await page.getByText("Brook & Stone is in the pool.").waitFor();
  expect(await prisma.merchant.findUniqueOrThrow({ where: { id } })).toMatchObject({ pooledDomain: domain });
  await page.getByRole("button", { name: "Review Brook & Stone" }).waitFor({ state: "detached" });
});
