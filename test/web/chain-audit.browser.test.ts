/** The chain audit on the administrators' page: a notice while a difference is open, and the record of resolved ones. */
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { newId } from "../../src/platform/ids.ts";
import { checkPage, openPages, type Pages } from "../support/pages.ts";
import { ADMIN_EMAIL } from "../support/stack.ts";
import { openSignedInPage } from "./signed-in-browser.ts";

let pages: Pages;

beforeAll(async () => {
  pages = await openPages();
}, 120_000);

it("shows a notice while the chain and the ledger differ", async () => {
  const { prisma } = pages.stack.service.deps.db;
  const { accountId } = await pages.stack.account();
  await prisma.account.updateMany({ where: { email: ADMIN_EMAIL }, data: { email: null } });
  await prisma.account.update({ where: { id: accountId }, data: { email: ADMIN_EMAIL } });
  const at = new Date();
  const block = { blockNumber: 38_112_055n, blockHash: "0x01", blockAt: at, headNumber: 38_112_657n };
  const start = { startNumber: 0n, startAt: at, verifiedUntil: at, assets: [] };
  await prisma.chainAuditNetwork.create({ data: { network: "base", ...block, ...start } });
  const id = newId("dif");
  const amounts = { chainAtomic: "49000", ledgerAtomic: "0" };
  const names = {
    network: "base",
    kind: "unrecorded_transfer",
    subject: id,
    walletId: "wal_1",
    asset: "0xusdc",
    txHash: "0x8d1f",
  };
  await prisma.chainDifference.create({ data: { id, ...names, ...amounts } });
  onTestFinished(async () => {
    await prisma.chainAuditNetwork.deleteMany();
    await prisma.chainDifference.deleteMany();
    await prisma.account.update({ where: { id: accountId }, data: { email: null } });
  });

  const administrator = await openSignedInPage(pages, accountId);
  const { page } = administrator;
  await page.goto("/dashboard/admin");
  await page.getByText("The chain and the ledger differ").waitFor();
  await page.getByRole("link", { name: "1 open difference" }).click();
  const row = page.getByRole("row", { name: /Transfer without a transaction/ });
  await expect.poll(() => row.textContent()).toMatch(/49000.*0.*Open since/);
  await checkPage(administrator, "chain-audit");

  await prisma.chainDifference.update({ where: { id }, data: { resolvedAt: new Date() } });
  await page.reload();
  await expect.poll(() => row.textContent()).toContain("Resolved");
  expect(await page.getByText("The chain and the ledger differ").count()).toBe(0);
}, 60_000);
