/** Dashboard in a real browser: balances, live transactions, limits, transfers and API tokens. */
import type { WebSocketRoute } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import { checkPage, openPages, type Pages, type PageUser, START_TIMEOUT_MS } from "../support/pages.ts";
import type { TestAccount } from "../support/stack.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

const LIVE = { timeout: 10_000 };

let pages: Pages;
let sellerUrl: string;
let account: TestAccount;
let person: PageUser;
beforeAll(async () => {
  pages = await openPages();
  sellerUrl = pages.stack.sandbox?.shopUrl ?? "";
}, START_TIMEOUT_MS);
beforeEach(async () => {
  account = await pages.stack.account();
  person = await openSignedInPage(pages, account.accountId);
});
afterAll(() => pages?.stop());

const pay = (token: string) =>
  pages.stack.rest(token, "POST", `/api/x402/fetch?url=${encodeURIComponent(`${sellerUrl}/v1/weather`)}`);

async function emailOf({ accountId }: TestAccount): Promise<string> {
  const { email } = await pages.stack.service.deps.db.prisma.account.findUniqueOrThrow({ where: { id: accountId } });
  return email ?? "";
}

describe("overview", () => {
  it("shows balances, limits, spending and transactions, and updates them live", async () => {
    const { page } = person;
    await pages.stack.fund(account, "12500000");
    await pay(account.token);
    await page.goto("/dashboard");
    await page.getByText("12.50 USDC").waitFor();
    await page.getByText("4.99 USD", { exact: true }).waitFor();
    await page.getByRole("img", { name: /Spending by day, last 30: 0\.01 USD in total/ }).waitFor();
    const rows = page.getByRole("table", { name: "Transactions" }).getByRole("row");
    // Header, payment and free credit.
    await expect.poll(() => rows.count()).toBe(3);
    expect((await pay(account.token)).status).toBe(200);
    await expect.poll(() => rows.count(), LIVE).toBe(4);
    await expect.poll(() => rows.getByText("by test", { exact: true }).count()).toBe(2);
    await page.getByText("4.98 USD", { exact: true }).waitFor();
    await page.getByRole("img", { name: /0\.02 USD in total/ }).waitFor();
    await page.getByText("Show table").click();
    await page.getByRole("table", { name: "Spending by day" }).getByText("0.02 USD").waitFor();
    await checkPage(person, "overview");
  });

  it("shows the updates missed during a lost connection", async () => {
    const { page } = person;
    const sockets: WebSocketRoute[] = [];
    await page.routeWebSocket("**/graphql", (socket) => {
      socket.connectToServer();
      sockets.push(socket);
    });
    await page.goto("/dashboard");
    const rows = page.getByRole("table", { name: "Transactions" }).getByRole("row");
    await expect.poll(() => rows.count()).toBe(2);
    await pay(account.token);
    await expect.poll(() => rows.count(), LIVE).toBe(3);
    expect(sockets).toHaveLength(1);
    const lost = sockets[0]?.close({ code: 1012 });
    await Promise.all([lost, pay(account.token), pay(account.token)]);
    await expect.poll(() => rows.count(), LIVE).toBe(5);
    await pay(account.token);
    await expect.poll(() => rows.count(), LIVE).toBe(6);
    expect(sockets).toHaveLength(2);
  });

  it("shows the updates missed after the service ended a subscription with an error", async () => {
    const { page } = person;
    const ends: (() => void)[] = [];
    await page.routeWebSocket("**/graphql", (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((text) => {
        const { id, type } = JSON.parse(String(text));
        const payload = [{ message: "Lost.", extensions: { code: "SUBSCRIPTION_INTERRUPTED" } }];
        if (type === "subscribe") ends.push(() => socket.send(JSON.stringify({ id, type: "error", payload })));
        server.send(text);
      });
    });
    await page.goto("/dashboard");
    const rows = page.getByRole("table", { name: "Transactions" }).getByRole("row");
    await expect.poll(() => rows.count()).toBe(2);
    await pay(account.token);
    await expect.poll(() => rows.count(), LIVE).toBe(3);
    for (const end of ends.splice(0)) end();
    await expect.poll(() => ends.length, LIVE).toBeGreaterThan(0);
    await pay(account.token);
    await expect.poll(() => rows.count(), LIVE).toBe(4);
  });

  it("filters transactions and pages to older ones and back", async () => {
    const { page } = person;
    await pay(account.token);
    const { prisma } = pages.stack.service.deps.db;
    const longAgo = Date.now() - 5 * 86_400_000;
    await prisma.transaction.createMany({
      data: Array.from({ length: 25 }, (_, i) => ({
        id: newId("tx"),
        accountId: account.accountId,
        type: "x402",
        status: i === 0 ? "failed" : "settled",
        direction: "out",
        network: "base-sepolia",
        asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
        amountAtomic: "1250000",
        amountMicroUsd: 1_250_000n,
        settledMicroUsd: i === 0 ? null : 1_250_000n,
        settledAtomic: i === 0 ? null : "1250000",
        budgetIds: [],
        budgetDay: new Date(longAgo),
        resource: `https://data.example/a/very/long/path/to/a/report/which/does/not/fit/on/a/phone/${i}`,
        payTo: "0x00000000000000000000000000000000000000aa",
        failureReason: i === 0 ? "The network refused it." : null,
        txHash: i === 0 ? null : `0x${"ab".repeat(32)}`,
        createdAt: new Date(longAgo - i * 60_000),
      })),
    });
    await page.goto("/dashboard");
    const table = page.getByRole("table", { name: "Transactions" });
    await page.getByRole("button", { name: "Older" }).click();
    await table.getByText("data.example/a/very/long/path/to/a/report/which/does/not/fit/on/a/phone/24").waitFor();
    await checkPage(person, "transactions");
    await page.getByRole("button", { name: "Newer" }).click();
    await table.getByText("/v1/weather").first().waitFor();
    await page.getByLabel("Status").selectOption("FAILED");
    await table.getByText("The network refused it.").waitFor();
    await expect.poll(() => table.getByRole("row").count()).toBe(2);
    await page.getByLabel("Type").selectOption("TRADE");
    await page.getByText("No matching transactions.").waitFor();
  });

  it("disables and enables payments", async () => {
    const { page } = person;
    await page.goto("/dashboard");
    const toggle = page.getByRole("switch", { name: "X402 payments" });
    await toggle.click();
    await page.getByText("X402 payments are off").waitFor();
    expect((await pay(account.token)).json.error).toBe("x402_not_enabled");
    await checkPage(person, "overview-off");
    await toggle.press("Space");
    await page.getByText("X402 payments are on").waitFor();
    expect((await pay(account.token)).status).toBe(200);
  });

  it("sets the account limits, and requires reauthentication before one is raised", async () => {
    const { page } = person;
    await page.goto("/dashboard");
    const limits = page.getByRole("region", { name: "Limits" });
    await limits.getByRole("button", { name: "Change limits" }).click();
    const dialog = page.getByRole("dialog");
    const save = dialog.getByRole("button", { name: "Save limits" });
    await dialog.getByLabel("Limit per payment").fill("ten");
    await dialog.getByLabel("Daily limit").fill("0.015");
    await save.click();
    await dialog.getByText("Enter an amount such as 5 or 0.25.").waitFor();
    await checkPage(person, "limits-dialog");
    await dialog.getByLabel("Limit per payment").fill("0.01");
    await save.click();
    await page.getByText("Account limits changed.").waitFor();
    await limits.getByText("up to 0.015 USD").waitFor();
    expect((await pay(account.token)).status).toBe(200);
    expect((await pay(account.token)).json.error).toBe("spending_limit_exceeded");
    await limits.getByText("0.01 USD spent").first().waitFor();
    await checkPage(person, "limits");

    const { prisma } = pages.stack.service.deps.db;
    const longAgo = new Date(Date.now() - 3_600_000);
    await prisma.session.updateMany({ where: { accountId: account.accountId }, data: { authenticatedAt: longAgo } });
    await limits.getByRole("button", { name: "Change limits" }).click();
    await dialog.getByLabel("Daily limit").fill("");
    await save.click();
    await dialog.getByText("To continue, sign in again: higher limits require a recent sign-in.").waitFor();
    // Closing the reauthentication dialog preserves the entered data.
    await page.keyboard.press("Escape");
    await expect.poll(() => dialog.getByLabel("Daily limit").inputValue()).toBe("");
    await save.click();
    await dialog.getByRole("button", { name: "Send code" }).click();
    await dialog.getByLabel("Code").waitFor();
    await dialog.getByLabel("Code").fill(await pages.waitForCode(await emailOf(account)));
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(async () => (await pay(account.token)).status).toBe(200);
    await limits.getByText("up to 0.015 USD").waitFor({ state: "detached" });
    expect(person.browserErrors).toEqual([]);
  });
});

