// @module-tag postgresql
/**
 * Invariant: after a freeze nothing is reserved, sent again, claimed or released, also for requests that were authenticated before it
 * and on another node. The statements check it, beside the gate of the mutations.
 */
import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Prisma } from "../../../generated/prisma/client.ts";
import { stopEverything } from "../../../src/accounts/freeze/freeze-account.ts";
import { freezeService, unfreezeService } from "../../../src/accounts/freeze/freeze-service.ts";
import { findFreeze } from "../../../src/accounts/freeze/freeze-state.ts";
import type { AccountViewer, Viewer } from "../../../src/accounts/viewer.ts";
import { type Database, openDatabase } from "../../../src/platform/database/connection.ts";
import { AccountFrozenError, ServiceFrozenError } from "../../../src/platform/errors.ts";
import { takeOverAttempt } from "../../../src/wallet/attempts.ts";
import { markSigned } from "../../../src/wallet/ledger.ts";
import { openAccount } from "../../../src/wallet/open-account.ts";
import { reserve } from "../../../src/wallet/reservation.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { PLAIN_TERMS } from "../../support/plain-terms.ts";
import { createLocalVault } from "../../support/vault.ts";

const OPERATOR: Viewer = { kind: "operator", expiresAtMs: null };
const PAYMENTS = 50;
const REASON = { reason: "Test" };

let fresh: TestDatabase;
/** The database as another node uses it, with its own connections and queue of reservations. PGlite has one connection. */
let otherNode: Database;
let accountIds: string[];

beforeAll(async () => {
  fresh = await createTestDatabase();
  const { databaseUrl } = fresh;
  otherNode = databaseUrl === null ? fresh.db : await openDatabase({ databaseUrl, dataDir: "", poolSize: 8 });
});
afterAll(async () => {
  if (otherNode !== fresh.db) await otherNode?.close();
  await fresh?.close();
});
beforeEach(async () => {
  accountIds = [];
  for (let count = 0; count < 5; count++) accountIds.push(await newAccount());
});

async function newAccount(): Promise<string> {
  const deps = { db: fresh.db, vault: createLocalVault(), freeCreditMicroUsd: 10_000_000n };
  const limits = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };
  return (await openAccount(deps, { email: `${randomUUID()}@example.com`, displayName: null, limits })).id;
}

function reserveOn(
  db: Database,
  accountId: string,
  more: { requestSha256?: Uint8Array; countsAsSigned?: boolean } = {},
): Promise<string> {
  return reserve(db, {
    ...{ accountId, type: "transfer", network: "base", asset: "usdc", amountAtomic: 1n, amountMicroUsd: 1n },
    ...{ budgetIds: [accountId], source: { kind: "credit", walletId: "wal_treasury" }, payTo: "nobody" },
    ...{ ...PLAIN_TERMS, scheme: "exact", countsAsSigned: true, ...more },
  });
}

const count = () => fresh.db.prisma.transaction.count({ where: { accountId: { in: accountIds }, type: "transfer" } });

/** Starts payments on both nodes and a freeze among them. Returns the counts of payments after the freeze and at the end, and errors. */
async function race(accountOf: (index: number) => string, freeze: () => Promise<unknown>) {
  const begin = (index: number) => reserveOn(index % 2 === 0 ? fresh.db : otherNode, accountOf(index));
  const first = Array.from({ length: PAYMENTS / 2 }, (_, index) => begin(index));
  await Promise.race(first);
  const freezing = freeze();
  const rest = Array.from({ length: PAYMENTS / 2 }, (_, index) => begin(index));
  const all = Promise.allSettled([...first, ...rest]);
  await freezing;
  const afterFreeze = await count();
  const later = await Promise.allSettled([begin(0), begin(1)]);
  const outcomes = [...(await all), ...later];
  const errors = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
  return { afterFreeze, atEnd: await count(), errors, reserved: outcomes.length - errors.length, later };
}

const ownerOf = (accountId: string): AccountViewer => ({
  ...{ kind: "account", accountId, credentialId: "ses_1", credentialKind: "session", budgetId: accountId },
  ...{ budgetIds: [accountId], scopes: ["account:manage"], strictScopes: false, x402Enabled: true, frozenBy: null },
  rules: { networks: [], allowedHosts: [], allowedPayees: [], merchantUrl: null },
  ...{ creditMicroUsd: 0n, expiresAtMs: null, isAdministrator: false, authenticatedAtMs: Date.now() },
});

function freezeDeps(db: Database) {
  const site = { browserUrl: () => "http://127.0.0.1" };
  const queueEmail = async () => {};
  const logger = { error: () => {} };
  return { db, site, queueEmail, logger, pubsub: { publish: () => {} } } as unknown as Parameters<
    typeof stopEverything
  >[0];
}

const ONE_PERSON = { twoPersonActs: [], recoveryWaitingMs: 0 };

