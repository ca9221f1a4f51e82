/** Checkout policy in a real browser: draft, review, signature with a passkey, usage and end. */
import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { canonicalDigest } from "../../src/checkout/canonical-digest.ts";
import { createPolicyDocument, type PolicyTerms } from "../../src/checkout/policy/policy-document.ts";
import { newId } from "../../src/platform/ids.ts";
import { endDateRange } from "../../web/pages/policy/policy-draft.ts";
import { checkPage, openPages, type Pages, type PageUser, START_TIMEOUT_MS } from "../support/pages.ts";
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
  await person.addAuthenticator();
});
afterAll(() => pages?.stop());

const prisma = () => pages.stack.service.deps.db.prisma;
const text = async () => ((await person.page.locator("main").textContent()) ?? "").replaceAll(/\s+/g, " ");
const policies = () =>
  prisma().checkoutPolicy.findMany({ where: { accountId: account.accountId }, orderBy: { version: "asc" } });
const { last: LAST_DAY } = endDateRange();
const TERMS: PolicyTerms = {
  ...{ currency: "GBP", perOrderMaxMinor: 5_000, dailyMaxMinor: 10_000, monthlyMaxMinor: 30_050 },
  ...{ allowedMerchantIds: null, blockedMerchantIds: [], allowedCountries: [], cardIds: [] },
  ...{ newMerchant: "require_approval", shipToOther: "require_approval" },
  ...{ notBefore: null, expiresAt: new Date(Date.now() + 86_400_000) },
};

/** Creates a signed, active policy with the given usage. */
async function inForce(usedMinor: { readonly day: bigint; readonly month: bigint }) {
  const today = new Date().toISOString().slice(0, 10);
  const whose = { id: newId("pol"), version: 1, sub: "did:web:satchel.example", agent_id: null };
  const document = createPolicyDocument(TERMS, whose);
  const { accountId } = account;
  await prisma().checkoutPolicy.create({
    data: {
      ...{ id: whose.id, version: whose.version, accountId, activeSlot: accountId, currency: TERMS.currency },
      ...{ document, policySha256: canonicalDigest(document), signature: {} },
      ...{ day: new Date(today), dayUsedMinor: usedMinor.day },
      ...{ month: new Date(`${today.slice(0, 7)}-01`), monthUsedMinor: usedMinor.month },
      ...{ notBefore: new Date(document.not_before), expiresAt: TERMS.expiresAt },
    },
  });
}

