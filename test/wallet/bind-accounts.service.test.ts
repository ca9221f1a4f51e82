// @module-tag postgresql
/** Rows that version 0.1.0 sealed are bound to their accounts once, completely, and open under no former context afterwards. */
import { createPublicKey, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { openHolderKey } from "../../src/agents/holder-key.ts";
import { bindAccounts, requireBoundRows } from "../../src/app/bind-accounts.ts";
import { SEALED_TABLES } from "../../src/app/sealed-tables.ts";
import { UnboundRowsError } from "../../src/app/unbound-rows-error.ts";
import { openCard } from "../../src/checkout/cards/card-vault.ts";
import { openDeliveryAddress } from "../../src/checkout/orders/delivery-address.ts";
import { createWebhookSecrets, type SealedSecrets } from "../../src/events/webhook-secrets.ts";
import { localKek } from "../../src/platform/crypto/sealing/key-encryption-local.ts";
import { rotateTable } from "../../src/platform/crypto/sealing/rotate.ts";
import { SealBrokenError } from "../../src/platform/crypto/sealing/sealed-box.ts";
import type { KeyEncryptionKey } from "../../src/platform/crypto/sealing/wrapped-key.ts";
import { createVault } from "../../src/wallet/sealed-vault.ts";
import type { SealedWallet } from "../../src/wallet/vault.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { addFormerRows, createFormerWallet, SECRETS, SHIP_TO } from "./former-rows.ts";

const kek = localKek(randomBytes(32), "local:1");
const keks = { kek };
const digest = randomBytes(32);
let fresh: TestDatabase;
let dataDir: string;

beforeAll(async () => {
  fresh = await createTestDatabase();
});
afterAll(() => fresh.close());
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "satchel-bind-"));
  return () => rm(dataDir, { recursive: true });
});

const db = () => fresh.db;
/** The database as a server, on which only the operator binds rows. */
const server = () => ({ db: { ...db(), kind: "postgresql" as const }, keks, dataDir });
const embedded = () => ({ db: { ...db(), kind: "pglite" as const }, keks, dataDir });
const bind = (given = keks as { kek: KeyEncryptionKey }) => bindAccounts({ ...server(), keks: given }, () => {});
type Rows = Awaited<ReturnType<typeof addFormerRows>>;
const readWallet = async (id: string) =>
  (await db().prisma.wallet.findUniqueOrThrow({ where: { id } })) as unknown as SealedWallet;

/** Returns the attempts to use each of the rows, for the account that each row currently belongs to. */
async function useRows({ ids }: Rows, given: { kek: KeyEncryptionKey } = keks) {
  const { prisma } = db();
  const agent = await prisma.agent.findUniqueOrThrow({ where: { id: ids.agt } });
  const webhook = await prisma.webhookEndpoint.findUniqueOrThrow({ where: { id: ids.whk } });
  const card = await prisma.paymentCard.findUniqueOrThrow({ where: { id: ids.card } });
  const order = await prisma.checkoutOrder.findUniqueOrThrow({ where: { id: ids.ord } });
  const wallet = await readWallet(ids.wal);
  const message = { id: "evt_1", timestampSeconds: 1, body: "{}" };
  return {
    wallet: () => createVault(given).signDigest(wallet, digest),
    solana: () => createVault(given).signMessage(wallet, digest),
    agent: () => openHolderKey(given, agent),
    webhook: () => createWebhookSecrets(given).sign(webhook as SealedSecrets, message),
    card: () => openCard({ db: db(), keks: given }, { cardId: ids.card, accountId: card.accountId }),
    address: () => openDeliveryAddress(given, order),
  };
}

async function expectOpen(rows: Rows, given: { kek: KeyEncryptionKey } = keks) {
  const use = await useRows(rows, given);
  expect(await use.wallet()).toMatch(/^0x[0-9a-f]{130}$/);
  expect(await use.solana()).toHaveLength(64);
  expect(createPublicKey(await use.agent()).export({ format: "jwk" })).toEqual(rows.publicJwk);
  expect(await use.webhook()).toMatch(/^v1,/);
  expect(await use.card()).toMatchObject(SECRETS);
  expect(await use.address()).toEqual(SHIP_TO);
}

async function expectClosed(rows: Rows) {
  const use = await useRows(rows);
  for (const [kind, attempt] of Object.entries(use)) await expect(attempt(), kind).rejects.toThrow(SealBrokenError);
}

