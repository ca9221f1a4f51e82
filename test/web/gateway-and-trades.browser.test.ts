/** Gateway and trade pages in a real browser: model calls, trades and their costs. */
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import { checkPage, openPages, type Pages, type PageUser, START_TIMEOUT_MS } from "../support/pages.ts";
import type { TestAccount } from "../support/stack.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

const LIVE = { timeout: 10_000 };
const MODEL = {
  contextLength: 128_000,
  maxOutputTokens: 1_024,
  promptUsdPerToken: "0.000002",
  completionUsdPerToken: "0.000008",
  supportedParameters: ["max_tokens"],
};

let pages: Pages;
let account: TestAccount;
let person: PageUser;
beforeAll(async () => {
  pages = await openPages({
    networks: ["base", "base-sepolia"],
    env: ({ llmUrl }) => ({
      GATEWAY_PROVIDERS: JSON.stringify(
        [
          { name: "echo", path: "key", id: "sandbox/echo" },
          { name: "broken", path: "faulty-key", id: "sandbox/500" },
        ].map(({ name, path, id }) => ({
          name,
          baseUrl: `${llmUrl}/${path}/v1`,
          kind: "key",
          apiKey: "sandbox-llm-key",
          models: [{ ...MODEL, id }],
        })),
      ),
    }),
  });
}, START_TIMEOUT_MS);
beforeEach(async () => {
  account = await pages.stack.account();
  person = await openSignedInPage(pages, account.accountId);
});
afterAll(() => pages?.stop());

/** Calls a model through the OpenAI client, and one that fails. @returns usage of the successful call */
async function callModels() {
  const client = new OpenAI({ apiKey: account.token, baseURL: `${pages.stack.baseUrl}/v1`, maxRetries: 0 });
  const messages = [{ role: "user" as const, content: "Where is the pocket?" }];
  const { usage } = await client.chat.completions.create({ model: "sandbox/echo", messages, max_tokens: 50 });
  await expect(client.chat.completions.create({ model: "sandbox/500", messages })).rejects.toThrow();
  return usage;
}

describe("gateway page", () => {
  it("shows an empty state before the first call, then the usage and cost of each model", async () => {
    const { page } = person;
    await page.goto("/dashboard");
    await page.getByRole("link", { name: "AI gateway" }).click();
    await page.getByText("No calls in the last 30 days.").waitFor();
    await page.getByText("No calls yet.").waitFor();
    const models = page.getByRole("table", { name: "Models and their prices" });
    await models.getByRole("row").filter({ hasText: "sandbox/echo" }).getByText("8.00 USD").waitFor();
    await checkPage(person, "gateway-empty");

    const { prompt_tokens: sent = 0, completion_tokens: received = 0 } = (await callModels()) ?? {};
    expect(sent * received).toBeGreaterThan(0);
    const cost = `${((sent * 2 + received * 8) / 1e6).toFixed(6).replace(/0+$/, "")} USD`;

    const calls = page.getByRole("table", { name: "Calls, newest first" });
    const row = calls.getByRole("row").filter({ hasText: "sandbox/echo" });
    for (const text of [cost, `${sent} in`, `${received} out`, "Completed", "via echo"]) {
      await row.getByText(text, { exact: true }).waitFor();
    }
    await calls.getByRole("row").filter({ hasText: "sandbox/500" }).getByText("Failed", { exact: true }).waitFor();
    await page.getByRole("img", { name: `Usage by day, last 30: ${cost} in total for 1 call` }).waitFor();
    await page.getByText("Show table").click();
    const table = page.getByRole("table", { name: "Usage by day and model" });
    await table.getByRole("row").filter({ hasText: "sandbox/echo" }).getByText(cost).waitFor();
    expect(person.browserErrors).toEqual([]);
  });

  it("filters calls by model and period, and shows the base URL for clients", async () => {
    const { page } = person;
    await callModels();
    await page.goto("/dashboard/gateway");
    const calls = page.getByRole("table", { name: "Calls, newest first" });
    await page.getByLabel("Status").selectOption("FAILED");
    await expect.poll(() => calls.getByRole("row").count()).toBe(2);
    await page.getByLabel("Model", { exact: true }).selectOption("sandbox/echo");
    await page.getByText("No matching calls.").waitFor();
    await page.getByText("12 months").click();
    await page.getByRole("img", { name: /^Usage by month, last 12: .* for 1 call/ }).waitFor();
    await page.getByText(`${pages.origin}/v1`, { exact: true }).waitFor();
    await expect
      .poll(() => page.getByLabel("Request example").textContent())
      .toContain(`baseURL: "${pages.origin}/v1"`);
  });

  it("shows usage by model and day, and pages to older calls", async () => {
    const { page } = person;
    await callModels();
    const models = ["anthropic/claude-sonnet-4.5", "openai/gpt-4o-mini", "openai/gpt-4o"];
    await pages.stack.service.deps.db.prisma.gatewayCall.createMany({
      data: Array.from({ length: 24 }, (_, i) => ({
        id: newId("gwc"),
        accountId: account.accountId,
        budgetId: account.accountId,
        model: models[i % models.length] ?? "",
        provider: "elsewhere",
        status: i === 23 ? "aborted" : "completed",
        isStreamed: i % 2 === 0,
        promptTokens: 1_200 * (i + 1),
        completionTokens: 300,
        costMicroUsd: BigInt(12_345 * ((i % 5) + 1)),
        createdAt: new Date(Date.now() - (1 + Math.floor(i / 4)) * 86_400_000 - i),
      })),
    });
    await page.goto("/dashboard/gateway");
    await page.getByRole("img", { name: /^Usage by day, last 30: .* for 25 calls, maximum / }).waitFor();
    const shares = page.getByRole("list", { name: "By model" }).getByRole("listitem");
    await expect.poll(() => shares.count()).toBe(4);
    await page.getByText("Show table").click();
    await checkPage(person, "gateway-models");
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText("Aborted by client").waitFor();
    await page.getByText("28,800 in").waitFor();
    // A model that is not offered here but has calls.
    await page.getByLabel("Model", { exact: true }).selectOption("openai/gpt-4o");
    const calls = page.getByRole("table", { name: "Calls, newest first" });
    await expect.poll(() => calls.getByRole("row").count()).toBe(9);
  });
});