it("drafts a policy, shows it in plain text, and signs it", async () => {
  const { page } = person;
  await page.goto("/policy");
  await page.getByText("No policy yet. Every order requires your passkey.").waitFor();
  await page.getByRole("button", { name: "Create policy" }).click();
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByText("Choose a currency.").waitFor();
  await page.getByText("Choose the last day.").waitFor();
  await page.getByLabel("Currency").selectOption("GBP");
  await page.getByLabel("Limit per order").fill("50");
  await page.getByLabel("Daily limit").fill("49.99");
  await page.getByLabel("Monthly limit").fill("300.005");
  await page.getByLabel("Only selected merchants").check();
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByText("The daily limit is below the limit per order.").waitFor();
  await page.getByText("Enter an amount such as 25 or 12.50.").waitFor();
  await page.getByText("Choose at least one merchant, or allow any.").waitFor();
  await page.getByLabel("Daily limit").fill("100");
  await page.getByLabel("Monthly limit").fill("300.5");
  await page.getByLabel("Merchants to allow").fill("harbour");
  await page.getByRole("button", { name: /^Add Harbour/ }).click();
  await page.getByRole("button", { name: /^Remove Harbour/ }).waitFor();
  await page.getByLabel("Merchant countries").selectOption("GB");
  await checkPage(person, "policy-chosen");
  await page.getByLabel("Last day").fill(LAST_DAY);
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("heading", { name: "Review policy" }).waitFor();
  await page.getByText("Signing requires a passkey. Your account has none.").waitFor();
  await page.getByRole("button", { name: "Add passkey" }).click();
  // The start of signing fixes the allowed passkeys, so adding one returns to the draft.
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("button", { name: "Sign with passkey" }).waitFor();
  await page.getByText(/\(127\.0\.0\.1:\d+\)/).waitFor();
  const words = await text();
  expect(words).toMatch(/Per orderup to 50\.00 GBP.*Per dayup to 100\.00 GBP.*Per monthup to 300\.50 GBP/);
  expect(words).toMatch(/MerchantsHarbour.*Merchant countriesUnited Kingdom/);
  expect(words).toContain("First purchase at a merchantrequires approvalDelivery to other addressesrequires approval");
  expect(words).toContain("Cardsany");
  await checkPage(person, "policy-signing");
  await expect.poll(() => policies()).toEqual([]);
  await page.getByRole("button", { name: "Sign with passkey" }).click();
  await page.getByText("In force", { exact: true }).waitFor();
  const [policy] = await policies();
  const digest = createHash("sha256").update(canonicalize(policy?.document) ?? "");
  const { client_data_json } = (policy?.signature ?? {}) as { client_data_json: string };
  const { challenge } = JSON.parse(Buffer.from(client_data_json, "base64url").toString());
  expect(challenge).toBe(digest.digest("base64url"));
  expect(policy?.document).toMatchObject({
    currency: "GBP",
    per_order_max_minor: 5_000,
    daily_max_minor: 10_000,
    monthly_max_minor: 30_050,
    allowed_merchants: [expect.stringMatching(/^mer_/)],
    allowed_countries: ["GB"],
    new_merchant: "require_approval",
    ship_to_other: "require_approval",
    card_alias_ids: [],
    expires_at: `${LAST_DAY}T23:59:59.999Z`,
  });
}, 60_000);

it("shows the usage of the policy and orders that need approval", async () => {
  const { page } = person;
  await inForce({ day: 1_250n, month: 9_999n });
  const purchase = await createPendingPurchase(pages.stack, account);
  await page.goto("/policy");
  await page.getByText("12.50 GBP").waitFor();
  await expect.poll(() => text()).toMatch(/Today12\.50 GBP of 100\.00 GBP.*This month99\.99 GBP of 300\.50 GBP/);
  await page.getByText("Travel agent requests this purchase.").waitFor();
  await expect.poll(() => text()).toContain("Waxed jacket, Navy / M and 1 more at Harbour Outfitters");
  await checkPage(person, "policy");
  await page.getByRole("link", { name: "Review" }).click();
  await page.waitForURL(`**/approve/${purchase.approvalId}`);
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("heading", { name: "Denied" }).waitFor();
  await page.goto("/policy");
  await page.getByText("In force", { exact: true }).waitFor();
  await expect.poll(() => text()).not.toContain("Action required");
});

it("signs only the document shown", async () => {
  const { page } = person;
  await inForce({ day: 0n, month: 0n });
  await page.goto("/policy");
  await page.getByRole("button", { name: "Replace policy" }).click();
  await expect.poll(() => page.getByLabel("Limit per order").inputValue()).toBe("50.00");
  await page.getByLabel("Last day").fill(LAST_DAY);
  await page.route("**/graphql", async (route) => {
    if (!route.request().postData()?.includes("mutation StartCheckoutPolicy")) return route.continue();
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(":5000,", ":500,") });
  });
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByText("5.00 GBP", { exact: true }).first().waitFor();
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("button", { name: "Sign with passkey" }).click();
  await page.getByText("The document to sign differs from the one shown here.").waitFor();
  await expect.poll(() => policies()).toHaveLength(1);
});

it("ends the policy", async () => {
  const { page } = person;
  await inForce({ day: 0n, month: 0n });
  await page.goto("/policy");
  await page.getByRole("button", { name: "Revoke" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke policy" }).click();
  await page.getByText("No policy yet. Every order requires your passkey.").waitFor();
  await expect.poll(() => policies()).toMatchObject([{ activeSlot: null, revokedAt: expect.any(Date) }]);
});
