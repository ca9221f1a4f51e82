/** What is around every page, in a real browser: the way through it by keyboard and ear, the menu, the account. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { judge, openPages, type Pages, type Person, START_TIMEOUT_MS, seriousFindings } from "../support/pages.ts";
import type { TestAccount } from "../support/stack.ts";
import { personOf } from "./people.ts";
import { askFor } from "./purchases.ts";

let pages: Pages;
let account: TestAccount;
let person: Person;
beforeAll(async () => {
  pages = await openPages();
}, START_TIMEOUT_MS);
beforeEach(async () => {
  account = await pages.stack.account();
  person = await personOf(pages, account.accountId);
});
afterAll(() => pages?.stop());

/** Where the keyboard is. */
const focused = () =>
  person.page.evaluate(
    "document.activeElement.id || document.activeElement.textContent || document.activeElement.localName",
  );
const heading = (name: string) => person.page.getByRole("heading", { level: 1, name });
const link = (name: string) => person.page.getByRole("link", { name, exact: true });
const button = (name: string | RegExp) => person.page.getByRole("button", { name });
const said = (title: string) =>
  person.page.getByRole("status").filter({ hasText: title }).waitFor({ state: "attached" });

it("leads by keyboard past the navigation, and says where one is", async () => {
  const { page } = person;
  await page.goto("/dashboard/fund");
  await heading("Fund the wallet").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => focused()).toBe("main");
  await expect.poll(() => link("Fund").getAttribute("aria-current")).toBe("page");
  await expect.poll(() => page.title()).toBe("Fund the wallet · Satchel");
});

it("goes on in the page that a link leads to, whatever is around it, and says its title", async () => {
  const { page } = person;
  const { approvalId } = await askFor(pages.stack, account);
  await page.goto("/dashboard");
  await link("Cards").focus();
  await page.keyboard.press("Enter");
  await said("Cards · Satchel");
  await expect.poll(() => focused()).toBe("main");
  await link("Policy").click();
  await said("Policy · Satchel");
  await expect.poll(() => focused()).toBe("main");
  // Into a page with another frame, and back.
  await page.getByRole("link", { name: /^Look at it/ }).click();
  await said("Approve a purchase · Satchel");
  expect(new URL(page.url()).pathname).toBe(`/approve/${approvalId}`);
  await expect.poll(() => focused()).toBe("main");
  await page.goBack();
  await said("Policy · Satchel");
  await expect.poll(() => focused()).toBe("main");
  await page.keyboard.press("Tab");
  await expect.poll(() => focused()).toBe("Write a policy");
});

it("begins a page at its top, and on the way back where one was", async () => {
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

it("shows who is signed in, with the way out", async () => {
  const { page } = person;
  const { email } = await pages.stack.service.deps.db.prisma.account.findUniqueOrThrow({
    where: { id: account.accountId },
  });
  await page.goto("/cards");
  await page.getByRole("button", { name: `Account ${email}` }).click();
  await button("Sign out").waitFor();
  await judge(person, "account-menu");
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
  // What it holds is within the smallest screen, however long the name.
  await page.setViewportSize({ width: 320, height: 640 });
  await button(/^Account/).click();
  expect((await button("Sign out").first().boundingBox())?.x).toBeGreaterThan(0);
});

it("closes the menu of a phone with Escape, and with a choice", async () => {
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
  await judge(person, "menu");
  await page.setViewportSize({ width: 375, height: 740 });
  await link("Trades").click();
  await said("Trades · Satchel");
  await expect.poll(() => link("Trades").isVisible()).toBe(false);
  await expect.poll(() => focused()).toBe("main");
});

it("signs out from any page", async () => {
  const { page } = person;
  // Other answers may be the first to say that nobody is signed in.
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

it("says in passing what was done where it is not in the way: below on a phone, above a dialog", async () => {
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
  await page.getByLabel("Address").fill("http://localhost:9/");
  await button("Make the webhook").click();
  await button("Copy the secret").click();
  await toast.waitFor();
  expect(await middle()).toBe("above");
});

it("gives the keyboard back its place after a dialog, or the page's where what opened it is gone", async () => {
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
  // What opened the second dialog went with the first.
  await page.goto("/dashboard/webhooks");
  await button("New webhook").click();
  await page.getByLabel("Address").fill("http://localhost:9/");
  await button("Make the webhook").click();
  await button("I have kept it").click();
  await expect.poll(() => focused()).toBe("main");
});

it("shows nothing of one account to whoever signed in as another in a second tab", async () => {
  const { page } = person;
  const other = await pages.stack.account();
  const { email } = await pages.stack.service.deps.db.prisma.account.findUniqueOrThrow({
    where: { id: other.accountId },
  });
  await page.goto("/cards");
  await button(/^Account person/).waitFor();
  const { page: otherPage } = await personOf(pages, other.accountId);
  await page.context().addCookies(await otherPage.context().cookies());
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await page.getByRole("button", { name: `Account ${email}` }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/cards");
});

it("leads programmers to a GraphiQL that can be read", async () => {
  const { page } = person;
  await page.goto("/graphql");
  await button("Show Documentation Explorer").click();
  await page.locator(".graphiql-doc-explorer-root-type").first().waitFor();
  expect(await seriousFindings(page, "colours")).toEqual([]);
});
