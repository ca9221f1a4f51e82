/** Card pages in a real browser: adding, changing, disabling and removing cards. Card numbers never appear in clear. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openCard } from "../../src/checkout/cards/card-vault.ts";
import { addCard } from "../checkout/account-owner.ts";
import { createBrowserClient } from "../support/browser-client.ts";
import { checkPage, openPages, type Pages, type PageUser, START_TIMEOUT_MS } from "../support/pages.ts";
import type { TestAccount } from "../support/stack.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

const VISA = "4242 4242 4242 4242";
const MASTERCARD = "5555555555554444";
const YEAR = String(new Date().getUTCFullYear() + 2).slice(-2);

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
const cards = () => prisma().paymentCard.findMany({ where: { accountId: account.accountId, removedAt: null } });

async function fill(number: string, change: Record<string, string> = {}) {
  const written = {
    "Card number": number,
    Expires: `04/${YEAR}`,
    "Security code": "739",
    "Cardholder name": "Ada Lovelace",
    "First name": "Ada",
    "Last name": "Lovelace",
    "Street and number": "12 St James's Square",
    City: "London",
    "Postal code": "SW1Y 4JH",
    ...change,
  };
  for (const [label, value] of Object.entries(written)) await person.page.getByLabel(label).fill(value);
  await person.page.getByLabel("Country").selectOption("GB");
}
/** Adds a card over GraphQL, with the session of the browser. */
async function addOverGraphql(card: object) {
  const visitor = createBrowserClient(pages.origin);
  for (const { name, value } of await person.page.context().cookies()) visitor.cookies.set(name, value);
  expect((await addCard({ visitor }, card)).code).toBeUndefined();
}
const submit = () => person.page.getByRole("button", { name: "Add card" }).click();

it("adds the first card as the default, in a form that browsers can autofill", async () => {
  const { page } = person;
  await page.goto("/cards");
  await page.getByText("No cards yet.").waitFor();
  await page.getByText("The security code is encrypted with it.").waitFor();
  await page.getByRole("link", { name: "Add card" }).click();
  await page.getByLabel("Card number").waitFor();
  const fields = await page
    .locator("main input, main select")
    .evaluateAll((found) => found.map((field) => field.getAttribute("autocomplete")));
  expect(fields).toEqual([
    "cc-number",
    "cc-exp",
    "cc-csc",
    "cc-name",
    "off",
    ...["given-name", "family-name", "address-line1", "address-line2", "organization", "address-level2"].map(
      (name) => `billing ${name}`,
    ),
    ...["postal-code", "address-level1", "country", "tel"].map((name) => `billing ${name}`),
  ]);
  await fill("4242 4242 4242 4241", { Expires: "13/30" });
  await submit();
  await page.getByText("Enter month and year as on the card").waitFor();
  const focused = () => page.evaluate("document.activeElement.labels?.[0]?.textContent");
  await expect.poll(focused).toBe("Expires");
  // A second submission with the same error focuses the field again.
  await submit();
  await expect.poll(focused).toBe("Expires");
  await fill("4242 4242 4242 4241");
  await submit();
  await page.getByText("It is not a valid card number.").waitFor();
  await expect.poll(() => page.getByLabel("Card number").getAttribute("aria-invalid")).toBe("true");
  await expect.poll(focused).toBe("Card number");
  await checkPage(person, "card-new");
  // On a phone the field may be outside the viewport.
  await page.setViewportSize({ width: 390, height: 600 });
  await submit();
  await page.getByText("It is not a valid card number.").waitFor();
  const bounds = "JSON.stringify(document.querySelector('[name=number]').getBoundingClientRect())";
  await expect.poll(async () => JSON.parse(String(await page.evaluate(bounds))).top).toBeGreaterThan(0);
  await page.setViewportSize({ width: 1200, height: 900 });
  await fill(VISA);
  await submit();
  await page.waitForURL("**/cards");
  await page.getByText("Visa ending 4242", { exact: true }).waitFor();
  await page.getByText("Default", { exact: true }).waitFor();
  const [card] = await cards();
  expect(card).toMatchObject({ last4: "4242", expMonth: 4, billingAddress: { city: "London", countryCode: "GB" } });
  const { deps } = pages.stack.service;
  const { accountId } = account;
  expect(await openCard(deps, { cardId: card?.id ?? "", accountId })).toMatchObject({
    number: "4242424242424242",
    securityCode: "739",
  });
});

it("requires reauthentication if the last sign-in is too old, and continues with the entered data", async () => {
  const { page } = person;
  const longAgo = new Date(Date.now() - 3_600_000);
  const { accountId } = account;
  await prisma().session.updateMany({ where: { accountId }, data: { authenticatedAt: longAgo } });
  await page.goto("/cards/new");
  await fill(MASTERCARD, { Nickname: "Groceries" });
  await submit();
  const proof = page.getByRole("dialog");
  await proof.getByText("To continue, sign in again: changes to cards require a recent sign-in.").waitFor();
  const { email } = await prisma().account.findUniqueOrThrow({ where: { id: accountId } });
  await proof.getByRole("button", { name: "Send code" }).click();
  await proof.getByLabel("Code").waitFor();
  await proof.getByLabel("Code").fill(await pages.waitForCode(String(email)));
  await proof.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/cards");
  await page.getByText("Mastercard ending 4444", { exact: true }).waitFor();
  await checkPage(person, "cards");
});

it("makes another card the default, changes, disables and removes it", async () => {
  const { page } = person;
  await addOverGraphql({ number: VISA });
  await addOverGraphql({ number: MASTERCARD, expYear: 2_000 + Number(YEAR), nickname: "Groceries" });
  await page.goto("/cards");
  await page.getByRole("button", { name: "Make default: Mastercard ending 4444" }).click();
  await expect
    .poll(async () => (await cards()).find(({ last4 }) => last4 === "4444")?.defaultSlot)
    .toBe(account.accountId);
  await page.getByRole("link", { name: "Edit Mastercard ending 4444" }).click();
  await page.getByRole("heading", { name: "Mastercard ending 4444" }).waitFor();
  await expect.poll(() => page.getByLabel("Card number").count()).toBe(0);
  await expect.poll(() => page.getByLabel("Expires").inputValue()).toBe(`04/${YEAR}`);
  await expect.poll(() => page.getByLabel("Nickname").inputValue()).toBe("Groceries");
  await checkPage(person, "card");
  await page.getByLabel("Nickname").fill("");
  await page.getByLabel("Postal code").fill("SW1Y 4JJ");
  await page.getByRole("button", { name: "Save" }).click();
  await page.waitForURL("**/cards");
  const changed = (await cards()).find(({ last4 }) => last4 === "4444");
  expect(changed).toMatchObject({ nickname: null, billingAddress: { postalCode: "SW1Y 4JJ" } });
  await page.getByRole("link", { name: "Edit Mastercard ending 4444" }).click();
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByText("This card is disabled.").waitFor();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByText("This is your default card.").waitFor();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove card" }).click();
  await page.waitForURL("**/cards");
  await expect.poll(() => page.getByText("Mastercard ending 4444", { exact: true }).count()).toBe(0);
  expect((await cards()).map(({ last4, defaultSlot }) => [last4, defaultSlot])).toEqual([["4242", account.accountId]]);
  await page.goto(`/cards/${changed?.id}`);
  await page.getByRole("heading", { name: "Card not found" }).waitFor();
});
