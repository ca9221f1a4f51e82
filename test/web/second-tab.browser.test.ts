/** Somebody else signs in in another tab: what a page shows of one account is never done for another. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { authorizePath, createClient } from "../support/oauth.ts";
import { openPages, type Pages, type Person, START_TIMEOUT_MS } from "../support/pages.ts";
import type { TestAccount } from "../support/stack.ts";
import { beginSessionOf, personOf } from "./people.ts";
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

const prisma = () => pages.stack.service.deps.db.prisma;
const button = (name: string) => person.page.getByRole("button", { name, exact: true });

/** @returns email address of the account that is signed in afterwards */
async function somebodyElseSignsIn(): Promise<string> {
  const { accountId } = await pages.stack.account();
  await beginSessionOf(pages, person, accountId);
  const { email } = await prisma().account.findUniqueOrThrow({ where: { id: accountId } });
  return String(email);
}

/** The same by the pages, in another tab. */
async function somebodyNewSignsIn(): Promise<string> {
  const email = `${randomUUID().slice(0, 8)}@people.example`;
  const page = await person.page.context().newPage();
  await pages.signIn({ ...person, page }, email);
  return email;
}

const comeBack = () => person.page.evaluate("window.dispatchEvent(new Event('focus'))");

/** It names who is signed in now, and leads back to where they were. */
async function isTold(email: string, path: string) {
  const { page } = person;
  await page.getByText(`You are signed in as ${email}.`).waitFor();
  await page.getByRole("link", { name: "Go on" }).click();
  await page.waitForURL((url) => url.pathname + url.search === path);
}

it("pays nothing from the account of whoever signed in meanwhile, before they saw that", async () => {
  const { page } = person;
  const merchant = `${pages.stack.sandbox?.shopUrl}/v1/weather`;
  const path = `/buy?${new URLSearchParams({ merchant, network: "base-sepolia", amount: "0.05" })}`;
  await page.goto(path);
  await button("Pay now").waitFor();
  const email = await somebodyNewSignsIn();
  await prisma().account.update({ where: { email }, data: { x402EnabledAt: new Date() } });
  await button("Pay now").click();
  await isTold(email, path);
  await page.locator("main").getByText(email).waitFor();
  const { id: accountId } = await prisma().account.findUniqueOrThrow({ where: { email } });
  expect(await prisma().transaction.count({ where: { accountId, type: "x402" } })).toBe(0);
  const third = await somebodyElseSignsIn();
  await comeBack();
  await isTold(third, path);
}, 60_000);

it("lets an app pay from no account but the one that the person saw", async () => {
  const { page } = person;
  const { clientId } = await createClient(pages.stack, { accountId: account.accountId });
  await page.goto(authorizePath(clientId, { scope: "balance:read" }));
  await button("Allow").waitFor();
  const { pathname, search } = new URL(page.url());
  const email = await somebodyElseSignsIn();
  await button("Allow").click();
  await isTold(email, pathname + search);
  await page.getByText(`For ${email}, until you disconnect it`).waitFor();
  expect(await prisma().oAuthGrant.count({ where: { clientId } })).toBe(0);
  const third = await somebodyElseSignsIn();
  await comeBack();
  await isTold(third, pathname + search);
}, 60_000);

it("says so before a purchase of the earlier account is decided", async () => {
  const { approvalId } = await askFor(pages.stack, account);
  const path = `/approve/${approvalId}`;
  await person.page.goto(path);
  await button("Deny").waitFor();
  const email = await somebodyElseSignsIn();
  await comeBack();
  await isTold(email, path);
  await person.page.getByText(`There is no such purchase in ${email}.`).waitFor();
}, 60_000);

it("changes nothing on a page of the dashboard that still shows the earlier account", async () => {
  const { page } = person;
  await page.goto("/dashboard");
  await page.getByRole("button", { name: /^Account person/ }).waitFor();
  const email = await somebodyElseSignsIn();
  await page.getByRole("switch").first().click();
  await page.getByText(`You are signed in as ${email}.`).waitFor();
  const accounts = await prisma().account.findMany({ where: { OR: [{ email }, { id: account.accountId }] } });
  expect(accounts.map(({ x402EnabledAt }) => x402EnabledAt !== null)).toEqual([true, true]);
}, 60_000);

it("leads whoever signs in next to the overview, and only whose page it was back to it", async () => {
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
    // Unless the page has found out already, and is on its way there.
    await comeBack().catch(() => {});
    await page.waitForURL("**/sign-in?return_to=%2Fcards&**");
  };
  const signInAs = async (as: string) => {
    await page.getByLabel("E-mail address").fill(as);
    await page.getByRole("button", { name: "Send me a code" }).click();
    await page.getByLabel("Code").waitFor();
    await page.getByLabel("Code").fill(await pages.codeSentTo(as));
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
