/** Pages on a service of other settings: a network whose nodes answer nothing, and security codes that are not stored. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openPages, type Pages, START_TIMEOUT_MS } from "../support/pages.ts";
import { personOf } from "./people.ts";

let node: Server;
let pages: Pages;
/** What the network's node was asked; it answers nothing of use. */
const asked: string[] = [];
beforeAll(async () => {
  node = createServer(async (request, response) => {
    asked.push(Buffer.concat(await request.toArray()).toString());
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

it("leaves the chain alone where its name is all that is shown", async () => {
  const { accountId } = await pages.stack.account();
  const { evmAddress } = await pages.stack.service.deps.wallets.ofAccount(accountId);
  const { page } = await personOf(pages, accountId);
  const ofWallet = () => asked.filter((body) => body.toLowerCase().includes(evmAddress.slice(2).toLowerCase()));
  await page.goto("/buy?merchant=shop.example");
  await page.getByText("base", { exact: true }).waitFor();
  await page.goto("/dashboard/apps");
  await page.getByText("No app is connected.").waitFor();
  await page.goto("/dashboard/tokens");
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByLabel("base", { exact: true }).waitFor();
  expect(ofWallet()).toEqual([]);
  // It can tell: what is held there is asked of the chain.
  await page.goto("/dashboard");
  await page.getByText("Its nodes do not answer right now").waitFor();
  expect(ofWallet()).not.toEqual([]);
});

it("shows the rest where a network's nodes do not answer, and the address there", async () => {
  const { accountId } = await pages.stack.account();
  const { evmAddress } = await pages.stack.service.deps.wallets.ofAccount(accountId);
  const { page } = await personOf(pages, accountId);
  await page.goto("/dashboard");
  await page.getByText("Its nodes do not answer right now").waitFor();
  expect(await page.getByRole("switch", { name: "X402 payments" }).isChecked()).toBe(true);
  await page.getByText("5.00 USD").first().waitFor();
  await page.getByRole("link", { name: "Fund" }).click();
  await page.getByText("its nodes do not answer right now").waitFor();
  await page.getByText(evmAddress).waitFor();
});

it("makes no token before it says where the token may pay", async () => {
  const { accountId } = await pages.stack.account();
  const { page } = await personOf(pages, accountId);
  const { promise: isTime, resolve: answer } = Promise.withResolvers<void>();
  await page.route("**/graphql", async (route) => {
    if (route.request().postData()?.includes("query TokenChoices")) await isTime;
    await route.continue();
  });
  await page.goto("/dashboard/tokens");
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByLabel("Name").fill("Reader");
  await page.keyboard.press("Enter");
  const make = page.getByRole("button", { name: "Make the token" });
  await expect.poll(() => make.getAttribute("aria-disabled")).toBe("true");
  answer();
  await expect.poll(() => page.getByLabel("base", { exact: true }).isChecked()).toBe(true);
  expect(await page.getByRole("alert").filter({ hasText: /./ }).count()).toBe(0);
  await make.click();
  await page.getByText("Shown this once").waitFor();
});

it("asks for no security code where none is stored, and says so", async () => {
  const { accountId } = await pages.stack.account();
  const { page } = await personOf(pages, accountId);
  await page.goto("/cards");
  await page.getByText("Security codes are not kept.").waitFor();
  await page.getByRole("link", { name: "Add a card" }).click();
  await page.getByLabel("Card number").waitFor();
  await expect.poll(() => page.getByLabel("Security code").count()).toBe(0);
});
