// @module-tag postgresql
/**
 * Many concurrent operations of one account must not delay other accounts. Two causes are tested: deadlocks, which PostgreSQL
 * detects only after a second, and waits for the account's own row lock in all connections.
 */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, inject, it, onTestFinished } from "vitest";
import { apiTokenKind } from "../../src/accounts/api-token-kind.ts";
import { revokeApiToken, storeApiToken } from "../../src/accounts/api-tokens.ts";
import { authenticate } from "../../src/accounts/authenticate.ts";
import { MAX_WAIT_MS } from "../../src/platform/concurrency/keyed-semaphore.ts";
import { localKek } from "../../src/platform/crypto/sealing/key-encryption-local.ts";
import type { Database } from "../../src/platform/database/connection.ts";
import { auditLedger } from "../../src/wallet/audit.ts";
import { release, settle } from "../../src/wallet/ledger.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { reserve } from "../../src/wallet/reservation.ts";
import { createVault } from "../../src/wallet/sealed-vault.ts";
import { createMailbox } from "../mail/fixtures.ts";
import { send } from "../mail/senders.ts";
import { createTestDatabase } from "../support/database.ts";
import { PLAIN_TERMS } from "../support/plain-terms.ts";
import { startStack, type TestResponse } from "../support/stack.ts";

const NO_LIMITS = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };
const TERMS = {
  type: "x402",
  network: "base",
  asset: "usdc",
  amountAtomic: 7n,
  amountMicroUsd: 7n,
  scheme: "exact",
  payTo: "nobody",
  ...PLAIN_TERMS,
} as const;
const RULES = { scopes: [], networks: [], allowedHosts: [], allowedPayees: [], expiresAt: null };

async function openPayingAccount(db: Database): Promise<string> {
  const vault = createVault({ kek: localKek(Buffer.alloc(32, 1), "test") });
  const email = `${randomUUID()}@example.test`;
  const opening = openAccount(
    { db, vault, freeCreditMicroUsd: 5_000_000n },
    { email, displayName: null, limits: NO_LIMITS },
  );
  const { id } = await opening;
  await db.prisma.account.update({ where: { id }, data: { x402EnabledAt: new Date() } });
  return id;
}