it("quotes a trade, executes it after confirmation, and shows other trades live", async () => {
  await pages.stack.fund(account, "100000000");
  const { page } = person;
  await page.goto("/dashboard/trades");
  await page.getByText("No trades yet.").waitFor();
  await page.getByLabel("Sell", { exact: true }).fill("USDC");
  await page.getByLabel("Amount").fill("12.5");
  await page.getByLabel("Buy", { exact: true }).fill("NOSUCH");
  await page.getByRole("button", { name: "Get quote" }).click();
  await page.getByText('It is not a known symbol: "NOSUCH".').waitFor();
  await checkPage(person, "trades-refused");
  await page.getByLabel("Buy", { exact: true }).fill("WETH");
  await page.getByRole("button", { name: "Get quote" }).click();
  const inWeth = page.getByRole("dialog", { name: "Sell USDC for WETH" });
  await inWeth.waitFor();
  // Neither digits nor the currency are cut off.
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await inWeth.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await page.setViewportSize({ width: 1200, height: 900 });
  await page.keyboard.press("Escape");
  await page.getByLabel("Buy", { exact: true }).fill("DAI");
  await page.getByRole("button", { name: "Get quote" }).click();
  const dialog = page.getByRole("dialog", { name: "Sell USDC for DAI" });
  await dialog.getByText("12.50 USDC", { exact: true }).waitFor();
  await checkPage(person, "trade-quote");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  const { prisma } = pages.stack.service.deps.db;
  const { accountId } = account;
  expect(await prisma.trade.count({ where: { accountId } })).toBe(0);

  await page.getByRole("button", { name: "Get quote" }).click();
  await dialog.getByRole("button", { name: "Sell 12.50 USDC" }).click();
  await page.getByText(/^Sold 12\.50 USDC for [\d.]+ DAI\.$/).waitFor();
  const rows = page.getByRole("table", { name: "Trades, newest first" }).getByRole("row");
  await expect.poll(() => rows.count(), LIVE).toBe(2);
  const { txHash } = await prisma.transaction.findFirstOrThrow({ where: { accountId, type: "trade" } });
  await rows.nth(1).getByText("Settled", { exact: true }).waitFor();
  await rows.nth(1).getByTitle(String(txHash)).waitFor();

  const other = { sellToken: "USDC", buyToken: "ETH", sellAmount: "3.25" };
  expect(await pages.stack.rest(account.token, "POST", "/api/trade", other)).toMatchObject({ status: 200 });
  await rows.nth(1).getByText("3.25 USDC").waitFor();
  await rows.nth(1).getByText("Settled", { exact: true }).waitFor();
  await checkPage(person, "trades");
});
