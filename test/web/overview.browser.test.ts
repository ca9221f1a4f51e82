/** Overview before the first response and while the service is unreachable: it shows no unconfirmed state and loses no data. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { fetchWithToken, openTarget, respondWith402 } from "../payments/purchase-token.ts";
import { checkPage, openPages, type Pages, type PageUser, START_TIMEOUT_MS } from "../support/pages.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

let pages: Pages;
let person: PageUser;
beforeAll(async () => {
  pages = await openPages();
}, START_TIMEOUT_MS);
beforeEach(async () => {
  person = await openSignedInPage(pages, (await pages.stack.account()).accountId);
});
afterAll(() => pages?.stop());

const toggle = () => person.page.getByRole("switch", { name: "X402 payments" });
const skeletons = () => person.page.locator("main span.bg-line[aria-hidden=true]");

it("shows no payment status before it is loaded", async () => {
  const { page } = person;
  const { promise: isTime, resolve: respond } = Promise.withResolvers<void>();
  await page.route("**/graphql", async (route) => {
    if (route.request().postData()?.includes("query Overview")) await isTime;
    await route.continue();
  });
  await page.goto("/dashboard");
  await page.getByRole("heading", { name: "Limits" }).waitFor();
  await expect.poll(() => toggle().count()).toBe(0);
  await expect
    .poll(() => page.getByText(/X402 payments are|tokens and apps can pay|let tokens and apps pay/).count())
    .toBe(0);
  await checkPage(person, "overview-loading");
  respond();
  await page.getByText("Your tokens and apps can pay for requests within your limits.").waitFor();
  await expect.poll(() => toggle().isChecked()).toBe(true);
});

it("shows only an error while the service is unreachable, and recovers on retry", async () => {
  const { page } = person;
  await page.goto("/cards");
  await page.getByRole("heading", { level: 1, name: "Cards" }).waitFor();
  await page.route("**/graphql", (route) => route.abort());
  await page.getByRole("link", { name: "Overview" }).click();
  const notice = page.getByRole("alert").filter({ hasText: "Satchel did not respond" });
  await notice.waitFor();
  await expect
    .poll(() => notice.getByRole("paragraph").textContent())
    .toBe("Satchel did not respond. Check your connection and retry.");
  expect([await toggle().count(), await skeletons().count()]).toEqual([0, 0]);
  const title = await page.getByRole("heading", { level: 1 }).boundingBox();
  const below = ((await notice.boundingBox())?.y ?? 0) - (title?.y ?? 0) - (title?.height ?? 0);
  expect(below).toBeGreaterThanOrEqual(12);
  // The browser reports every failed request.
  person.browserErrors.length = 0;
  await checkPage(person, "overview-away");
  await page.unroute("**/graphql");
  await page.getByRole("button", { name: "Retry" }).click();
  await toggle().waitFor();
  await expect.poll(() => notice.count()).toBe(0);
});

it("warns that a change without a response may have been made", async () => {
  const { page } = person;
  await page.goto("/dashboard");
  await toggle().waitFor();
  await page.route("**/graphql", (route) => route.abort());
  await toggle().click();
  await page.getByText("Satchel did not respond. The change may have been made.").waitFor();
});

it("preserves loaded and entered data while the service is unreachable", async () => {
  const { page } = person;
  let isAway = false;
  let lose = () => {};
  await page.routeWebSocket("**/graphql", (socket) => {
    if (isAway) return void socket.close({ code: 1012 });
    socket.connectToServer();
    lose = () => void socket.close({ code: 1012 });
  });
  await page.route("**/graphql", (route) => (isAway ? route.abort() : route.continue()));
  const connected = page.waitForEvent("websocket");
  await page.goto("/dashboard");
  await connected;
  await toggle().waitFor();
  await page.getByRole("button", { name: "Change" }).click();
  await page.getByLabel("Daily limit").fill("12");
  isAway = true;
  lose();
  const notice = page.getByText("The data shown may be out of date");
  await notice.waitFor();
  await expect.poll(() => page.getByLabel("Daily limit").inputValue()).toBe("12");
  await page.keyboard.press("Escape");
  await expect.poll(() => toggle().isChecked()).toBe(true);
  // The browser reports every failed request.
  person.browserErrors.length = 0;
  await page.evaluate("scrollTo(0, 400)");
  expect((await notice.boundingBox())?.y).toBe(0);
  isAway = false;
  await notice.waitFor({ state: "detached" });
});

it("shows the source of funds only for payments", async () => {
  const { page } = person;
  await page.goto("/dashboard");
  const given = page
    .getByRole("table", { name: "Transactions, newest first" })
    .locator("tr", { hasText: "Free credit" });
  await given.waitFor();
  await expect.poll(() => given.textContent()).toContain("5.00 USD");
  expect(await given.textContent()).not.toContain("from credit");
});

it("lists declined payments with their reason, and says what will appear while there are none", async () => {
  const account = await pages.stack.account();
  const owner = await openSignedInPage(pages, account.accountId);
  const section = owner.page.locator("section", {
    has: owner.page.getByRole("heading", { name: "Declined payments" }),
  });
  await owner.page.goto("/dashboard");
  await section.getByText("No declined payments.").waitFor();
  const seller = await openTarget((_request, response) => respondWith402(response, { maxAmountRequired: "1000" }));
  expect((await fetchWithToken(pages.stack, account.token, seller.origin, { maxValue: "1" })).status).toBe(402);
  await owner.page.reload();
  const row = section.getByRole("table").locator("tr", { hasText: "127.0.0.1" });
  await row.waitFor();
  await expect.poll(() => row.textContent()).toContain("maxValue");
  await checkPage(owner, "overview-declined");
});