/** Locks a row in another connection, like a transaction of another node. Returns a function that releases the lock. */
async function lockRow(databaseUrl: string | null, table: string, id: string): Promise<() => Promise<void>> {
  const other = new pg.Client({ connectionString: databaseUrl ?? "" });
  await other.connect();
  await other.query("BEGIN");
  await other.query(`SELECT id FROM ${table} WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  return () => other.end();
}

/** Counts the connections that wait for a lock. */
async function countLockWaits(databaseUrl: string): Promise<number> {
  const observer = new pg.Client({ connectionString: databaseUrl });
  await observer.connect();
  const text = `SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const { rows } = await observer.query<{ count: number }>(text);
  await observer.end();
  return rows[0]?.count ?? 0;
}

// PGlite has one connection, so no transactions are concurrent.
const onServer = it.skipIf(inject("postgresqlUrl") === null);

onServer("concurrent reservation and closing of payments never deadlocks", async () => {
  const { db, close } = await createTestDatabase({ poolSize: 32 });
  const accountId = await openPayingAccount(db);
  const tokens = await Promise.all(
    ["one", "two", "three"].map((name) => storeApiToken(db, accountId, { name, limits: NO_LIMITS, ...RULES })),
  );
  const { id: walletId } = await db.prisma.wallet.findUniqueOrThrow({ where: { accountId } });

  // A balance is read again after each settlement. The time in the future avoids that, as the balance never changes here.
  const afterEveryPayment = new Date(Date.now() + 3_600_000);
  const payAndClose = async (worker: number) => {
    const id = await reserve(db, {
      ...TERMS,
      accountId,
      budgetIds: [accountId, tokens[worker % 3]?.token.id ?? ""],
      source:
        worker % 4
          ? { kind: "credit", walletId }
          : { kind: "wallet", walletId, balanceAtomic: 1_000_000n, readAfter: afterEveryPayment },
    });
    const settling = settle(db, id, { txHash: null, chargedAtomic: 3n, chargedMicroUsd: 3n });
    const closed = await Promise.all([settling, release(db, id, "test"), release(db, id, "test")]);
    expect(closed.filter((row) => row !== null)).toHaveLength(1);
  };
  const payRepeatedly = async (worker: number) => {
    for (let round = 0; round < 4; round++) await payAndClose(worker);
  };
  await Promise.all(Array.from({ length: 16 }, (_, worker) => payRepeatedly(worker)));

  expect(await auditLedger(db)).toEqual([]);
  const deadlocks = {
    name: "deadlocks",
    text: "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
  };
  expect(await db.query(deadlocks, [])).toEqual([{ deadlocks: 0n }]);
  await close();
});

onServer("closing a payment is retried after a deadlock", async () => {
  const { db, databaseUrl, close } = await createTestDatabase();
  onTestFinished(close);
  const accountId = await openPayingAccount(db);
  const { id: walletId } = await db.prisma.wallet.findUniqueOrThrow({ where: { accountId } });
  const id = await reserve(db, { ...TERMS, accountId, budgetIds: [accountId], source: { kind: "credit", walletId } });

  // The lock order of a reservation: first the account, then the payment with the same key.
  const other = new pg.Client({ connectionString: databaseUrl ?? "" });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query("BEGIN; SET LOCAL deadlock_timeout = '10s'");
  await other.query("SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE", [accountId]);
  const releasing = release(db, id, "test");
  await expect.poll(() => countLockWaits(databaseUrl ?? "")).toBe(1);
  // On a busy machine PostgreSQL may cancel this statement instead of the other.
  await other.query("SELECT id FROM transactions WHERE id = $1 FOR UPDATE", [id]).catch(() => {});
  await other.query("ROLLBACK");

  expect(await releasing).toMatchObject({ id });
  expect(await auditLedger(db)).toEqual([]);
});

onServer("a revocation is retried after a deadlock with a payment", async () => {
  const { db, databaseUrl, close } = await createTestDatabase();
  onTestFinished(close);
  const accountId = await openPayingAccount(db);
  const { token, secret } = await storeApiToken(db, accountId, {
    ...{ name: "one", limits: NO_LIMITS, ...RULES, scopes: ["account:manage"] },
  });

  const other = new pg.Client({ connectionString: databaseUrl ?? "" });
  await other.connect();
  onTestFinished(() => other.end());
  await other.query("BEGIN; SET LOCAL deadlock_timeout = '10s'");
  await other.query("SELECT id FROM budgets WHERE id = $1 FOR UPDATE", [token.id]);
  const owner = await authenticate({ db, adminTokens: [], tokenKinds: [apiTokenKind] }, secret);
  const revoking = revokeApiToken({ db }, owner, token.id);
  await expect.poll(() => countLockWaits(databaseUrl ?? "")).toBe(1);
  await other.query("SELECT id FROM api_tokens WHERE id = $1 FOR UPDATE", [token.id]).catch(() => {});
  await other.query("ROLLBACK");

  await revoking;
  expect(await db.prisma.budget.findUnique({ where: { id: token.id } })).toMatchObject({ closedAt: expect.any(Date) });
});

const CURRENT_DATABASE = { name: "current-database", text: "SELECT current_database() AS name" };
/** Lower than the number of concurrent operations per account below. */
const POOL_SIZE = 3;

onServer("payments that wait for a locked account leave connections to other accounts", async () => {
  const { db, databaseUrl, close } = await createTestDatabase({ poolSize: POOL_SIZE });
  onTestFinished(close);
  const [busy, other] = [await openPayingAccount(db), await openPayingAccount(db)];
  const preparePayment = async (accountId: string) => {
    const { id: walletId } = await db.prisma.wallet.findUniqueOrThrow({ where: { accountId } });
    return () => reserve(db, { ...TERMS, accountId, budgetIds: [accountId], source: { kind: "credit", walletId } });
  };
  const [payBusy, payOther] = [await preparePayment(busy), await preparePayment(other)];
  const releaseLock = await lockRow(databaseUrl, "accounts", busy);
  const paying = Promise.allSettled(Array.from({ length: 3 * POOL_SIZE }, payBusy));
  try {
    await payOther();
    await payOther();
  } finally {
    await releaseLock();
  }
  expect((await paying).map(({ status }) => status)).toEqual(Array(3 * POOL_SIZE).fill("fulfilled"));
  expect(await auditLedger(db)).toEqual([]);
});

onServer("drafts that wait for a locked mailbox leave connections to other accounts", async () => {
  const stack = await startStack({
    env: { DATABASE_POOL_SIZE: String(POOL_SIZE), AGENT_MAIL_DOMAIN: "agents.example" },
  });
  onTestFinished(() => stack.stop());
  const [busy, other] = [await stack.account(), await stack.account()];
  const { id: mailboxId } = await createMailbox(stack, busy);
  const [found] = await stack.service.deps.db.query<{ name: string }>(CURRENT_DATABASE, []);
  const url = new URL(inject("postgresqlUrl") ?? "");
  url.pathname = `/${found?.name}`;
  const releaseLock = await lockRow(url.href, "mailboxes", mailboxId);
  const create = 'mutation { createMailDraft(input: { subject: "One" }) { __typename } }';
  const drafting = Promise.all(Array.from({ length: 3 * POOL_SIZE }, () => stack.graphql(busy.token, create)));
  try {
    for (let time = 0; time < 3; time++) {
      expect((await stack.graphql(other.token, "{ viewer { account { id } } }")).json.errors).toBeUndefined();
    }
  } finally {
    await releaseLock();
  }
  for (const { json } of await drafting) expect(json.data.createMailDraft.__typename).toBe("CreateMailDraftSuccess");
});

onServer(
  "messages that wait for a locked mailbox leave connections to other accounts and are rejected temporarily",
  async () => {
    const stack = await startStack({
      networks: [],
      env: { DATABASE_POOL_SIZE: String(POOL_SIZE), AGENT_MAIL_DOMAIN: "agents.example" },
    });
    onTestFinished(() => stack.stop());
    const [busy, other] = [await stack.account(), await stack.account()];
    const mailbox = await createMailbox(stack, busy);
    const [found] = await stack.service.deps.db.query<{ name: string }>(CURRENT_DATABASE, []);
    const url = new URL(inject("postgresqlUrl") ?? "");
    url.pathname = `/${found?.name}`;
    let rejected = 0;
    const createMessage = (index: number) => ({
      from: "ada@ada.example",
      to: mailbox.address,
      subject: `${index}`,
      text: "x",
    });
    // The first message creates the key of the mailbox, in its row.
    await send(stack, createMessage(-1));
    const releaseLock = await lockRow(url.href, "mailboxes", mailbox.id);
    const sending = Array.from({ length: 3 * POOL_SIZE }, (_, index) =>
      send(stack, createMessage(index)).then(
        () => 250,
        ({ responseCode }: { responseCode: number }) => {
          rejected += 1;
          return responseCode;
        },
      ),
    );
    try {
      await expect.poll(() => countLockWaits(url.href)).toBeGreaterThanOrEqual(2);
      for (let time = 0; time < 3; time++) {
        expect((await stack.graphql(other.token, "{ viewer { account { id } } }")).json.errors).toBeUndefined();
      }
      await expect.poll(() => rejected, { timeout: 2 * MAX_WAIT_MS }).toBe(3 * POOL_SIZE - 2);
    } finally {
      await releaseLock();
    }
    expect((await Promise.all(sending)).toSorted()).toEqual([250, 250, ...Array(3 * POOL_SIZE - 2).fill(451)]);
    expect(await stack.service.deps.db.prisma.mailMessage.count({ where: { mailboxId: mailbox.id } })).toBe(3);
  },
);

onServer("rules wait for a locked mailbox and are set, except for those that exceed the maximum wait", async () => {
  const stack = await startStack({ networks: [], env: { AGENT_MAIL_DOMAIN: "agents.example" } });
  onTestFinished(() => stack.stop());
  const account = await stack.account();
  const mailbox = await createMailbox(stack, account);
  const [found] = await stack.service.deps.db.query<{ name: string }>(CURRENT_DATABASE, []);
  const url = new URL(inject("postgresqlUrl") ?? "");
  url.pathname = `/${found?.name}`;
  const releaseLock = await lockRow(url.href, "mailboxes", mailbox.id);
  const set = 'mutation { setMailRule(input: { action: BLOCK, pattern: "spam.example" }) { __typename } }';
  const settings = Array.from({ length: 3 }, () => stack.graphql(account.token, set));
  const readOutcome = ({ json }: TestResponse) => json.data.setMailRule.__typename;
  try {
    expect(readOutcome(await Promise.race(settings))).toBe("RateLimitedError");
  } finally {
    await releaseLock();
  }
  const outcomes = (await Promise.all(settings)).map(readOutcome).toSorted();
  expect(outcomes).toEqual(["RateLimitedError", "SetMailRuleSuccess", "SetMailRuleSuccess"]);
});
