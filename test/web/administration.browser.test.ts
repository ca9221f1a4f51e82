/** Accounts on the administrators' page: search, state, ending sessions, and the record of the act. */
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { checkPage, openPages, type Pages } from "../support/pages.ts";
import { ADMIN_EMAIL } from "../support/stack.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

let pages: Pages;

beforeAll(async () => {
  pages = await openPages();
}, 120_000);

it("finds an account, ends its sessions and shows the recorded act", async () => {
  const { prisma } = pages.stack.service.deps.db;
  const [{ accountId: administratorId }, { accountId }] = [await pages.stack.account(), await pages.stack.account()];
  await prisma.account.updateMany({ where: { email: ADMIN_EMAIL }, data: { email: null } });
  await prisma.account.update({ where: { id: administratorId }, data: { email: ADMIN_EMAIL } });
  onTestFinished(async () => {
    await prisma.account.update({ where: { id: administratorId }, data: { email: null } });
  });
  const owner = await openSignedInPage(pages, accountId);
  await owner.page.goto("/dashboard/security");
  const administrator = await openSignedInPage(pages, administratorId);
  const { page } = administrator;
  await page.goto("/dashboard/admin");
  await page.getByLabel("Find an account").fill(accountId);
  await page.getByRole("button", { name: "Find" }).click();
  await page
    .getByRole("row", { name: new RegExp(accountId) })
    .getByRole("button")
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Active credentials (2)").waitFor();
  await dialog.getByRole("button", { name: "End all sessions" }).click();
  await dialog.getByText(/is required/).waitFor();
  await dialog.getByLabel("Reason").fill("Stolen phone.");
  await dialog.getByRole("button", { name: "End all sessions" }).click();
  await dialog.getByText("Active credentials (1)").waitFor();
  await checkPage(administrator, "administration");
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("row", { name: /accounts\.end_sessions.*Stolen phone/ }).waitFor();
  expect(await prisma.session.count({ where: { accountId, revokedAt: null } })).toBe(0);
}, 60_000);
