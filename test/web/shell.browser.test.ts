/** Frame of the pages in a real browser: keyboard and screen reader navigation, menu, account menu, toasts and dialogs. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  checkPage,
  findSeriousIssues,
  openPages,
  type Pages,
  type PageUser,
  START_TIMEOUT_MS,
} from "../support/pages.ts";
import type { TestAccount } from "../support/stack.ts";
import { createPendingPurchase } from "./purchases.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

let pages: Pages;
let account: TestAccount;
let person: PageUser;
beforeAll(async () => {
  pages = await openPages();
}, START_TIMEOUT_MS);
beforeEach(async () => {
  account = await pages.stack.account();
  person = await openSignedInPage(pages, account.accountId);
});
afterAll(() => pages?.stop());

/** Returns the id, text or tag name of the focused element. */
const focused = () =>
  person.page.evaluate(
    "document.activeElement.id || document.activeElement.textContent || document.activeElement.localName",
  );
const heading = (name: string) => person.page.getByRole("heading", { level: 1, name });
const link = (name: string) => person.page.getByRole("link", { name, exact: true });
const button = (name: string | RegExp) => person.page.getByRole("button", { name });
const said = (title: string) =>
  person.page.getByRole("status").filter({ hasText: title }).waitFor({ state: "attached" });

it("has a skip link past the navigation, and marks the current page", async () => {
  const { page } = person;
  await page.goto("/dashboard/fund");
  await heading("Fund wallet").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => focused()).toBe("main");
  await expect.poll(() => link("Fund").getAttribute("aria-current")).toBe("page");
  await expect.poll(() => page.title()).toBe("Fund wallet · Satchel");
});

it("focuses the new page and announces its title after navigation, in every frame", async () => {
  const { page } = person;
  const { approvalId } = await createPendingPurchase(pages.stack, account);
  await page.goto("/dashboard");
  await link("Cards").focus();
  await page.keyboard.press("Enter");
  await said("Cards · Satchel");
  await expect.poll(() => focused()).toBe("main");
  await link("Policy").click();
  await said("Policy · Satchel");
  await expect.poll(() => focused()).toBe("main");
  // To a page with another frame, and back.
  await page.getByRole("link", { name: /^Review/ }).click();
  await said("Approve purchase · Satchel");
  expect(new URL(page.url()).pathname).toBe(`/approve/${approvalId}`);
  await expect.poll(() => focused()).toBe("main");
  await page.goBack();
  await said("Policy · Satchel");
  await expect.poll(() => focused()).toBe("main");
  await page.keyboard.press("Tab");
  await expect.poll(() => focused()).toBe("Create policy");
});

it("scrolls to the top of a new page, and restores the position on back navigation", async () => {
  const { page } = person;
  await page.setViewportSize({ width: 375, height: 500 });
  await page.goto("/dashboard");
  await heading("Overview").waitFor();
  await page.getByRole("heading", { name: "Transactions" }).scrollIntoViewIfNeeded();
  const scrolledTo = await page.evaluate("Math.round(scrollY)");
  expect(scrolledTo).toBeGreaterThan(100);
  await page.evaluate("document.querySelector('a[href=\"/cards\"]').click()");
  await heading("Cards").waitFor();
  await expect.poll(() => page.evaluate("scrollY")).toBe(0);
  await page.goBack();
  await heading("Overview").waitFor();
  await expect.poll(() => page.evaluate("Math.round(scrollY)")).toBe(scrolledTo);
});

it("shows the signed-in account and the sign-out button in the account menu", async () => {
  const { page } = person;
  const { email } = await pages.stack.service.deps.db.prisma.account.findUniqueOrThrow({
    where: { id: account.accountId },
  });
  await page.goto("/cards");
  await page.getByRole("button", { name: `Account ${email}` }).click();
  await button("Sign out").waitFor();
  await checkPage(person, "account-menu");
  await page.keyboard.press("Escape");
  await expect.poll(() => button("Sign out").isVisible()).toBe(false);
  await expect.poll(() => focused()).toBe(`Account${email}`);
  await page.keyboard.press("Enter");
  await link("Security").click();
  await heading("Security").waitFor();
  await expect.poll(() => focused()).toBe("main");
  await button(/^Account/).click();
  await expect.poll(() => link("Security").getAttribute("aria-current")).toBe("page");
  await page.mouse.click(100, 700);
  await expect.poll(() => link("Security").isVisible()).toBe(false);
  // The menu fits the smallest screen even with a long name.
  await page.setViewportSize({ width: 320, height: 640 });
  await button(/^Account/).click();
  expect((await button("Sign out").first().boundingBox())?.x).toBeGreaterThan(0);
});