it("shows the deposit address as text and QR code, and copies it", async () => {
  const { page } = person;
  const { evmAddress } = await pages.stack.service.deps.wallets.ofAccount(account.accountId);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto("/dashboard/fund");
  await page.getByText(evmAddress, { exact: true }).waitFor();
  await page.getByRole("img", { name: "QR code of your address on base-sepolia" }).waitFor();
  await page.getByRole("button", { name: "Copy the address" }).click();
  await page.getByText("Copied the address.").waitFor();
  expect(await page.evaluate("navigator.clipboard.readText()")).toBe(evmAddress);
  await checkPage(person, "fund");
});

it("sends a transfer after confirmation, and follows it until it is on chain", async () => {
  const other = await pages.stack.account();
  await pages.stack.fund(account, "2000000");
  const { page } = person;
  await page.goto("/dashboard/fund");
  await page.getByText("Send", { exact: true }).click();
  await page.getByText("Balance: 2.00 USDC").waitFor();
  const [to, amount] = [page.getByLabel("Recipient address"), page.getByLabel("Amount")];
  const goOn = page.getByRole("button", { name: "Continue" });
  await goOn.click();
  await page.getByText("Enter the address of the recipient.").waitFor();
  await page.getByText("Enter an amount such as 5 or 0.25.").waitFor();
  await checkPage(person, "send-wrong");

  const { deps } = pages.stack.service;
  const { evmAddress } = await deps.wallets.ofAccount(other.accountId);
  const dialog = page.getByRole("alertdialog");
  await to.fill("0x52908400098527886E0F7030069857D2E4169Ee7");
  await amount.fill("1.25");
  await goOn.click();
  await dialog.getByRole("button", { name: "Send 1.25 USDC" }).click();
  await page.getByText("It has an invalid checksum (EIP-55).").waitFor();
  await expect.poll(() => to.getAttribute("aria-invalid")).toBe("true");
  await to.fill(evmAddress);
  await amount.fill("2.5");
  await goOn.click();
  await dialog.getByRole("button", { name: "Send 2.50 USDC" }).click();
  await dialog.getByText(/No payment was made\./).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await amount.fill("1.25");
  await goOn.click();
  await dialog.getByText("Transfers cannot be reversed").waitFor();
  await dialog.getByText(evmAddress, { exact: true }).waitFor();
  await checkPage(person, "send-confirm");
  const longAgo = new Date(Date.now() - 3_600_000);
  await deps.db.prisma.session.updateMany({
    where: { accountId: account.accountId },
    data: { authenticatedAt: longAgo },
  });
  await dialog.getByRole("button", { name: "Send 1.25 USDC" }).dblclick();
  const proof = page.getByRole("dialog");
  await proof.getByText("To continue, sign in again: withdrawals require a recent sign-in.").waitFor();
  await proof.getByRole("button", { name: "Send code" }).click();
  await proof.getByLabel("Code").waitFor();
  await proof.getByLabel("Code").fill(await pages.waitForCode(await emailOf(account)));
  await proof.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Settled", { exact: true }).waitFor();
  await checkPage(person, "sent");

  const transfers = await deps.db.prisma.transaction.findMany({
    where: { accountId: account.accountId, type: "transfer" },
  });
  expect(transfers).toMatchObject([{ status: "settled", payTo: evmAddress, settledMicroUsd: 1_250_000n }]);
  await page.getByRole("button", { name: "Copy the transaction hash" }).waitFor();
  await page.getByRole("button", { name: "New transfer" }).click();
  await page.getByText("Balance: 0.75 USDC").waitFor();
  await expect.poll(() => to.inputValue()).toBe("");
  expect(person.browserErrors).toEqual([]);
});

