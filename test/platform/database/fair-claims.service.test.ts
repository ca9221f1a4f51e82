// @module-tag postgresql
/** Claims while one account has a long backlog: another account's row is in one of the next claims, which read few rows. */
import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { claimOrder } from "../../../src/checkout/orders/leases.ts";
import { NEXT_ORDER } from "../../../src/checkout/orders/next-order.ts";
import type { AgentMailDeps } from "../../../src/mail/deps.ts";
import type { OutgoingEmail } from "../../../src/mail/outgoing/relay.ts";
import { sendDueMail } from "../../../src/mail/outgoing/send-due.ts";
import type { PaymentDeps } from "../../../src/payments/deps.ts";
import { followRevocations } from "../../../src/payments/follow-revocations.ts";
import { reconcileAllDue } from "../../../src/payments/reconcile.ts";
import { localKek } from "../../../src/platform/crypto/sealing/key-encryption-local.ts";
import type { Database, Statement } from "../../../src/platform/database/connection.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createLogger } from "../../../src/platform/observability/logger.ts";
import { createPubSub, type PubSub } from "../../../src/platform/pubsub/pubsub.ts";
import type { TradeDeps } from "../../../src/trade/deps.ts";
import { resumeTrades } from "../../../src/trade/resume-trades.ts";
import { ChainUnavailableError } from "../../../src/wallet/chain.ts";
import { addAccount, addOrder } from "../../checkout/orders/order-rows.ts";
import { AUTHORIZATION } from "../../payments/signed-authorization.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { countRead, explainPrepared, type PlanMode } from "../../support/query-plans.ts";

const BACKLOG = 20_000;
const MODES: PlanMode[] = ["custom", "generic"];

let fresh: TestDatabase;
let pubsub: PubSub;
let busy: string;
let other: string;
let lines: { msg: string; repeated?: number }[];
const logger = createLogger("warn", { write: (line) => void lines.push(JSON.parse(line)) });

beforeAll(async () => {
  fresh = await createTestDatabase();
  pubsub = createPubSub({ redisUrl: undefined, databaseUrl: undefined, logger });
});
afterAll(async () => {
  await pubsub?.close();
  await fresh?.close();
});
beforeEach(async () => {
  lines = [];
  busy = await addAccount(fresh.db);
  other = await addAccount(fresh.db);
});

/** Rows of a statement by its name, in order of the calls. */
interface Call {
  readonly statement: Statement;
  readonly values: readonly unknown[];
  readonly rows: readonly Record<string, unknown>[];
}

/** Returns the database, and the calls of statements whose name matches. `stopAfter` calls, they return no more rows. */
function recordCalls(pattern: RegExp, stopAfter = Number.POSITIVE_INFINITY): { db: Database; calls: Call[] } {
  const calls: Call[] = [];
  const query: Database["query"] = async <Row extends object>(statement: Statement, values: readonly unknown[]) => {
    if (!pattern.test(statement.name)) return await fresh.db.query<Row>(statement, values);
    if (calls.length >= stopAfter) return [];
    const rows = await fresh.db.query<Row>(statement, values);
    calls.push({ statement, values, rows: rows as Record<string, unknown>[] });
    return rows;
  };
  return { db: { ...fresh.db, query }, calls };
}

/** Expects that the statement reads few rows, with any plan. */
async function expectBounded({ statement, values }: Call): Promise<void> {
  for (const mode of MODES) {
    const plan = await explainPrepared(fresh.db, statement.text, values, mode, "ANALYZE,");
    expect(countRead(plan), `${statement.name}, ${mode} plan: ${JSON.stringify(plan)}`).toBeLessThan(2_000);
  }
}