it("reserves nothing after the freeze of an account returned, on any node", async () => {
  const [accountId = ""] = accountIds;
  const { afterFreeze, atEnd, errors, reserved, later } = await race(
    () => accountId,
    () => stopEverything(freezeDeps(otherNode), ownerOf(accountId), { reason: null }),
  );
  expect(later.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(errors.filter((error) => !(error instanceof AccountFrozenError))).toEqual([]);
  expect([atEnd, reserved]).toEqual([afterFreeze, afterFreeze]);
});

it("reserves nothing after the freeze of the service returned, on any node", async () => {
  const { afterFreeze, atEnd, errors, reserved, later } = await race(
    (index) => accountIds[index % accountIds.length] ?? "",
    () => freezeService({ db: otherNode }, OPERATOR, REASON),
  );
  await unfreezeService({ db: fresh.db, administration: ONE_PERSON }, OPERATOR, REASON);
  expect(later.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(errors.filter((error) => !(error instanceof ServiceFrozenError))).toEqual([]);
  expect([atEnd, reserved]).toEqual([afterFreeze, afterFreeze]);
  await reserveOn(otherNode, accountIds[0] ?? "");
});

it("records no signature for a payment that was reserved before a freeze", async () => {
  const [accountId = ""] = accountIds;
  const id = await reserveOn(fresh.db, accountId, { countsAsSigned: false });
  await stopEverything(freezeDeps(otherNode), ownerOf(accountId), { reason: null });
  expect([...(await markSigned(fresh.db, [{ id, signature: "0xsigned", nonce: null }]))]).toEqual([]);
});

it("returns from a freeze when the transactions that saw none have ended, which no other statement awaits", async ({
  skip,
}) => {
  const [accountId = ""] = accountIds;
  skip(fresh.databaseUrl === null, "PGlite runs one transaction at a time");
  const freezes = [
    () => stopEverything(freezeDeps(fresh.db), ownerOf(accountId), { reason: null }),
    () => freezeService({ db: fresh.db }, OPERATOR, REASON),
  ];
  for (const freeze of freezes) {
    const order: string[] = [];
    const transaction = async (tx: Prisma.TransactionClient) => {
      expect(await tx.serviceFreeze.count()).toBe(0);
      const freezing = freeze().then(() => order.push("freeze returned"));
      await expect.poll(() => findFreeze(otherNode, accountId), { timeout: 10_000 }).not.toBeNull();
      order.push("transaction ended");
      return { freezing };
    };
    const { freezing } = await otherNode.prisma.$transaction(transaction, { timeout: 20_000 });
    await freezing;
    expect(order).toEqual(["transaction ended", "freeze returned"]);
    await fresh.db.prisma.account.update({ where: { id: accountId }, data: { frozenAt: null, frozenBy: null } });
  }
  await unfreezeService({ db: fresh.db, administration: ONE_PERSON }, OPERATOR, REASON);
});

it("does not await the transaction of a backup, which another user of the database runs", async ({ skip }) => {
  const [accountId = ""] = accountIds;
  const { databaseUrl } = fresh;
  if (databaseUrl === null) return skip("PGlite has one user");
  const role = `backup_${randomUUID().replaceAll("-", "")}`;
  const execute = (sql: string) => fresh.db.prisma.$executeRawUnsafe(sql);
  await execute(`CREATE ROLE ${role} LOGIN IN ROLE pg_read_all_data`);
  const url = new URL(databaseUrl);
  url.username = role;
  const backup = new pg.Client({ connectionString: url.href });
  await backup.connect();
  try {
    await backup.query("BEGIN");
    await backup.query("SELECT FROM service_freeze");
    await stopEverything(freezeDeps(fresh.db), ownerOf(accountId), { reason: null });
    expect(await findFreeze(fresh.db, accountId)).toBe("owner");
  } finally {
    await backup.end();
    await execute(`DROP ROLE ${role}`);
  }
}, 30_000);

it("does not send a signed payment again after a freeze, and does after its end", async () => {
  const [accountId = ""] = accountIds;
  const id = await reserveOn(fresh.db, accountId, { requestSha256: new Uint8Array(randomBytes(32)) });
  await fresh.db.prisma.transaction.update({
    where: { id },
    data: { attemptUntil: new Date(0), validBefore: new Date(Date.now() + 60_000) },
  });
  await freezeService({ db: fresh.db }, OPERATOR, REASON);
  expect(await takeOverAttempt(otherNode, id)).toBeNull();
  await unfreezeService({ db: fresh.db, administration: ONE_PERSON }, OPERATOR, REASON);
  await stopEverything(freezeDeps(fresh.db), ownerOf(accountId), { reason: null });
  expect(await takeOverAttempt(otherNode, id)).toBeNull();
  await fresh.db.prisma.account.update({ where: { id: accountId }, data: { frozenAt: null, frozenBy: null } });
  expect(await takeOverAttempt(otherNode, id)).toEqual({ id, number: 2 });
});
