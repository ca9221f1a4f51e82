// @module-tag postgresql
/** When a payment is looked up again: soon after the chain, the process or the network was away, and seldom once it is old. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { PaymentDeps } from "../../src/payments/deps.ts";
import { reconcileDue } from "../../src/payments/reconcile.ts";
import { newId } from "../../src/platform/ids.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { recordClaims } from "../../src/wallet/ledger.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { localVault } from "../support/vault.ts";

const NONE = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };
const AUTHORIZATION = {
  x402Version: 2,
  scheme: "exact",
  network: "base-sepolia",
  echo: { network: "eip155:84532", accepted: null, resource: null, gasSponsoring: null },
  authorization: {
    kind: "eip3009",
    asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
    chainId: 84_532,
    domain: { name: "USDC", version: "2" },
    from: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
    to: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
    valueAtomic: "1",
    validAfter: "0",
    validBefore: "9999999999",
    nonce: `0x${"ab".repeat(32)}`,
  },
};

let fresh: FreshDatabase;
let accountId: string;
let looks: number;
let lines: string[];
beforeAll(async () => {
  fresh = await freshDatabase();
  const deps = { db: fresh.db, vault: localVault(), freeCreditMicroUsd: 0n };
  const account = await openAccount(deps, { email: `${randomUUID()}@example.com`, displayName: null, limits: NONE });
  accountId = account.id;
});
afterAll(() => fresh.close());
beforeEach(async () => {
  looks = 0;
  lines = [];
  await fresh.db.prisma.transaction.deleteMany({});
});

/** A chain that is away: whatever is due stays due. */
function deps(): PaymentDeps {
  const evm = () => {
    looks++;
    throw new Error("The chain is away.");
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

/** A payment as it is signed. */
function rowOf(id: string) {
  return {
    ...{ id, accountId, type: "transfer", status: "signed", direction: "out", network: "base-sepolia", budgetIds: [] },
    ...{ amountAtomic: 1, amountMicroUsd: 1n, budgetDay: new Date(), authorization: AUTHORIZATION, signature: "0x" },
  };
}

/** How long the payment rests after a look at it, in seconds; null when it is not looked at again. */
async function restAfterLook({ ageSeconds, attempts, validForSeconds, status = "signed" }: Given) {
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
  ["one that has just been signed and claimed", { ageSeconds: 0, attempts: 0 }, 2],
  ["one that is five seconds old", { ageSeconds: 5, attempts: 0 }, 10],
  ["one that is fifteen", { ageSeconds: 15, attempts: 1 }, 30],
  ["one that is a minute old, and was looked up all the while", { ageSeconds: 60, attempts: 4 }, 120],
  ["one that nobody saw for an hour", { ageSeconds: 3_600, attempts: 0 }, 10],
  ["the same, next", { ageSeconds: 3_610, attempts: 1 }, 30],
  ["one that has been open for a day", { ageSeconds: 86_400, attempts: 40 }, 810],
])("how long is left alone: %s", async (_what, given, restSeconds) => {
  const rest = await restAfterLook({ ...given, validForSeconds: 86_400 });
  expect(rest).toBeGreaterThanOrEqual(restSeconds - 1);
  expect(rest).toBeLessThanOrEqual(restSeconds + 2);
  expect(looks).toBe(1);
});

test("a withdrawal that an outage kept from the chain is looked up again while it can still be sent", async () => {
  // Sent again at the second look; it ends 140 seconds from now.
  const rest = await restAfterLook({ ageSeconds: 160, attempts: 0, validForSeconds: 140 });
  expect(rest).toBeLessThanOrEqual(12);
});

test("one that ends soon is looked up soon after", async () => {
  const rest = await restAfterLook({ ageSeconds: 55, attempts: 4, validForSeconds: 5 });
  expect(rest).toBeGreaterThan(5);
  expect(rest).toBeLessThanOrEqual(16);
});

test.each(["settled", "released", "failed"])("one that is %s is not looked up, though it says so", async (status) => {
  expect(await restAfterLook({ ageSeconds: 5, attempts: 0, validForSeconds: 60, status })).toBeNull();
  expect(looks).toBe(0);
  expect(lines.join()).toContain("Closed payment was due for reconciliation");
});

test("what a shop says has settled is looked up before any number of others that are due", async () => {
  const dueSince = new Date(Date.now() - 3_600_000);
  const others = Array.from({ length: 150 }, () => ({ ...rowOf(newId("tx")), nextCheckAt: dueSince }));
  const claimed = newId("tx");
  await fresh.db.prisma.transaction.createMany({ data: [...others, { ...rowOf(claimed), nextCheckAt: new Date() }] });
  await recordClaims(fresh.db, [{ id: claimed, txHash: `0x${"cd".repeat(32)}` }]);
  expect(await reconcileDue(deps())).toBe(100);
  const { checkAttempts } = await fresh.db.prisma.transaction.findUniqueOrThrow({ where: { id: claimed } });
  expect(checkAttempts).toBe(1);
});

test("what was said before is not looked up sooner for being said again, and something new is", async () => {
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
