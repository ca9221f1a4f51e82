/** What account owners stop, export, delete and publish, in a real browser. */
import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import { checkPage, openPages, type Pages, START_TIMEOUT_MS } from "../support/pages.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

let pages: Pages;

beforeAll(async () => {
  pages = await openPages();
}, START_TIMEOUT_MS);

it("stops everything, shows it on every page, and resumes with a passkey", async () => {
  const person = await pages.openUser();
  const { page } = person;
  await person.addAuthenticator();
  const email = `${randomUUID()}@example.test`;
  await pages.signIn(person, email, "/dashboard/security");
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByText(/^Passkey “.*” added\.$/).waitFor();
  await page.getByRole("button", { name: "Stop everything" }).click();
  const confirmation = page.getByRole("alertdialog");
  await confirmation.getByText(/until you resume the account with a passkey/).waitFor();
  await checkPage(person, "stop-confirmation");
  await confirmation.getByRole("button", { name: "Stop everything" }).click();
  await page.getByText("Nothing is in flight.").waitFor();
  await page.goto("/cards");
  const banner = page.getByRole("status").filter({ hasText: "Everything is stopped" });
  await banner.getByRole("button", { name: "Resume account" }).waitFor();
  await checkPage(person, "stopped");
  // The session began with a code by email, which does not resume an account.
  await banner.getByRole("button", { name: "Resume account" }).click();
  const resumed = page.getByText("The account was resumed.");
  const dialog = page.getByRole("dialog");
  const button = dialog.getByRole("button", { name: "Use passkey" });
  await button.waitFor();
  expect(await dialog.getByLabel("Email").count()).toBe(0);
  await button.click();
  await resumed.waitFor();
  await expect.poll(() => banner.count()).toBe(0);
  const { prisma } = pages.stack.service.deps.db;
  expect((await prisma.account.findUniqueOrThrow({ where: { email } })).frozenAt).toBe(null);
  expect(person.browserErrors).toEqual([]);
}, 60_000);

it("exports the account's data, and schedules and cancels its deletion", async () => {
  const { accountId } = await pages.stack.account();
  const person = await openSignedInPage(pages, accountId);
  const { page } = person;
  await page.goto("/dashboard/your-data");
  await page.getByText("No exports yet.").waitFor();
  await checkPage(person, "your-data");
  await page.getByRole("button", { name: "Export data" }).click();
  await page.getByText(/^Completed/).waitFor({ timeout: 30_000 });
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.(zip|tar\.gz|tgz|tar)$/);

  await page.getByRole("button", { name: "Delete account" }).click();
  const confirmation = page.getByRole("alertdialog");
  await checkPage(person, "delete-confirmation");
  await confirmation.getByRole("button", { name: "Delete account" }).click();
  const scheduled = page.getByText("Your account is scheduled for deletion");
  // A wallet with a balance needs a second confirmation.
  const balances = confirmation.getByRole("button", { name: "Give up balances and delete" });
  await scheduled.or(balances).waitFor();
  if (await balances.isVisible()) await balances.click();
  await scheduled.waitFor();
  await checkPage(person, "deletion-scheduled");
  await page.getByRole("button", { name: "Cancel deletion" }).click();
  await page.getByText("Deletion cancelled.").waitFor();
  await page.getByRole("button", { name: "Delete account" }).waitFor();
}, 90_000);

it("states what becomes public before an agent is registered", async () => {
  const { accountId } = await pages.stack.account();
  const person = await openSignedInPage(pages, accountId);
  const { page } = person;
  await page.goto("/dashboard/agent");
  const choice = page.getByRole("button", { name: /^(Enable|Disable) registration$/ });
  await choice.waitFor();
  const name = (await choice.textContent()) ?? "";
  await choice.click();
  await checkPage(person, "registration-confirmation");
  await page.getByRole("alertdialog").getByRole("button", { name }).click();
  await page.getByText("Choice saved.").waitFor();
  const other = name.startsWith("Enable") ? "Disable registration" : "Enable registration";
  await page.getByRole("button", { name: other }).waitFor();
  await checkPage(person, "registration");
}, 60_000);
