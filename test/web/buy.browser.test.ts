/** Approval page of a payment: pay now, or issue a purchase token for an agent. Payments are real on the sandbox's chain. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openTarget, respondWith402 } from "../payments/purchase-token.ts";
import { checkPage, openPages, type Pages } from "../support/pages.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

let pages: Pages;
beforeAll(async () => {
  pages = await openPages();
}, 120_000);
afterAll(() => pages?.stop());

/** Returns a link for the sandbox seller's weather, which costs 0.01 USD. The merchant has no scheme, as agents may omit it. */
function buyPath(parameters: Record<string, string> = {}): string {
  const seller = new URL(pages.stack.sandbox?.shopUrl ?? "").host;
  return `/buy?${new URLSearchParams({ merchant: `${seller}/v1/weather`, network: "base-sepolia", ...parameters })}`;
}

it("pays after payments are enabled, and updates the receipt until the payment is settled", async () => {
  const account = await pages.stack.account({ x402: false });
  const person = await openSignedInPage(pages, account.accountId);
  const { page } = person;
  await page.goto(buyPath({ amount: "0.005" }));
  await checkPage(person, "buy-x402-off");
  await page.getByRole("button", { name: "Enable payments" }).click();
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByText("The merchant requires 0.01 USD, you allowed up to 0.005 USD. No payment was made.").waitFor();
  await expect.poll(() => page.evaluate("document.activeElement.labels?.[0]?.textContent")).toBe("Maximum amount");
  await page.getByLabel("Maximum amount").fill("0.05");
  await checkPage(person, "buy-refused");
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByRole("heading", { name: "Receipt" }).waitFor();
  const receipt = page.locator("main");
  await expect.poll(() => receipt.textContent(), { timeout: 15_000 }).toContain("Settled");
  const text = (await receipt.textContent()) ?? "";
  expect(text).toContain("0.01 USD");
  expect(text).toContain("Free credit");
  expect(text).toContain('"place":"Porto"');
  await checkPage(person, "buy-receipt");
  const [payment] = await pages.stack.service.deps.db.prisma.transaction.findMany({
    where: { accountId: account.accountId, type: "x402" },
  });
  expect(payment).toMatchObject({ status: "settled" });
  await expect.poll(() => receipt.getByTitle(payment?.txHash ?? "").count()).toBe(1);
  // The rejected payment left no token that still looks usable.
  await page.goto("/dashboard/apps");
  await page.getByText("Revoked, not charged").waitFor();
  await expect.poll(() => page.getByText("Unused").count()).toBe(0);
}, 60_000);

it("issues a purchase token for an agent, shows its payment, and revokes another token", async () => {
  const account = await pages.stack.account();
  const person = await openSignedInPage(pages, account.accountId);
  const { page } = person;
  await page.goto(buyPath());
  await page.getByRole("button", { name: "Approve and copy token" }).click();
  await page.getByText("Enter a maximum amount.").waitFor();
  await page.getByLabel("Maximum amount").fill("0.02");
  await page.getByRole("button", { name: "Approve and copy token" }).click();
  await page.getByRole("heading", { name: "Purchase token created" }).waitFor();
  const token = (await page.locator("code").textContent()) ?? "";
  expect(token).toMatch(/^satchel_pt_/);
  await expect.poll(() => page.getByRole("timer").textContent()).toMatch(/^[45]:\d\d$/);
  await checkPage(person, "buy-token");
  const fetchPath = `/api/x402/fetch?url=${encodeURIComponent(`${pages.stack.sandbox?.shopUrl}/v1/weather`)}`;
  expect((await pages.stack.rest(token, "POST", fetchPath)).status).toBe(200);
  await page.getByRole("heading", { name: "Token used" }).waitFor();
  await page.getByText("0.01 USD").waitFor();
  await checkPage(person, "buy-token-used");

  await page.getByRole("button", { name: "New payment" }).click();
  await page.getByLabel("Maximum amount").fill("0.02");
  await page.getByRole("button", { name: "Approve and copy token" }).click();
  await page.getByRole("button", { name: "Revoke token" }).waitFor();
  const second = (await page.locator("code").textContent()) ?? "";
  await page.getByRole("button", { name: "Revoke token" }).click();
  await page.getByRole("heading", { name: "Token revoked" }).waitFor();
  expect((await pages.stack.rest(second, "POST", fetchPath)).status).toBe(401);

  await page.goto("/dashboard/apps");
  await page.getByText("Revoked, not charged").waitFor();
  await checkPage(person, "apps-purchase-tokens");
}, 60_000);

it("reports a payment without a merchant response, and makes no second payment on retry", async () => {
  let isBroken = true;
  const target = await openTarget((request, response, isPaid) => {
    if (!isPaid) respondWith402(response);
    else if (isBroken) request.socket.destroy();
    else response.end("sold");
  });
  const account = await pages.stack.account();
  const person = await openSignedInPage(pages, account.accountId);
  const { page } = person;
  const parameters = { merchant: target.origin, network: "base-sepolia", amount: "0.05" };
  await page.goto(`/buy?${new URLSearchParams(parameters)}`);
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByText(/^A payment was sent: /).waitFor();
  await page.getByRole("link", { name: "View transactions" }).waitFor();
  await checkPage(person, "buy-unanswered");
  isBroken = false;
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByRole("heading", { name: "Receipt" }).waitFor();
  await page.getByText("sold", { exact: true }).waitFor();
  const { prisma } = pages.stack.service.deps.db;
  expect(await prisma.transaction.count({ where: { accountId: account.accountId, type: "x402" } })).toBe(1);
});

it("prompts for missing and invalid parameters of a link", async () => {
  const person = await openSignedInPage(pages, (await pages.stack.account()).accountId);
  const { page } = person;
  await page.goto("/buy?merchant=ftp://files.example&network=dogecoin&amount=5");
  await page.getByText("Enter a URL such as").waitFor();
  await page.getByText("“dogecoin” is not supported here.").waitFor();
  await checkPage(person, "buy-form");
  await page.getByLabel("Merchant").fill("merchant.example/report");
  await page.getByLabel("Network").selectOption("base-sepolia");
  await page.getByLabel("Maximum amount").fill("five");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Enter an amount such as 0.25 or 5.").waitFor();
  await page.getByLabel("Maximum amount").fill("5");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("https://merchant.example/report").waitFor();
  expect(page.url()).toContain("merchant=https%3A%2F%2Fmerchant.example%2Freport");
});

it("preserves the merchant URL of a link exactly, also across sign-in", async () => {
  const person = await pages.openUser();
  const merchant = "https://merchant.example/a%20b?for=1%2B1&to=c%26d";
  const path = `/buy?${new URLSearchParams({ merchant, network: "base-sepolia", amount: "0.02" })}`;
  await pages.signIn(person, "letters@people.example", path);
  await person.page.getByText(merchant, { exact: true }).waitFor();
  expect(await person.page.getByLabel("Maximum amount").inputValue()).toBe("0.02");
});