async function addPayments(accountId: string, count: number, agedSeconds: number): Promise<void> {
  await fresh.db.prisma
    .$executeRaw`INSERT INTO transactions (id, account_id, type, status, direction, network, asset, scheme,
      amount_atomic, amount_micro_usd, budget_ids, budget_day, "authorization", signature, next_check_at, valid_before)
    SELECT ${newId("tx")} || '_' || n, ${accountId}::uuid, 'x402', 'signed', 'out', 'base-sepolia', 'usdc', 'exact', 1, 1, '{}',
      current_date, ${JSON.stringify(AUTHORIZATION)}::jsonb, '0x', now() - ${agedSeconds}::int * interval '1 second',
      now() + interval '1 day'
    FROM generate_series(1, ${count}::int) n`;
}
describe("settlement", () => {
  let lookUps: number;
  const depsWith = (db: Database): PaymentDeps => {
    lookUps = 0;
    const evm = () => {
      lookUps++;
      throw new ChainUnavailableError("base-sepolia", "HttpRequestError");
    };
    return { db, logger, pubsub, chains: { evm } } as unknown as PaymentDeps;
  };

  it("checks another account's payment with the second lease, and an unavailable network rarely, with one line", async () => {
    await fresh.db.prisma.transaction.deleteMany();
    await addPayments(busy, BACKLOG, 3_600);
    await addPayments(other, 1, 1);
    const { db, calls } = recordCalls(/^take-due-transactions/, 2);
    await reconcileAllDue(depsWith(db));
    expect(calls.map(({ statement }) => statement.name)).toEqual([
      "take-due-transactions",
      "take-due-transactions-of-each-account",
    ]);
    expect(calls[1]?.rows.map(({ accountId }) => accountId)).toContain(other);
    expect(lookUps).toBe(50);
    expect(lines).toMatchObject([{ msg: "Payment reconciliation failed; retry scheduled", network: "base-sepolia" }]);
    for (const call of calls) await expectBounded(call);
  }, 60_000);

  it("follows another account's permit revocation with the first lease", async () => {
    await fresh.db.prisma.permitRevocation.deleteMany();
    await fresh.db.prisma.transaction.deleteMany();
    for (const [accountId, count, agedSeconds] of [
      [busy, 5_000, 3_600],
      [other, 1, 1],
    ] as const) {
      await addPayments(accountId, count, 0);
      await fresh.db.prisma.$executeRaw`INSERT INTO permit_revocations (id, transaction_id, account_id, network, pay_to,
          seller_host, status, nonce, raw_transaction, tx_hashes, max_fee_wei, next_check_at)
        SELECT 'rev_' || id, id, account_id, 'base-sepolia', '0x0', 'seller.example', 'signed', 1, '0x', '{}', 1,
          now() - ${agedSeconds}::int * interval '1 second'
        FROM transactions WHERE account_id = ${accountId}::uuid`;
    }
    const { db, calls } = recordCalls(/^lease-permit-revocations$/);
    await followRevocations(depsWith(db));
    const accounts = await fresh.db.prisma.permitRevocation.findMany({
      where: { id: { in: calls[0]?.rows.map(({ id }) => String(id)) ?? [] } },
    });
    expect(accounts).toHaveLength(50);
    expect(accounts.map(({ accountId }) => accountId)).toContain(other);
    expect(lines).toHaveLength(1);
    await expectBounded(calls[0] as Call);
  }, 60_000);
});

it("resumes another account's trade with the first lease", async () => {
  for (const [accountId, count, agedSeconds] of [
    [busy, BACKLOG, 3_600],
    [other, 1, 1],
  ] as const) {
    const walletId = newId("wal");
    const [evmAddress, solanaAddress] = [`0x${randomBytes(20).toString("hex")}`, randomBytes(20).toString("hex")];
    const sealed = { sealedKeys: new Uint8Array(1), wrappedDataKey: new Uint8Array(1), kekId: "test" };
    await fresh.db.prisma.wallet.create({ data: { id: walletId, accountId, evmAddress, solanaAddress, ...sealed } });
    const trade = await addTrade(accountId, walletId);
    await fresh.db.prisma
      .$executeRaw`INSERT INTO evm_transactions (id, trade_id, wallet_id, network, purpose, status, nonce, "to", data,
        value_atomic, gas_limit, max_fee_per_gas, max_priority_fee, next_check_at)
      SELECT ${trade} || '_' || n, ${trade}, ${walletId}, 'base-sepolia', 'swap', 'signed', n, '0x0', '0x', 0, 1, 1, 1,
        now() - ${agedSeconds}::int * interval '1 second' FROM generate_series(1, ${count}::int) n`;
  }
  const { db, calls } = recordCalls(/^take-due-evm-transactions$/, 1);
  await resumeTrades({ db, logger, pubsub } as unknown as TradeDeps);
  expect(new Set(calls[0]?.rows.map(({ tradeId }) => tradeId)).size).toBe(2);
  await expectBounded(calls[0] as Call);
}, 60_000);

async function addTrade(accountId: string, walletId: string): Promise<string> {
  const id = newId("trd");
  await fresh.db.prisma.trade.create({
    data: {
      ...{ id, accountId, walletId, transactionId: newId("tx"), network: "base-sepolia", status: "submitted" },
      ...{ sellToken: "0x1", sellSymbol: "A", sellDecimals: 6, sellAmountAtomic: 1 },
      ...{ buyToken: "0x2", buySymbol: "B", buyDecimals: 6, buyAmountAtomic: 1, minBuyAtomic: 1, slippageBps: 50 },
    },
  });
  return id;
}

