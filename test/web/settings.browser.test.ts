/** Pages of a service with other settings: a network with failing nodes, and security codes that are not stored. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPages, type Pages, START_TIMEOUT_MS } from "../support/pages.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

let node: Server;
let pages: Pages;
/** Request bodies received by the network's node, which responds with 503 to all of them. */
const requestBodies: string[] = [];
beforeAll(async () => {
  node = createServer(async (request, response) => {
    requestBodies.push(Buffer.concat(await request.toArray()).toString());
    response.writeHead(503).end();
  }).listen(0, "127.0.0.1");
  await once(node, "listening");
  const env = {
    CARD_SECURITY_CODE: "ask",
    RPC_URL_BASE: `http://127.0.0.1:${(node.address() as AddressInfo).port}`,
  };
  pages = await openPages({ networks: [], env });
}, START_TIMEOUT_MS);
afterAll(async () => {
  await pages?.stop();
  node?.close();
});

it("sends no request to the chain for pages that show only its name", async () => {
  const { accountId } = await pages.stack.account();
  const { evmAddress } = await pages.stack.service.deps.wallets.ofAccount(accountId);
  const { page } = await openSignedInPage(pages, accountId);
  const ofWallet = () => requestBodies.filter((body) => body.toLowerCase().includes(evmAddress.slice(2).toLowerCase()));
  await page.goto("/buy?merchant=merchant.example");
  await page.getByText("base", { exact: true }).waitFor();
  await page.goto("/dashboard/apps");
  await page.getByText("No connected apps yet.").waitFor();
  await page.goto("/dashboard/tokens");
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByLabel("base", { exact: true }).waitFor();
  expect(ofWallet()).toEqual([]);
  // Counter-check: the overview queries the balance on chain.
  await page.goto("/dashboard");
  await page.getByText("Network unavailable").waitFor();
  expect(ofWallet()).not.toEqual([]);
});

it("shows the address and all other data if the nodes of a network fail", async () => {
  const { accountId } = await pages.stack.account();
  const { evmAddress } = await pages.stack.service.deps.wallets.ofAccount(accountId);
  const { page } = await openSignedInPage(pages, accountId);
  await page.goto("/dashboard");
  await page.getByText("Network unavailable").waitFor();
  expect(await page.getByRole("switch", { name: "X402 payments" }).isChecked()).toBe(true);
  await page.getByText("5.00 USD").first().waitFor();
  await page.getByRole("link", { name: "Fund" }).click();
  await page.getByText("network unavailable").waitFor();
  await page.getByText(evmAddress).waitFor();
});

it("creates no token before the networks are loaded", async () => {
  const { accountId } = await pages.stack.account();
  const { page } = await openSignedInPage(pages, accountId);
  const { promise: isTime, resolve: respond } = Promise.withResolvers<void>();
  await page.route("**/graphql", async (route) => {
    if (route.request().postData()?.includes("query TokenChoices")) await isTime;
    await route.continue();
  });
  await page.goto("/dashboard/tokens");
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByLabel("Name").fill("Reader");
  await page.getByLabel("Limits for orders by card").selectOption("Other limits");
  await page.getByLabel("Currency").selectOption("GBP");
  await page.getByLabel("Card limit per order").fill("12.50");
  await page.getByLabel("Name").press("Enter");
  const make = page.getByRole("button", { name: "Create token" });
  await expect.poll(() => make.getAttribute("aria-disabled")).toBe("true");
  respond();
  await expect.poll(() => page.getByLabel("base", { exact: true }).isChecked()).toBe(true);
  expect(await page.getByRole("alert").filter({ hasText: /./ }).count()).toBe(0);
  await make.click();
  await page.getByText("Shown only once").waitFor();
});

it("has no security code field if codes are not stored, and states that", async () => {
  const { accountId } = await pages.stack.account();
  const { page } = await openSignedInPage(pages, accountId);
  await page.goto("/cards");
  await page.getByText("Security codes are not stored.").waitFor();
  await page.getByRole("link", { name: "Add card" }).click();
  await page.getByLabel("Card number").waitFor();
  await expect.poll(() => page.getByLabel("Security code").count()).toBe(0);
});