it("creates a token with limits, shows its secret once, changes its card limits, and revokes it", async () => {
  const { page } = person;
  await page.goto("/dashboard/tokens");
  await page.getByRole("button", { name: "New token" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Weather agent");
  await dialog.getByLabel("Limit per payment").fill("0.0000001");
  await dialog.getByLabel("Daily limit").fill("0.015");
  await dialog.getByLabel("Allowed hosts").fill(new URL(sellerUrl).host);
  await dialog.getByRole("button", { name: "Create token" }).click();
  await dialog.getByText("Enter an amount such as 5 or 0.25.").waitFor();
  await expect.poll(() => page.evaluate("document.activeElement.labels?.[0]?.textContent")).toBe("Limit per payment");
  // The form rejects an incomplete date, which would create a token without expiry.
  await dialog.getByLabel("Expires on").press("1");
  await dialog.getByRole("button", { name: "Create token" }).click();
  await dialog.getByText("Choose today or a later date, or leave the field empty.").waitFor();
  await checkPage(person, "token-new");
  await dialog.getByLabel("Limit per payment").fill("0.01");
  await dialog.getByLabel("Expires on").fill("");
  await dialog.getByRole("button", { name: "Create token" }).click();
  await dialog.getByText("Shown only once").waitFor();
  const secret = (await dialog.locator("code").first().textContent()) ?? "";
  await checkPage(person, "token-made");
  expect(await pay(secret)).toMatchObject({ status: 200 });
  expect((await pay(secret)).json.error).toBe("spending_limit_exceeded");
  await page.keyboard.press("Escape");
  await dialog.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("row").filter({ hasText: "Weather agent" });
  await row.getByText("up to 0.015 USD").waitFor();
  await page.reload();
  await expect.poll(() => row.getByText("0.01 USD spent").count(), LIVE).toBe(2);
  expect(await page.content()).not.toContain(secret);
  await checkPage(person, "tokens");
  const changeCardLimits = row.getByRole("button", { name: "Change card limits of Weather agent" });
  await changeCardLimits.click();
  await dialog.getByLabel("Limits for orders by card").selectOption("OWN");
  await dialog.getByLabel("Currency").selectOption("EUR");
  await dialog.getByLabel("Card limit per order").fill("12.345");
  await dialog.getByRole("button", { name: "Save limits" }).click();
  await dialog.getByText("Enter an amount such as 25 or 12.50.").waitFor();
  await checkPage(person, "token-card-limits");
  await dialog.getByLabel("Card limit per order").fill("12.50");
  await dialog.getByRole("button", { name: "Save limits" }).click();
  await page.getByText("Card limits of “Weather agent” changed.").waitFor();
  const { cardBudget } = pages.stack.service.deps.db.prisma;
  expect(await cardBudget.findFirstOrThrow({ where: { accountId: account.accountId } })).toMatchObject({
    ...{ currency: "EUR", perOrderMinor: 1_250n, monthlyMinor: null },
  });
  await changeCardLimits.click();
  expect(await dialog.getByLabel("Card limit per order").inputValue()).toBe("12.50");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await row.getByRole("button", { name: "Revoke Weather agent" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke token" }).click();
  await row.getByText("Revoked").waitFor();
  expect((await pay(secret)).status).toBe(401);
  expect(person.browserErrors).toEqual([]);
});

it("requires reauthentication for a token with broad permissions, and preserves the entered data", async () => {
  const { page } = person;
  const { prisma } = pages.stack.service.deps.db;
  const longAgo = new Date(Date.now() - 3_600_000);
  await prisma.session.updateMany({ where: { accountId: account.accountId }, data: { authenticatedAt: longAgo } });
  await page.goto("/dashboard/tokens");
  await page.getByRole("button", { name: "New token" }).click();
  const form = page.getByRole("dialog", { name: "New token" });
  const proof = page.getByRole("dialog", { name: "Sign in again" });
  const make = form.getByRole("button", { name: "Create token" });
  await form.getByLabel("Name").fill("Buyer");
  await make.click();
  await proof
    .getByText("To continue, sign in again: tokens with these permissions require a recent sign-in.")
    .waitFor();
  expect(person.browserErrors).toEqual([]);
  await page.keyboard.press("Escape");
  await proof.waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Create token");
  expect(await form.getByLabel("Name").inputValue()).toBe("Buyer");
  await make.click();
  await proof.getByRole("button", { name: "Send code" }).click();
  await proof.getByLabel("Code").waitFor();
  await proof.getByLabel("Code").fill(await pages.waitForCode(await emailOf(account)));
  await proof.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Token created" }).waitFor();
  expect(await prisma.apiToken.count({ where: { accountId: account.accountId, name: "Buyer" } })).toBe(1);
});

it("shows a page for unknown paths", async () => {
  const visitor = await pages.openUser();
  const response = await visitor.page.goto("/dashboard/nowhere");
  expect(response?.status()).toBe(404);
  await visitor.page.getByRole("heading", { name: "Page not found" }).waitFor();
  // The browser reports every 404 response itself.
  visitor.browserErrors.length = 0;
  await checkPage(visitor, "not-found");
});