it("closes the phone menu on Escape and on navigation", async () => {
  const { page } = person;
  await page.setViewportSize({ width: 375, height: 740 });
  await page.goto("/dashboard/fund");
  await expect.poll(() => link("Fund").isVisible()).toBe(false);
  await button("Menu").click();
  await link("Fund").waitFor();
  await page.keyboard.press("Escape");
  await expect.poll(() => link("Fund").isVisible()).toBe(false);
  await expect.poll(() => focused()).toMatch(/^Menu/);
  await page.keyboard.press("Enter");
  await checkPage(person, "menu");
  await page.setViewportSize({ width: 375, height: 740 });
  await link("Trades").click();
  await said("Trades · Satchel");
  await expect.poll(() => link("Trades").isVisible()).toBe(false);
  await expect.poll(() => focused()).toBe("main");
});

it("signs out from any page", async () => {
  const { page } = person;
  // Responses of other requests may be the first to report the ended session.
  await page.route("**/graphql", async (route) => {
    if (!route.request().postData()?.includes("mutation SignOut")) return route.continue();
    const response = await route.fetch();
    await page.waitForURL("**/sign-in*");
    await route.fulfill({ response }).catch(() => {});
  });
  await page.goto("/merchants");
  await button(/^Account/).click();
  await button("Sign out").click();
  await page.waitForURL("**/sign-in*");
  const { pathname, search } = new URL(page.url());
  expect(pathname + search).toBe("/sign-in");
  await page.goto("/cards");
  await page.waitForURL("**/sign-in?return_to=**");
});

it("shows toasts at the bottom on a phone, and at the top while a dialog is open", async () => {
  const { page } = person;
  await page.setViewportSize({ width: 375, height: 740 });
  const toast = page.locator(".toasts p");
  const middle = async () => (((await toast.first().boundingBox())?.y ?? 0) > 370 ? "below" : "above");
  await page.goto("/dashboard/gateway");
  await button("Copy the code").click();
  await toast.waitFor();
  expect(await middle()).toBe("below");
  await page.goto("/dashboard/webhooks");
  await button("New webhook").click();
  await page.getByLabel("URL").fill("http://localhost:9/");
  await button("Create webhook").click();
  await button("Copy the secret").click();
  await toast.waitFor();
  expect(await middle()).toBe("above");
});

it("restores focus after a dialog, or focuses the page if the opener is gone", async () => {
  const { page } = person;
  await page.goto("/dashboard/tokens");
  for (const [opener, role] of [
    ["New token", "dialog"],
    ["Revoke", "alertdialog"],
  ] as const) {
    await button(opener).focus();
    await page.keyboard.press("Enter");
    await page.getByRole(role).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole(role).count()).toBe(0);
    await expect.poll(() => focused()).toContain(opener);
  }
  // The element that opened the second dialog was part of the first.
  await page.goto("/dashboard/webhooks");
  await button("New webhook").click();
  await page.getByLabel("URL").fill("http://localhost:9/");
  await button("Create webhook").click();
  await button("Done").click();
  await expect.poll(() => focused()).toBe("main");
});

it("reloads the page if another account signed in from a second tab", async () => {
  const { page } = person;
  const other = await pages.stack.account();
  const { email } = await pages.stack.service.deps.db.prisma.account.findUniqueOrThrow({
    where: { id: other.accountId },
  });
  await page.goto("/cards");
  await button(/^Account person/).waitFor();
  const { page: otherPage } = await openSignedInPage(pages, other.accountId);
  await page.context().addCookies(await otherPage.context().cookies());
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await page.getByRole("button", { name: `Account ${email}` }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/cards");
});

it("serves GraphiQL with sufficient contrast", async () => {
  const { page } = person;
  await page.goto("/graphql");
  await button("Show Documentation Explorer").click();
  await page.locator(".graphiql-doc-explorer-root-type").first().waitFor();
  expect(await findSeriousIssues(page, "colours")).toEqual([]);
});
