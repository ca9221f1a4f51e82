/** Orders that need the account owner, in a real browser: every dashboard page shows their live count. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { addMerchant, addOrder, addSealedCard } from "../checkout/orders/order-rows.ts";
import { checkPage, openPages, type Pages, type PageUser, START_TIMEOUT_MS } from "../support/pages.ts";
import type { TestAccount } from "../support/stack.ts";
import { claimOrder } from "./claim-order.ts";
import { announceUntilShown } from "./publish-until-shown.ts";
import { createPendingPurchase } from "./purchases.ts";
import { QUOTE } from "./quote.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

const LIVE = { timeout: 10_000 };

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
const orders = () => person.page.getByRole("link", { name: /^Orders/ }).first();

it("shows a new approval on the overview and in the menu, until it is decided", async () => {
  const { page } = person;
  await page.goto("/dashboard");
  await page.getByRole("heading", { name: "Limits" }).waitFor();
  await expect.poll(() => orders().textContent()).toBe("Orders");
  await expect.poll(() => page.getByText("Action required").count()).toBe(0);

  const purchase = await createPendingPurchase(pages.stack, account);
  const { accountId } = account;
  const heading = page.getByRole("heading", { name: "Action required" });
  await announceUntilShown(pages.stack, { accountId, id: purchase.orderId }, heading);
  await expect.poll(() => orders().textContent()).toContain("(1 order needs your attention)");
  await page.getByRole("status").filter({ hasText: "1 order needs your attention" }).waitFor({ state: "attached" });
  const entry = page.getByRole("table", { name: "Orders that require action" }).getByRole("row").nth(1);
  for (const text of ["Waxed jacket", "Harbour Outfitters", "Travel agent requests this purchase.", "32.45 GBP"]) {
    await entry.getByText(text).waitFor();
  }
  await expect.poll(() => entry.getByRole("timer").textContent()).toMatch(/^1[45]:\d\d$/);
  await checkPage(person, "waiting-approval");

  await entry.getByRole("link", { name: "Review" }).click();
  await page.waitForURL(`**/approve/${purchase.approvalId}`);
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("heading", { name: "Denied" }).waitFor();
  await page.goto("/dashboard");
  await page.getByRole("heading", { name: "Limits" }).waitFor();
  await expect.poll(() => orders().textContent()).toBe("Orders");
  await expect.poll(() => page.getByText("Action required").count()).toBe(0);
});

it("counts prompts of the checkout on every page, with the remaining time", async () => {
  const { page } = person;
  await page.goto("/cards");
  const { approvalId, orderId } = await createPendingPurchase(pages.stack, account);
  const { accountId } = account;
  await announceUntilShown(
    pages.stack,
    { accountId, id: orderId },
    orders().getByText("(1 order needs your attention)"),
  );
  const { deps } = pages.stack.service;
  const references = {
    merchantId: await addMerchant(deps.db),
    cardId: await addSealedCard(deps.db, deps.keks, account.accountId),
  };
  const { id } = await addOrder(deps.db, account.accountId, { ...references, quote: QUOTE });
  const { worker, lease } = await claimOrder(pages.stack, id);
  await worker.submit(lease);
  await worker.send(lease, "person-needed", { for: "three_d_secure", waitMs: 300_000 });
  await expect.poll(() => orders().textContent(), LIVE).toContain("(2 orders need your attention)");

  await page.goto("/dashboard");
  const entry = page.getByRole("row").filter({ hasText: "3-D Secure confirmation required" });
  await expect.poll(() => entry.getByRole("timer").textContent()).toMatch(/^[45]:\d\d$/);
  expect(person.browserErrors).toEqual([]);
  await entry.getByRole("link", { name: "Open" }).click();
  await page.waitForURL(`**/orders/${id}`);
  await page.getByText("Action required").waitFor();

  await worker.send(lease, "person-needed", { for: null });
  await expect.poll(() => orders().textContent(), LIVE).toContain("(1 order needs your attention)");
  // An expired approval is no longer listed.
  await prisma().checkoutApproval.update({ where: { id: approvalId }, data: { expiresAt: new Date() } });
  await page.goto("/orders");
  await page.getByLabel("Status").selectOption("waiting");
  await page.getByText("No matching orders.").waitFor();
  await expect.poll(() => orders().textContent()).toBe("Orders");
});

it("shows a new approval after a lost connection without earlier events", async () => {
  const { page } = person;
  await page.goto("/dashboard");
  await page.getByRole("heading", { name: "Limits" }).waitFor();
  let isAway = false;
  let lose = () => {};
  await page.routeWebSocket("**/graphql", (socket) => {
    if (isAway) return void socket.close({ code: 1012 });
    socket.connectToServer();
    lose = () => void socket.close({ code: 1012 });
  });
  const connected = page.waitForEvent("websocket");
  await page.reload();
  await connected;
  await page.getByRole("heading", { name: "Limits" }).waitFor();
  isAway = true;
  const refetched = page.waitForResponse(
    (response) => response.request().postData()?.includes("WaitingOrders") ?? false,
  );
  lose();
  await refetched;
  await createPendingPurchase(pages.stack, account);
  isAway = false;
  await page.getByRole("heading", { name: "Action required" }).waitFor();
});
