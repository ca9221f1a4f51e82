// @module-tag postgresql
/** Schedule of reconciliation: soon after an outage of the chain, the process or the network, and rarely for old payments. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { PaymentDeps } from "../../src/payments/deps.ts";
import { reconcileDue } from "../../src/payments/reconcile.ts";
import { newId } from "../../src/platform/ids.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { recordClaims } from "../../src/wallet/ledger.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { createLocalVault } from "../support/vault.ts";
import { AUTHORIZATION } from "./signed-authorization.ts";

const NONE = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };
let fresh: TestDatabase;
let accountId: string;
let chainReads: number;
let lines: string[];
beforeAll(async () => {
  fresh = await createTestDatabase();
  const deps = { db: fresh.db, vault: createLocalVault(), freeCreditMicroUsd: 0n };
  const account = await openAccount(deps, { email: `${randomUUID()}@example.com`, displayName: null, limits: NONE });
  accountId = account.id;
});
afterAll(() => fresh.close());
beforeEach(async () => {
  chainReads = 0;
  lines = [];
  await fresh.db.prisma.transaction.deleteMany({});
});

/** Dependencies with an unavailable chain: due payments remain due. */
function deps(): PaymentDeps {
  const evm = () => {
    chainReads++;
    throw new Error("The chain is unavailable.");
  };
  const logger = createLogger("info", { write: (line) => void lines.push(line) });
  return { db: fresh.db, logger, chains: { evm } } as unknown as PaymentDeps;
}

interface Given {
  readonly ageSeconds: number;
  readonly attempts: number;
  readonly validForSeconds: number;
  readonly status?: string;
}

/** Returns the row of a signed payment. */
function rowOf(id: string) {
  return {
    ...{ id, accountId, type: "transfer", status: "signed", direction: "out", network: "base-sepolia", budgetIds: [] },
    ...{ amountAtomic: 1, amountMicroUsd: 1n, budgetDay: new Date(), authorization: AUTHORIZATION, signature: "0x" },
  };
}

/** Reconciles a payment and returns the seconds until its next check; null if there is none. */
async function nextCheckSeconds({ ageSeconds, attempts, validForSeconds, status = "signed" }: Given) {
  const now = Date.now();
  const id = newId("tx");
  const times = {
    nextCheckAt: new Date(now - 1),
    signedAt: new Date(now - ageSeconds * 1_000),
    validBefore: new Date(now + validForSeconds * 1_000),
  };
  await fresh.db.prisma.transaction.create({ data: { ...rowOf(id), ...times, status, checkAttempts: attempts } });
  expect(await reconcileDue(deps())).toBe(1);
  const { nextCheckAt } = await fresh.db.prisma.transaction.findUniqueOrThrow({ where: { id } });
  return nextCheckAt === null ? null : Math.round((nextCheckAt.getTime() - now) / 1_000);
}

test.each([
  ["just signed and claimed", { ageSeconds: 0, attempts: 0 }, 2],
  ["five seconds old", { ageSeconds: 5, attempts: 0 }, 10],
  ["fifteen seconds old", { ageSeconds: 15, attempts: 1 }, 30],
  ["a minute old and checked regularly", { ageSeconds: 60, attempts: 4 }, 120],
  ["an hour old and never checked", { ageSeconds: 3_600, attempts: 0 }, 10],
  ["an hour old and checked once", { ageSeconds: 3_610, attempts: 1 }, 30],
  ["open for a day", { ageSeconds: 86_400, attempts: 40 }, 810],
])("schedules the next check of a payment %s", async (_case, given, expectedSeconds) => {
  const seconds = await nextCheckSeconds({ ...given, validForSeconds: 86_400 });
  expect(seconds).toBeGreaterThanOrEqual(expectedSeconds - 1);
  expect(seconds).toBeLessThanOrEqual(expectedSeconds + 2);
  expect(chainReads).toBe(1);
});

test("schedules the next check of a withdrawal delayed by an outage while it can still be sent", async () => {
  // The second check relays it again; it expires in 140 seconds.
  const seconds = await nextCheckSeconds({ ageSeconds: 160, attempts: 0, validForSeconds: 140 });
  expect(seconds).toBeLessThanOrEqual(12);
});

test("schedules the next check shortly after expiry", async () => {
  const seconds = await nextCheckSeconds({ ageSeconds: 55, attempts: 4, validForSeconds: 5 });
  expect(seconds).toBeGreaterThan(5);
  expect(seconds).toBeLessThanOrEqual(16);
});

test.each(["settled", "released", "failed"])(
  "does not check a payment that is %s but has a next check",
  async (status) => {
    expect(await nextCheckSeconds({ ageSeconds: 5, attempts: 0, validForSeconds: 60, status })).toBeNull();
    expect(chainReads).toBe(0);
    expect(lines.join()).toContain("Closed payment was due for reconciliation");
  },
);

test("checks a claimed settlement before other due payments", async () => {
  const dueSince = new Date(Date.now() - 3_600_000);
  const others = Array.from({ length: 150 }, () => ({ ...rowOf(newId("tx")), nextCheckAt: dueSince }));
  const claimed = newId("tx");
  await fresh.db.prisma.transaction.createMany({ data: [...others, { ...rowOf(claimed), nextCheckAt: new Date() }] });
  await recordClaims(fresh.db, [{ id: claimed, txHash: `0x${"cd".repeat(32)}` }]);
  expect(await reconcileDue(deps())).toBe(100);
  const { checkAttempts } = await fresh.db.prisma.transaction.findUniqueOrThrow({ where: { id: claimed } });
  expect(checkAttempts).toBe(1);
});

test("advances the check for a new claim but not for a repeated one", async () => {
  const id = newId("tx");
  await fresh.db.prisma.transaction.create({ data: { ...rowOf(id), nextCheckAt: new Date() } });
  const claim = (byte: string) => recordClaims(fresh.db, [{ id, txHash: `0x${byte.repeat(32)}` }]);
  await claim("cd");
  expect(await reconcileDue(deps())).toBe(1);
  await claim("cd");
  expect(await reconcileDue(deps())).toBe(0);
  await claim("ef");
  expect(await reconcileDue(deps())).toBe(1);
});
