/** Webhook pages in a real browser, with an endpoint that receives deliveries. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type Receiver, startReceiver, verify } from "../events/receiver.ts";
import { checkPage, openPages, type Pages, type PageUser, START_TIMEOUT_MS } from "../support/pages.ts";
import type { TestAccount } from "../support/stack.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

let pages: Pages;
let account: TestAccount;
let person: PageUser;
let receiver: Receiver;
beforeAll(async () => {
  pages = await openPages();
}, START_TIMEOUT_MS);
beforeEach(async () => {
  receiver = await startReceiver();
  account = await pages.stack.account();
  person = await openSignedInPage(pages, account.accountId);
});
afterEach(() => receiver.stop());
afterAll(() => pages?.stop());

const CREATE = `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) {
  ... on CreateWebhookSuccess { webhook { webhookId } } } }`;
const countDeliveries = () => receiver.received.length;

it("creates a webhook, sends a test event, and resends it after the endpoint responded with 500", async () => {
  const { page } = person;
  await page.goto("/dashboard");
  await page.getByRole("link", { name: "Webhooks" }).click();
  await page.getByText("No webhooks yet.").waitFor();
  await page.getByRole("button", { name: "New webhook" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("URL").fill("http://10.0.0.1/hook");
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  await dialog.getByText("10.0.0.1 is a private or reserved address.").waitFor();
  await dialog.getByLabel("URL").fill(receiver.url);
  await dialog.getByLabel("Description").fill("the books");
  await dialog.getByText("Selected").click();
  await dialog.getByLabel("Payment settled").check();
  await checkPage({ ...person, browserErrors: [] }, "webhook-new");
  await dialog.getByRole("button", { name: "Create webhook" }).click();
  await page.getByText("Shown only once").waitFor();
  const secret = (await page.getByRole("dialog").locator("code").first().textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  await checkPage(person, "webhooks");

  await page.getByRole("link", { name: receiver.url }).click();
  await page.getByRole("heading", { name: "the books" }).waitFor();
  receiver.respondWith(500);
  await page.getByRole("button", { name: "Send test event" }).click();
  const deliveries = page.getByRole("table", { name: "Deliveries, newest first" });
  await deliveries.getByText("The endpoint responded with 500.").waitFor();
  await page.getByText("Deliveries failing").waitFor();
  receiver.respondWith(200);
  await deliveries.getByRole("button", { name: /Resend evt_/ }).click();
  await deliveries.getByText("Delivered").waitFor();
  await expect.poll(countDeliveries).toBeGreaterThanOrEqual(2);
  const [first] = receiver.received as [Receiver["received"][0]];
  expect(verify(secret, first)).toEqual(first.json);
  await deliveries.getByText("Request body").click();
  await deliveries.getByText('"type": "webhook.test"').waitFor();
  await checkPage(person, "webhook");
}, 120_000);

it("rotates the secret of an existing webhook, disables and enables it, replays events, edits it, and removes it", async () => {
  const input = { url: receiver.url, eventTypes: ["PAYMENT_SETTLED"] };
  const { json } = await pages.stack.graphql(account.token, CREATE, { input });
  const { page } = person;
  await page.goto(`/dashboard/webhooks/${json.data.createWebhook.webhook.webhookId}`);
  await page.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate secret" }).click();
  await page.getByText("Shown only once").waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByText("Webhook disabled").waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Send test event" }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Enable" }).click();
  await page.getByText("Webhook disabled").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Replay events…" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click();
  await page.getByText(/\d+ events? queued\./).waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("All", { exact: true }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("definition").filter({ hasText: /^All$/ }).waitFor();
  await page.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove webhook" }).click();
  await page.getByText("No webhooks yet.").waitFor();
  expect(person.browserErrors).toEqual([]);
}, 60_000);