it("refuses to start on unbound rows of a database server, and binds them for the operator", async () => {
  const rows = await addFormerRows(db(), keks);
  await expectClosed(rows);
  await expect(requireBoundRows(server())).rejects.toThrow(UnboundRowsError);
  await expect(requireBoundRows(server())).rejects.toThrow(/Wallets 1, Agents' keys 1, Webhooks 1, Cards 2, Deliv/);
  const bindings = await bind();
  expect(bindings.map(({ bound, unopenable }) => [bound, unopenable])).toEqual([
    ...Array.from({ length: 3 }, () => [1, []]),
    [2, []],
    [1, []],
  ]);
  await expectOpen(rows);
  expect(await requireBoundRows(server())).toEqual([]);
  const next = { kek: localKek(randomBytes(32), "local:2"), olderKeks: [kek] };
  for (const table of SEALED_TABLES) await rotateTable(db(), next, table, () => {});
  await expectOpen(rows, { kek: next.kek });
});

it("resumes after an interruption at any key, while a concurrent run continues", async () => {
  const rows = [await addFormerRows(db(), keks), await addFormerRows(db(), keks), await addFormerRows(db(), keks)];
  for (let limit = 1; limit <= 9; limit += 4) {
    let wrapCount = 0;
    const failing: KeyEncryptionKey = {
      ...kek,
      async wrap(dataKey, context) {
        if (wrapCount++ >= limit) throw new Error("Power failure");
        return await kek.wrap(dataKey, context);
      },
    };
    await expect(bind({ kek: failing })).rejects.toThrow("Power failure");
  }
  await Promise.all([bind(), bind()]);
  for (const each of rows) await expectOpen(each);
  expect(await requireBoundRows(server())).toEqual([]);
});

it("does not open a former ciphertext in another account's row, regardless of its marks", async () => {
  const victim = await addFormerRows(db(), keks);
  const formerCard = await db().prisma.paymentCard.findUniqueOrThrow({ where: { id: victim.ids.card } });
  const formerWallet = await readWallet(victim.ids.wal);
  await bind();
  const attacker = (await db().prisma.account.create({ data: { id: crypto.randomUUID() } })).id;
  for (const isAccountBound of [true, false]) {
    const { sealedCard, wrappedDataKey } = formerCard;
    const data = { accountId: attacker, sealedCard, wrappedDataKey, isAccountBound };
    await db().prisma.paymentCard.update({ where: { id: victim.ids.card }, data });
    const moved = openCard({ db: db(), keks }, { cardId: victim.ids.card, accountId: attacker });
    await expect(moved).rejects.toThrow(SealBrokenError);
    const wallet = { ...formerWallet, accountId: attacker };
    await expect(createVault(keks).signDigest(wallet, digest)).rejects.toThrow(SealBrokenError);
  }
  // The service does not start on such a row, and does not bind it.
  await expect(requireBoundRows(server())).rejects.toThrow(UnboundRowsError);
  await db().prisma.paymentCard.delete({ where: { id: victim.ids.card } });
});

it("binds an embedded database at its first start only", async () => {
  const rows = await addFormerRows(db(), keks);
  const former = await db().prisma.paymentCard.findUniqueOrThrow({ where: { id: rows.ids.card } });
  const started = await requireBoundRows(embedded());
  expect(started.map(({ bound }) => bound)).toEqual([1, 1, 1, 2, 1]);
  await expectOpen(rows);
  const { sealedCard, wrappedDataKey } = former;
  await db().prisma.paymentCard.update({
    where: { id: rows.ids.card },
    data: { sealedCard, wrappedDataKey, isAccountBound: false },
  });
  await expect(requireBoundRows(embedded())).rejects.toThrow(UnboundRowsError);
  await db().prisma.paymentCard.delete({ where: { id: rows.ids.card } });
});

it("reports a damaged row, binds the others, and restores the mark of a bound row", async () => {
  const [rows, marked] = [await addFormerRows(db(), keks), await addFormerRows(db(), keks)];
  await bind();
  await db().prisma.wallet.update({ where: { id: marked.ids.wal }, data: { isAccountBound: false } });
  const damaged = await createFormerWallet(keks, "wal_damaged", null);
  damaged.sealedKeys[20] = (damaged.sealedKeys[20] ?? 0) ^ 1;
  const unknown = await createFormerWallet({ kek: localKek(randomBytes(32), "local:9") }, "wal_unknown", null);
  await db().prisma.wallet.createMany({ data: [damaged, unknown] });
  const [wallets] = await bind();
  expect(wallets).toMatchObject({ total: 2, bound: 1, unopenable: ["wal_damaged"] });
  expect(await requireBoundRows(server())).toEqual([]);
  for (const each of [rows, marked]) await expectOpen(each);
  expect(await readWallet("wal_unknown")).toMatchObject({ isAccountBound: false });
  await expect(createVault(keks).signDigest(await readWallet("wal_damaged"), digest)).rejects.toThrow(SealBrokenError);
});
