/** Account change in another tab: no action on a page applies to an account other than the one shown. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createAuthorizePath, createClient } from "../support/oauth.ts";
import { openPages, type Pages, type PageUser, START_TIMEOUT_MS } from "../support/pages.ts";
import type { TestAccount } from "../support/stack.ts";
import { createPendingPurchase } from "./purchases.ts";
import { openSignedInPage, signInAllTabs } from "./signed-in-browser.ts";

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

const prisma = () => pages.stack.service.deps.db.prisma;
const button = (name: string) => person.page.getByRole("button", { name, exact: true });

/** Replaces the session of all tabs by one of another account. @returns its email address */
async function signInOtherAccount(): Promise<string> {
  const { accountId } = await pages.stack.account();
  await signInAllTabs(pages, person, accountId);
  const { email } = await prisma().account.findUniqueOrThrow({ where: { id: accountId } });
  return String(email);
}

/** Signs in to a new account on the pages of another tab. @returns its email address */
async function signInNewAccount(): Promise<string> {
  const email = `${randomUUID().slice(0, 8)}@people.example`;
  const page = await person.page.context().newPage();
  await pages.signIn({ ...person, page }, email);
  return email;
}

const focusWindow = () => person.page.evaluate("window.dispatchEvent(new Event('focus'))");

/** Waits until the page names the account now signed in, and follows its link back to `path`. */
async function acceptAccountChange(email: string, path: string) {
  const { page } = person;
  await page.getByText(`You are signed in as ${email}.`).waitFor();
  await page.getByRole("link", { name: "Continue" }).click();
  await page.waitForURL((url) => url.pathname + url.search === path);
}

it("makes no payment from a newly signed-in account before the page names it", async () => {
  const { page } = person;
  const merchant = `${pages.stack.sandbox?.shopUrl}/v1/weather`;
  const path = `/buy?${new URLSearchParams({ merchant, network: "base-sepolia", amount: "0.05" })}`;
  await page.goto(path);
  await button("Pay now").waitFor();
  const email = await signInNewAccount();
  await prisma().account.update({ where: { email }, data: { x402EnabledAt: new Date() } });
  await button("Pay now").click();
  await acceptAccountChange(email, path);
  await page.locator("main").getByText(email).waitFor();
  const { id: accountId } = await prisma().account.findUniqueOrThrow({ where: { email } });
  expect(await prisma().transaction.count({ where: { accountId, type: "x402" } })).toBe(0);
  const third = await signInOtherAccount();
  await focusWindow();
  await acceptAccountChange(third, path);
}, 60_000);

it("grants an app access only to the account shown on the consent page", async () => {
  const { page } = person;
  const { clientId } = await createClient(pages.stack, { accountId: account.accountId });
  await page.goto(createAuthorizePath(clientId, { scope: "balance:read" }));
  await button("Allow").waitFor();
  const { pathname, search } = new URL(page.url());
  const email = await signInOtherAccount();
  await button("Allow").click();
  await acceptAccountChange(email, pathname + search);
  await page.getByText(`Account: ${email}.`).waitFor();
  expect(await prisma().oAuthGrant.count({ where: { clientId } })).toBe(0);
  const third = await signInOtherAccount();
  await focusWindow();
  await acceptAccountChange(third, pathname + search);
}, 60_000);

it("names the new account before a purchase of the previous account is decided", async () => {
  const { approvalId } = await createPendingPurchase(pages.stack, account);
  const path = `/approve/${approvalId}`;
  await person.page.goto(path);
  await button("Deny").waitFor();
  const email = await signInOtherAccount();
  await focusWindow();
  await acceptAccountChange(email, path);
  await person.page.getByText(`No such purchase in ${email}.`).waitFor();
}, 60_000);

it("applies no change from a dashboard page that still shows the previous account", async () => {
  const { page } = person;
  await page.goto("/dashboard");
  await page.getByRole("button", { name: /^Account person/ }).waitFor();
  const email = await signInOtherAccount();
  await page.getByRole("switch").first().click();
  await page.getByText(`You are signed in as ${email}.`).waitFor();
  const accounts = await prisma().account.findMany({ where: { OR: [{ email }, { id: account.accountId }] } });
  expect(accounts.map(({ x402EnabledAt }) => x402EnabledAt !== null)).toEqual([true, true]);
}, 60_000);

it("returns to the page after sign-in only for its own account, and opens the overview for another", async () => {
  const { page } = person;
  const email = `${randomUUID().slice(0, 8)}@people.example`;
  await pages.signIn(person, email, "/cards");
  await page.getByRole("button", { name: `Account ${email}` }).waitFor();
  const otherPage = await page.context().newPage();
  await otherPage.goto("/cards");
  const signOut = async () => {
    await otherPage.getByRole("button", { name: `Account ${email}` }).click();
    await otherPage.getByRole("button", { name: "Sign out" }).click();
    await otherPage.waitForURL("**/sign-in");
    // Fails if the page already navigates to the sign-in page.
    await focusWindow().catch(() => {});
    await page.waitForURL("**/sign-in?return_to=%2Fcards&**");
  };
  const signInAs = async (as: string) => {
    await page.getByLabel("Email address").fill(as);
    await page.getByRole("button", { name: "Send code" }).click();
    await page.getByLabel("Code").waitFor();
    await page.getByLabel("Code").fill(await pages.waitForCode(as));
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await signOut();
  await signInAs(email);
  await page.waitForURL("**/cards");
  await otherPage.goto("/cards");
  await signOut();
  await signInAs(`other-${email}`);
  await page.waitForURL("**/dashboard");
  await page.getByRole("button", { name: `Account other-${email}` }).waitFor();
}, 60_000);
