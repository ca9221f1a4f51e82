// @module-tag postgresql
/** Retention: what is older than its period is removed, what is younger remains. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Prisma } from "../../generated/prisma/client.ts";
import { RETENTION_RULES } from "../../src/app/retention-rules.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { enforceRetention, findOverdue } from "../../src/platform/retention/enforce.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { newAccount, paymentRow } from "../events/event-fixture.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { enforceRules } from "../support/retention.ts";

const DAY_MS = 86_400_000;
let fresh: TestDatabase;
let accountId: string;
beforeAll(async () => {
  fresh = await createTestDatabase();
  accountId = await newAccount(fresh.db);
});
afterAll(() => fresh?.close());

const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
const overdue = async (rule: string) =>
  (await findOverdue(fresh.db, loadConfig({}), RETENTION_RULES)).get(rule) ?? Number.NaN;

it("has a name, a statement and a query of the oldest row for each rule, which run on an empty database", async () => {
  const names = RETENTION_RULES.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect([...(await enforceRules(fresh.db, names)).values()]).toEqual(names.map(() => 0));
  expect([...(await findOverdue(fresh.db, loadConfig({}), RETENTION_RULES)).values()]).toEqual(names.map(() => 0));
});

it("cuts the queries of payments' URLs after 90 days, also in their events, and continues where it stopped", async () => {
  const { prisma } = fresh.db;
  const url = "https://seller.example/report?name=ada#top";
  const echo = { network: "base", accepted: JSON.stringify({ resource: url }), resource: null, extensions: null };
  const at = (days: number, n: number) => ({
    ...paymentRow(accountId, ago(days)),
    id: `tx_${ago(days).getTime() + n}_a`,
    resource: url,
    authorization: { scheme: "exact", echo, authorization: { kind: "eip3009" } },
    createdAt: ago(days),
  });
  const [old, other, young] = [at(91, 0), { ...at(91, 1), resource: "https://seller.example/free" }, at(89, 0)];
  await prisma.transaction.createMany({ data: [old, other, young] });
  const event = { accountId, type: "payment.settled", createdAt: new Date(), recordedAt: new Date() };
  await prisma.accountEvent.createMany({
    data: [old, young].map(({ id }) => ({ ...event, id: `evt_${id}`, subjectId: id, payload: { id, resource: url } })),
  });
  expect(await overdue("ledger-urls")).toBeGreaterThan(0.9 * 86_400);

  expect((await enforceRules(fresh.db, ["ledger-urls"])).get("ledger-urls")).toBe(2);
  const rows = await prisma.transaction.findMany({ where: { accountId }, orderBy: { id: "asc" } });
  expect(rows.map(({ resource }) => resource)).toEqual([
    "https://seller.example/report",
    "https://seller.example/free",
    url,
  ]);
  expect(rows[0]?.authorization).toEqual({
    scheme: "exact",
    echo: { network: "base", accepted: null, resource: null, extensions: null },
    authorization: { kind: "eip3009" },
  });
  expect(rows[2]?.authorization).toEqual(young.authorization);
  expect(rows.map(({ updatedAt }) => updatedAt)).toEqual([old, other, young].map(({ updatedAt }) => updatedAt));
  const events = await prisma.accountEvent.findMany({ where: { accountId }, orderBy: { subjectId: "asc" } });
  expect(events.map(({ payload }) => (payload as { resource: string }).resource)).toEqual([
    "https://seller.example/report",
    url,
  ]);
  expect(await overdue("ledger-urls")).toBe(0);
  expect((await enforceRules(fresh.db, ["ledger-urls"])).get("ledger-urls")).toBe(0);
  expect((await enforceRules(fresh.db, ["ledger-urls"], { LEDGER_URL_DAYS: 80 })).get("ledger-urls")).toBe(1);
});

it("cuts the queries of declined payments and of expired purchase tokens", async () => {
  const { prisma } = fresh.db;
  const url = "https://seller.example/report?name=ada";
  const row = { accountId, hour: new Date(0), type: "x402", reason: "forbidden", resource: url };
  await prisma.declinedPayment.createMany({
    data: [
      { ...row, id: "dp_1", slot: 1, message: `May only pay ${url}. No payment was made.`, createdAt: ago(89.9) },
      { ...row, id: "dp_2", slot: 2, message: "Why?", createdAt: ago(40) },
      { ...row, id: "dp_3", slot: 3, message: "Why?", createdAt: ago(20) },
    ],
  });
  const token = { accountId, merchantUrl: url, network: "base", maxMicroUsd: 1n, allowedPayees: [], budgetIds: [] };
  await prisma.purchaseToken.createMany({
    data: [40, 20].map((days) => ({
      ...token,
      id: `pt_${days}`,
      tokenHash: Buffer.from(`${days}`),
      expiresAt: ago(days),
    })),
  });
  const rules = ["declined-payment-urls", "purchase-token-urls"];
  const removed = await enforceRules(fresh.db, rules, { LEDGER_URL_DAYS: 30 });
  expect([...removed.values()]).toEqual([2, 1]);
  const declined = await prisma.declinedPayment.findMany({ where: { accountId }, orderBy: { id: "asc" } });
  expect(declined.map(({ resource, message }) => [resource, message])).toEqual([
    ["https://seller.example/report", "May only pay https://seller.example/report No payment was made."],
    ["https://seller.example/report", "Why?"],
    [url, "Why?"],
  ]);
  const tokens = await prisma.purchaseToken.findMany({ where: { accountId }, orderBy: { id: "asc" } });
  expect(tokens.map(({ merchantUrl }) => merchantUrl)).toEqual([url, "https://seller.example/report"]);
});

it("deletes sign-in attempts, quotes and drafts, and no younger ones", async () => {
  const { prisma } = fresh.db;
  const attempt = { kind: "email_code", browserHash: Buffer.from("x"), email: "ada@people.example" };
  await prisma.signInAttempt.createMany({
    data: [1.1, 0.9].map((days) => ({ ...attempt, id: `sia_${days}`, expiresAt: ago(days) })),
  });
  await prisma.checkoutQuote.createMany({
    data: [1.1, 0.9].map((days) => ({
      accountId,
      cartSha256: Buffer.from("c"),
      termsSha256: Buffer.from(`${days}`),
      quotedAt: ago(days),
    })),
  });
  await prisma.agent.create({
    data: {
      ...{ id: "agt_1", accountId, status: "active", network: "base", registryAddress: "0x", agentId: 1n },
      ...{ holderPublicJwk: {}, sealedHolderKey: Buffer.from(""), wrappedDataKey: Buffer.from(""), kekId: "k" },
    },
  });
  await prisma.mailbox.create({
    data: { id: "mbx_1", accountId, agentId: "agt_1", address: "agent-1@agents.example", displayName: "Agent" },
  });
  const draft = {
    mailboxId: "mbx_1",
    toAddresses: ["bob@people.example"],
    ccAddresses: [],
    subject: "s",
    bodyText: "b",
  };
  await prisma.mailDraft.createMany({
    data: [181, 179].map((days) => ({ ...draft, id: `mdr_${days}`, updatedAt: ago(days) })),
  });
  const removed = await enforceRules(fresh.db, ["sign-in-attempts", "checkout-quotes", "mail-drafts"]);
  expect([...removed.values()]).toEqual([1, 1, 1]);
  expect((await prisma.signInAttempt.findMany()).map(({ id }) => id)).toEqual(["sia_0.9"]);
  expect(await prisma.checkoutQuote.count()).toBe(1);
  expect((await prisma.mailDraft.findMany()).map(({ id }) => id)).toEqual(["mdr_179"]);
});

it("removes subject and addresses of events that were recorded while their message was deleted", async () => {
  const { prisma } = fresh.db;
  const payload = { id: "aem_1", from: "bob@people.example", subject: "Hello", failureReason: "550 bob", sizeBytes: 1 };
  const event = { accountId, type: "mail.failed", createdAt: new Date(), recordedAt: ago(0.01) };
  await prisma.accountEvent.create({ data: { ...event, id: "evt_mail", subjectId: "aem_1", payload } });
  const recipient = { deliveryId: "mdl_1", address: "bob@people.example", status: "bounced", failureReason: "550 bob" };
  await prisma.accountEvent.create({
    data: {
      ...{ ...event, id: "evt_recipient", type: "mail.recipient_bounced", subjectId: "mdl_1" },
      payload: { ...payload, recipient },
    },
  });
  expect((await enforceRules(fresh.db, ["deleted-mail-events"])).get("deleted-mail-events")).toBe(2);
  expect((await prisma.accountEvent.findUniqueOrThrow({ where: { id: "evt_recipient" } })).payload).toMatchObject({
    isDeleted: true,
    recipient: { deliveryId: "mdl_1", address: "", status: "bounced", failureReason: null },
  });
  expect((await prisma.accountEvent.findUniqueOrThrow({ where: { id: "evt_mail" } })).payload).toEqual({
    ...{ id: "aem_1", from: "", fromName: "", to: [], cc: [], subject: "", failureReason: null, sizeBytes: 1 },
    isDeleted: true,
  });
  expect((await enforceRules(fresh.db, ["deleted-mail-events"])).get("deleted-mail-events")).toBe(0);
});

it("continues with the other rules if one fails, and reports it", async () => {
  await fresh.db.prisma.signInAttempt.create({
    data: { id: "sia_late", kind: "email_code", browserHash: Buffer.from("x"), expiresAt: ago(3) },
  });
  const attempts = RETENTION_RULES.find(({ name }) => name === "sign-in-attempts");
  if (!attempts) throw new Error("missing");
  const broken = { ...attempts, name: "broken", remove: { name: "broken", text: "SELECT $1::float8, 1 / 0" } };
  const failed: string[] = [];
  await enforceRetention(fresh.db, loadConfig({}), [broken, attempts], { onFailed: (rule) => failed.push(rule) });
  expect(failed).toEqual(["broken"]);
  expect(await fresh.db.prisma.signInAttempt.count({ where: { id: "sia_late" } })).toBe(0);
});

it("deletes the ledger after ten years with its trades, and free credit only after its account; the audit agrees", async () => {
  const { prisma } = fresh.db;
  const id = await newAccount(fresh.db);
  const old = ago(3_654);
  const at = (date: Date, name: string) => ({
    ...paymentRow(id, date),
    ...{
      id: `tx_${date.getTime()}_${name}`,
      createdAt: date,
      budgetDay: date,
      budgetIds: [id],
      settledMicroUsd: 2_000_000n,
    },
  });
  const rows = [
    at(old, "payment"),
    at(old, "trade"),
    { ...at(old, "credit"), type: "credit", direction: "in", paidFromCredit: true },
    { ...at(old, "signed"), status: "signed" },
    at(ago(3_652), "young"),
  ];
  await prisma.transaction.createMany({ data: rows });
  const [payment, trade] = rows as [(typeof rows)[0], (typeof rows)[0]];
  const month = new Date(Date.UTC(old.getUTCFullYear(), old.getUTCMonth(), 1));
  const used = { dayUsedMicroUsd: 6_000_000n, monthUsedMicroUsd: 6_000_000n };
  await prisma.budget.upsert({
    where: { id },
    create: { id, accountId: id, day: old, month, ...used },
    update: { day: old, month, ...used },
  });
  await prisma.credit.upsert({
    where: { accountId: id },
    create: { accountId: id, availableMicroUsd: 2_000_000n, grantedAt: old },
    update: { availableMicroUsd: 2_000_000n, grantedAt: old },
  });
  const swap = {
    sellToken: "0x",
    sellSymbol: "A",
    sellDecimals: 6,
    sellAmountAtomic: 1,
    buyToken: "0x",
    buySymbol: "B",
  };
  const { id: tradeId } = await prisma.trade.create({
    data: {
      ...{ id: `trd_${id}`, accountId: id, transactionId: trade.id, walletId: "w", network: "base", status: "settled" },
      ...{ ...swap, buyDecimals: 6, buyAmountAtomic: 1, minBuyAtomic: 1, slippageBps: 1 },
    },
  });
  await prisma.evmTransaction.create({
    data: {
      ...{ id: `evm_${id}`, tradeId, walletId: id, network: "base", nonce: 1n, purpose: "swap", status: "mined" },
      ...{ to: "0x", data: "0x", valueAtomic: 0, gasLimit: 1n, maxFeePerGas: 1, maxPriorityFee: 1 },
    },
  });
  const revocation = { accountId: id, network: "base", payTo: "0x", sellerHost: "s", status: "mined", nonce: 1n };
  await prisma.permitRevocation.create({
    data: { ...revocation, id: `rev_${id}`, transactionId: payment.id, rawTransaction: "0x", maxFeeWei: 1 },
  });
  // The payment of the gas is younger, so its row remains after that of its trade.
  const [young] = rows.filter((row) => row.id.endsWith("young"));
  const purchase = {
    tradeId,
    accountId: id,
    network: "base",
    status: "mined",
    amountWei: 1,
    priceAtomic: 1,
    nonce: 1n,
  };
  await prisma.gasPurchase.create({
    data: { ...purchase, id: `gas_${id}`, transactionId: young?.id ?? "", rawTransaction: "0x", maxFeeWei: 1 },
  });
  expect((await enforceRules(fresh.db, ["ledger"])).get("ledger")).toBe(2);
  const left = await prisma.transaction.findMany({ where: { accountId: id }, orderBy: { id: "asc" } });
  expect(left.map((row) => row.id.split("_")[2])).toEqual(["credit", "signed", "young"]);
  expect([await prisma.trade.count({ where: { accountId: id } }), await prisma.permitRevocation.count()]).toEqual([
    0, 0,
  ]);
  expect(await prisma.gasPurchase.count()).toBe(0);
  expect((await auditLedger(fresh.db)).filter(({ what }) => what === "credit")).toEqual([]);
  const budget = await prisma.budget.findUniqueOrThrow({ where: { id } });
  expect([budget.dayUsedMicroUsd, budget.monthUsedMicroUsd]).toEqual([0n, 0n]);
  await prisma.credit.delete({ where: { accountId: id } });
  expect((await enforceRules(fresh.db, ["ledger"])).get("ledger")).toBe(1);
});

it("deletes what is left of a deleted account after ten years, when its ledger is gone", async () => {
  const { prisma } = fresh.db;
  const id = await newAccount(fresh.db);
  await prisma.wallet.create({
    data: {
      ...{ id: `wal_${id}`, accountId: id, evmAddress: `0x${id}`, solanaAddress: id },
      ...{ sealedKeys: new Uint8Array(), wrappedDataKey: new Uint8Array(), kekId: "k" },
    },
  });
  const transfer = { network: "base", txHash: id, logIndex: 1, direction: "in", asset: "0x", counterparty: "0x" };
  await prisma.chainTransfer.create({ data: { ...transfer, walletId: `wal_${id}`, amountAtomic: 1, blockNumber: 1n } });
  const completedAt = ago(3_654);
  await prisma.accountDeletion.create({
    data: {
      ...{ id: `del_${id}`, accountId: id, status: "completed", step: "completed", acknowledged: [] },
      ...{ dueAt: completedAt, completedAt },
    },
  });
  const payment = { ...paymentRow(id, ago(1)), id: `tx_${ago(1).getTime()}_left` };
  await prisma.transaction.create({ data: payment });
  expect((await enforceRules(fresh.db, ["deleted-accounts"])).get("deleted-accounts")).toBe(0);
  await prisma.transaction.delete({ where: { id: payment.id } });
  expect((await enforceRules(fresh.db, ["deleted-accounts"])).get("deleted-accounts")).toBe(1);
  const left = [
    prisma.wallet.count({ where: { accountId: id } }),
    prisma.chainTransfer.count({ where: { txHash: id } }),
    prisma.accountDeletion.count({ where: { accountId: id } }),
  ];
  expect(await Promise.all(left)).toEqual([0, 0, 0]);
});

it("deletes acts of administrators after ten years; nothing else changes or deletes them", async () => {
  const { prisma } = fresh.db;
  const [subject, other] = [await newAccount(fresh.db), await newAccount(fresh.db)];
  const act = { action: "accounts.freeze", reason: "Theft", after: { frozenBy: "administrator" } };
  await prisma.administratorAct.createMany({
    data: [
      { ...act, id: "act_old", createdAt: ago(3_654), subjectAccountId: other },
      { ...act, id: "act_young", createdAt: ago(3_649), subjectAccountId: subject },
    ],
  });
  const where = { id: "act_young" };
  const erased = { reason: null, before: Prisma.DbNull, after: Prisma.DbNull };
  const changes = [
    () => prisma.administratorAct.update({ where, data: { reason: "None" } }),
    () => prisma.administratorAct.update({ where, data: { ...erased, createdAt: ago(4_000) } }),
    () => prisma.administratorAct.update({ where, data: erased }),
    () => prisma.administratorAct.delete({ where }),
    () => prisma.$executeRaw`TRUNCATE administrator_acts`,
  ];
  for (const change of changes) await expect(change()).rejects.toThrow("append-only");
  expect((await enforceRules(fresh.db, ["administrator-acts"])).get("administrator-acts")).toBe(1);
  const deletion = { id: `del_${subject}`, accountId: subject, step: "erase", acknowledged: [], dueAt: new Date() };
  await prisma.accountDeletion.create({ data: { ...deletion, status: "running" } });
  await prisma.administratorAct.update({ where, data: erased });
  expect(await prisma.administratorAct.findMany()).toMatchObject([
    { id: "act_young", action: act.action, reason: null },
  ]);
});
