/** Accounts on the administrators' page: search, state, ending sessions, freezes, and the record of the acts. */
import type { Locator } from "playwright-core";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { createProposal } from "../../src/accounts/administration/proposals.ts";
import { newId } from "../../src/platform/ids.ts";
import { activateAgent } from "../mail/fixtures.ts";
import { checkPage, openPages, type Pages, type PageUser } from "../support/pages.ts";
import { ADMIN_EMAIL } from "../support/stack.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

let pages: Pages;

beforeAll(async () => {
  pages = await openPages();
}, 120_000);

/** Makes a new account the administrator for one test, and returns its id. */
async function addAdministrator(): Promise<string> {
  const { prisma } = pages.stack.service.deps.db;
  const { accountId } = await pages.stack.account();
  await prisma.account.updateMany({ where: { email: ADMIN_EMAIL }, data: { email: null } });
  await prisma.account.update({ where: { id: accountId }, data: { email: ADMIN_EMAIL } });
  onTestFinished(async () => {
    await prisma.account.update({ where: { id: accountId }, data: { email: null } });
  });
  return accountId;
}

/** Opens the dialog of an account on the administrators' page. */
async function openAccount({ page }: PageUser, accountId: string): Promise<Locator> {
  await page.goto("/dashboard/admin");
  await page.getByLabel("Find an account").fill(accountId);
  await page.getByRole("button", { name: "Find" }).click();
  await page
    .getByRole("row", { name: new RegExp(accountId) })
    .getByRole("button")
    .click();
  return page.getByRole("dialog");
}

it("finds an account, ends its sessions and shows the recorded act", async () => {
  const { prisma } = pages.stack.service.deps.db;
  const [administratorId, { accountId }] = [await addAdministrator(), await pages.stack.account()];
  const owner = await openSignedInPage(pages, accountId);
  await owner.page.goto("/dashboard/security");
  const administrator = await openSignedInPage(pages, administratorId);
  const { page } = administrator;
  const dialog = await openAccount(administrator, accountId);
  await dialog.getByText("Active credentials (2)").waitFor();
  await dialog.getByRole("button", { name: "End all sessions" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "End sessions" }).click();
  await dialog.getByText(/is required/).waitFor();
  await dialog.getByLabel("Reason").fill("Stolen phone.");
  await dialog.getByRole("button", { name: "End all sessions" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "End sessions" }).click();
  await dialog.getByText("Active credentials (1)").waitFor();
  await checkPage(administrator, "administration");
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("row", { name: /accounts\.end_sessions.*Stolen phone/ }).waitFor();
  expect(await prisma.session.count({ where: { accountId, revokedAt: null } })).toBe(0);
}, 60_000);

it("freezes and unfreezes an account, whose owner sees a banner", async () => {
  const { prisma } = pages.stack.service.deps.db;
  const [administratorId, { accountId }] = [await addAdministrator(), await pages.stack.account()];
  const owner = await openSignedInPage(pages, accountId);
  const administrator = await openSignedInPage(pages, administratorId);
  const { page } = administrator;
  const dialog = await openAccount(administrator, accountId);
  await dialog.getByText("Not frozen").waitFor();
  await dialog.getByRole("button", { name: "Freeze account" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Freeze account" }).click();
  await dialog.getByText(/is required/).waitFor();
  await dialog.getByLabel("Reason").fill("Suspected theft.");
  await dialog.getByRole("button", { name: "Freeze account" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Freeze account" }).click();
  await dialog.getByText("Frozen by an administrator").waitFor();
  await dialog.getByText(/Suspected theft\./).waitFor();
  await dialog.getByText("Operations in flight (0)").click();
  await dialog.getByText("Nothing is in flight.").waitFor();
  await checkPage(administrator, "administration-frozen");
  const frozen = await prisma.account.findUniqueOrThrow({ where: { id: accountId } });
  expect([frozen.frozenBy, frozen.freezeReason]).toEqual(["administrator", "Suspected theft."]);

  await owner.page.goto("/dashboard/security");
  await owner.page.getByRole("status").getByText("This account is frozen").waitFor();
  expect(await owner.page.getByRole("button", { name: "Resume account" }).count()).toBe(0);
  await prisma.serviceFreeze.create({ data: { reason: "Test" } });
  try {
    await owner.page.reload();
    await owner.page.getByRole("status").getByText("The service is frozen").waitFor();
  } finally {
    await prisma.serviceFreeze.deleteMany();
  }
  await checkPage(owner, "frozen-by-administrator");

  await dialog.getByLabel("Reason").fill("Resolved.");
  await dialog.getByRole("button", { name: "Unfreeze account" }).click();
  await dialog.getByText("Not frozen").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.getByRole("row", { name: /accounts\.unfreeze.*Resolved/ }).waitFor();
  await page.getByRole("row", { name: new RegExp(`${accountId} Not frozen`) }).waitFor();
  expect((await prisma.account.findUniqueOrThrow({ where: { id: accountId } })).frozenAt).toBe(null);
}, 60_000);

it("lists proposals and disputes, and rejects a proposal with a reason", async () => {
  const { db } = pages.stack.service.deps;
  const administratorId = await addAdministrator();
  const [proposer, owner] = [await pages.stack.account(), await pages.stack.account()];
  const { id: agentId } = await activateAgent(pages.stack, owner);
  await db.prisma.agentDispute.create({
    data: { id: newId("dsp"), agentId, reason: "Paid twice.", status: "open", openedBy: administratorId },
  });
  const { id } = await createProposal(db, {
    ...{ actor: { accountId: proposer.accountId }, action: "accounts.end_sessions", reason: "Stolen laptop." },
    ...{ subjectAccountId: owner.accountId, subjectType: "account", subjectId: owner.accountId },
    ...{ input: { accountId: owner.accountId }, proposalId: null },
  });
  const administrator = await openSignedInPage(pages, administratorId);
  const { page } = administrator;
  await page.goto("/dashboard/admin");
  await page.getByRole("row", { name: /Paid twice\..*Open/ }).waitFor();
  await page.getByRole("button", { name: `Decide ${id}` }).waitFor();
  await checkPage(administrator, "proposals");
  await page.getByRole("button", { name: `Decide ${id}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Stolen laptop.").waitFor();
  await dialog.getByRole("button", { name: "Reject" }).click();
  await dialog.getByText(/is required/).waitFor();
  await checkPage(administrator, "proposal-dialog");
  await dialog.getByLabel("Reason").fill("The laptop was found.");
  await dialog.getByRole("button", { name: "Reject" }).click();
  await page.getByText("Proposal rejected.").waitFor();
  await page.getByRole("row", { name: /The laptop was found/ }).waitFor();
  expect((await db.prisma.administratorProposal.findUniqueOrThrow({ where: { id } })).status).toBe("rejected");
}, 60_000);
