/** One account paying in parallel must not hold everybody up: statements that deadlock wait a second each. */
import { randomUUID } from "node:crypto";
import { expect, inject, it } from "vitest";
import { storeApiToken } from "../../src/accounts/api-tokens.ts";
import { localKek } from "../../src/platform/sealing/key-encryption-local.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { release, settle } from "../../src/wallet/ledger.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { reserve } from "../../src/wallet/reservation.ts";
import { createVault } from "../../src/wallet/sealed-vault.ts";
import { freshDatabase } from "../support/database.ts";

const NO_LIMITS = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };
const RULES = { scopes: [], networks: [], allowedHosts: [], allowedPayees: [], expiresAt: null };

// PGlite has one connection: nothing meets there.
it.skipIf(inject("postgresqlUrl") === null)("reserving and closing in parallel never deadlocks", async () => {
  const { db, close } = await freshDatabase({ poolSize: 32 });
  const vault = createVault({ kek: localKek(Buffer.alloc(32, 1), "test") });
  const email = `${randomUUID()}@example.test`;
  const opening = openAccount(
    { db, vault, freeCreditMicroUsd: 5_000_000n },
    { email, displayName: null, limits: NO_LIMITS },
  );
  const { id: accountId } = await opening;
  await db.prisma.account.update({ where: { id: accountId }, data: { x402EnabledAt: new Date() } });
  const tokens = await Promise.all(
    ["one", "two", "three"].map((name) => storeApiToken(db, accountId, { name, limits: NO_LIMITS, ...RULES })),
  );
  const { id: walletId } = await db.prisma.wallet.findUniqueOrThrow({ where: { accountId } });

  // A balance read before another payment settled would have to be read again: here it never changes.
  const afterEveryPayment = new Date(Date.now() + 3_600_000);
  const payAndClose = async (turn: number) => {
    const id = await reserve(db, {
      accountId,
      type: "x402",
      network: "base",
      asset: "usdc",
      amountAtomic: 7n,
      amountMicroUsd: 7n,
      budgetIds: [accountId, tokens[turn % 3]?.token.id ?? ""],
      source:
        turn % 4
          ? { kind: "credit", walletId }
          : { kind: "wallet", walletId, balanceAtomic: 1_000_000n, readAfter: afterEveryPayment },
      scheme: "exact",
      resource: null,
      payTo: "nobody",
      description: null,
      authorization: {},
      nonce: null,
      permitSlot: null,
      purchaseTokenId: null,
      validBefore: null,
      idempotencyKey: null,
    });
    const settling = settle(db, id, { txHash: null, chargedAtomic: 3n, chargedMicroUsd: 3n });
    const ends = await Promise.all([settling, release(db, id, "test"), release(db, id, "test")]);
    expect(ends.filter((end) => end !== null)).toHaveLength(1);
  };
  for (let round = 0; round < 4; round++) await Promise.all(Array.from({ length: 16 }, (_, turn) => payAndClose(turn)));

  expect(await auditLedger(db)).toEqual([]);
  const deadlocks = {
    name: "deadlocks",
    text: "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
  };
  expect(await db.query(deadlocks, [])).toEqual([{ deadlocks: 0n }]);
  await close();
});