it("sends another account's email with the first attempts", async () => {
  await addMail(busy, "busy@example.test", BACKLOG, 3_600);
  await addMail(other, "other@example.test", 1, 1);
  const attempts: string[] = [];
  const send = async ({ from }: OutgoingEmail) => {
    attempts.push(from.address);
    const isUnavailable = attempts.length >= 40;
    const failure = { code: undefined, command: "DATA", responseCode: 451, enhancedCode: "4.3.0", isPermanent: false };
    return { kind: "deferred", reason: "The mail server is busy.", isUnavailable, failure } as const;
  };
  const relay = { isConfigured: true, send, close: () => {} };
  const { db, calls } = recordCalls(/^(find-accounts-with-due-mail|claim-due-mail-delivery)$/);
  const deriveIdentifier = async () => new Uint8Array(32);
  await sendDueMail({ db, logger, pubsub, agentMail: { relay, deriveIdentifier } } as unknown as AgentMailDeps);
  expect(attempts.indexOf("other@example.test")).toBeLessThan(5);
  expect(attempts.indexOf("other@example.test")).toBeGreaterThanOrEqual(0);
  // Four further attempts of the other workers may be in flight when the server becomes unavailable.
  expect(attempts.length).toBeLessThan(45);
  expect(lines).toMatchObject([{ msg: "Email delivery attempt failed", responseCode: 451 }]);
  for (const call of calls.slice(0, 2)) await expectBounded(call);
}, 60_000);

async function addMail(accountId: string, address: string, count: number, agedSeconds: number): Promise<void> {
  const { prisma } = fresh.db;
  const sealed = { sealedHolderKey: new Uint8Array(1), wrappedDataKey: new Uint8Array(1), kekId: "test" };
  const place = { network: "base-sepolia", registryAddress: "0x0", holderPublicJwk: {} };
  const agentId = newId("agt");
  await prisma.agent.create({ data: { id: agentId, accountId, status: "active", ...place, ...sealed } });
  const mailbox = { id: newId("mbx"), accountId, agentId, address, displayName: "Agent" };
  await prisma.mailbox.create({ data: mailbox });
  const thread = { id: newId("mth"), mailboxId: mailbox.id, subject: "Hello", lastMessageAt: new Date() };
  await prisma.mailThread.create({ data: thread });
  await prisma.$executeRaw`INSERT INTO mail_messages (id, mailbox_id, account_id, thread_id, direction, status, from_address,
      from_name, to_addresses, cc_addresses, subject, body_text, extracted_text, message_id_header, "references", size_bytes,
      next_attempt_at)
    SELECT ${newId("aem")} || '_' || n, ${mailbox.id}, ${accountId}::uuid, ${thread.id}, 'outbound', 'queued', ${address}, 'Agent',
      '{to@example.test}', '{}', 'Hello', 'Hi', 'Hi', '<' || n || '@example.test>', '{}', 1,
      now() - ${agedSeconds}::int * interval '1 second'
    FROM generate_series(1, ${count}::int) n`;
}

it("leases another account's order second", async () => {
  const template = await addOrder(fresh.db, busy);
  await fresh.db.prisma
    .$executeRaw`INSERT INTO checkout_orders (id, account_id, credential_id, kind, status, dispatch_sha256,
      request, amount_minor, currency, card_entry)
    SELECT id || '_' || n, account_id, credential_id, kind, status, sha256(n::text::bytea), request, amount_minor, currency,
      card_entry
    FROM checkout_orders, generate_series(1, 2000) n WHERE id = ${template.id}`;
  const { id } = await addOrder(fresh.db, other);
  const deps = { db: fresh.db, pubsub, keks: { kek: localKek(randomBytes(32), "test") }, checkoutTimeoutMs: 180_000 };
  const claims: (string | undefined)[] = [];
  for (let index = 0; index < 2; index++) {
    claims.push((await claimOrder(deps, { workerUrl: "http://127.0.0.1:9999", slots: 8 }))?.order.id);
  }
  expect(claims[1]).toBe(id);
  const values = ["http://127.0.0.1:9998", 180_000, 8, 8, 8, 8, 8, randomUUID()];
  await expectBounded({ statement: NEXT_ORDER, values, rows: [] });
}, 60_000);
