// @module-tag postgresql
/** `npm run audit`: reports each counter that differs from the ledger, and changes nothing. With `--chain`: compares the chains. */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { type Database, openDatabase } from "../../src/platform/database/connection.ts";
import { openAccount } from "../../src/wallet/open-account.ts";
import { reserve } from "../../src/wallet/reservation.ts";
import { createDatabase } from "../support/postgresql.ts";
import { postgresqlUrl } from "../support/servers.ts";
import { copyEmbeddedTemplate } from "../support/template.ts";
import { createLocalVault } from "../support/vault.ts";
import { startTestEvmChain } from "./evm/test-chain.ts";

const NONE = { perTransactionMicroUsd: null, dailyMicroUsd: null, monthlyMicroUsd: null };
const COMMAND = join(import.meta.dirname, "../../src/audit.ts");

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "satchel-audit-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function runAudit(settings: Record<string, string>, ...options: string[]) {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, NODE_ENV: "test", ...settings };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const args = ["--disable-warning=ExperimentalWarning", COMMAND, ...options];
    execFile(process.execPath, args, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

/** Creates an account with a credit of 5 USD that has reserved 3 micro-USD from credit and 7 from its wallet. */
async function spend(db: Database) {
  const deps = { db, vault: createLocalVault(), freeCreditMicroUsd: 5_000_000n };
  const { id } = await openAccount(deps, { email: `${randomUUID()}@example.com`, displayName: null, limits: NONE });
  await db.prisma.account.update({ where: { id }, data: { x402EnabledAt: new Date() } });
  const wallet = await db.prisma.wallet.findUniqueOrThrow({ where: { accountId: id } });
  const terms = {
    ...{ accountId: id, type: "gateway" as const, network: "base" as const, asset: "0xusdc", budgetIds: [id] },
    ...{ scheme: null, resource: null, payTo: "0xshop", description: null, authorization: {}, nonce: null },
    ...{ permitSlot: null, purchaseTokenId: null, validBefore: null, idempotencyKey: null },
  };
  const credit = { kind: "credit" as const, walletId: wallet.id };
  await reserve(db, { ...terms, amountAtomic: 3n, amountMicroUsd: 3n, source: credit });
  const fromWallet = { kind: "wallet" as const, walletId: wallet.id, balanceAtomic: 100n, readAfter: new Date() };
  await reserve(db, { ...terms, amountAtomic: 7n, amountMicroUsd: 7n, source: fromWallet });
  return { accountId: id, walletId: wallet.id };
}

const counters = ({ prisma }: Database) =>
  Promise.all([prisma.budget.findMany(), prisma.credit.findMany(), prisma.walletHold.findMany()]);

describe.each([
  { kind: "PGlite", server: null },
  ...(postgresqlUrl === null ? [] : [{ kind: "PostgreSQL", server: postgresqlUrl }]),
])("on $kind", ({ server }) => {
  let settings: Record<string, string>;
  let drop = async () => {};
  beforeAll(async () => {
    if (server === null) {
      const dataDir = join(folder, "data");
      await copyEmbeddedTemplate(inject("embeddedTemplate"), dataDir);
      settings = { DATA_DIR: dataDir };
    } else {
      const database = await createDatabase(server);
      settings = { DATABASE_URL: database.databaseUrl, DATA_DIR: join(folder, "unused") };
      drop = database.drop;
    }
  });
  afterAll(() => drop());

  async function withDatabase<Result>(use: (db: Database) => Promise<Result>): Promise<Result> {
    const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir = "" } = settings;
    const db = await openDatabase({ databaseUrl, dataDir, poolSize: 2 });
    return await use(db).finally(() => db.close());
  }

  it("reports agreement, and then each changed counter", async () => {
    const { accountId, walletId } = await withDatabase(spend);
    const before = await withDatabase(counters);
    expect(await runAudit(settings)).toEqual({ code: 0, stdout: "All counters match the ledger\n", stderr: "" });
    expect(await withDatabase(counters)).toEqual(before);

    await withDatabase(async ({ prisma }) => {
      await prisma.budget.update({ where: { id: accountId }, data: { dayUsedMicroUsd: 9n } });
      await prisma.credit.update({ where: { accountId }, data: { availableMicroUsd: 5_000_000n } });
      await prisma.walletHold.deleteMany({ where: { walletId } });
    });
    const failed = await runAudit(settings);
    expect([failed.code, failed.stdout]).toEqual([1, ""]);
    expect(failed.stderr.split("\n")).toEqual([
      `Budget used in the UTC day, micro-USD: ${accountId}: counter 9, ledger 10`,
      `Remaining free credit, micro-USD: ${accountId}: counter 5000000, ledger 4999997`,
      `Outstanding amount of the wallet, smallest unit of the asset: ${walletId} base 0xusdc: counter 0, ledger 7`,
      "Counters that differ from the ledger: 3",
      "",
    ]);
  }, 120_000);

  it("compares the chains with the ledger, prints the differences and continues where it ended", async () => {
    const chain = await startTestEvmChain();
    onTestFinished(() => chain.close());
    const chainSettings = {
      ...settings,
      SANDBOX: "0",
      RPC_URL_BASE_SEPOLIA: chain.rpcUrl,
      CHAIN_AUDIT_CONFIRMATIONS: "0",
    };
    const wallet = await chain.createSigner(1_000n);
    const { walletId } = await withDatabase(spend);
    // The wallet of a key that the test has, older than its first transfer.
    const data = { evmAddress: wallet.address, createdAt: new Date(Date.now() - 3_600_000) };
    await withDatabase(({ prisma }) => prisma.wallet.update({ where: { id: walletId }, data }));
    const agreed = await runAudit(chainSettings, "--chain");
    expect(agreed).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^base-sepolia: audited up to block \d+, 1 new transfers\nNo differences between the chains and the ledger\n$/,
      ),
      stderr: "",
    });

    const txHash = await wallet.callUsdc("transfer", ["0x00000000000000000000000000000000000000aa", 7n]);
    const failed = await runAudit(chainSettings, "--chain");
    expect([failed.code, failed.stdout]).toEqual([1, ""]);
    const lines = failed.stderr.split("\n").map((line) => line.split(/ {2,}/));
    expect(lines).toEqual([
      [expect.stringContaining("1 new transfers")],
      [""],
      ["Wallet", "Network", "Asset", "What differs", "Chain", "Ledger", "Transaction"],
      [walletId, "base-sepolia", chain.usdc.toLowerCase(), "Transfer without a ledger row", "7", "0", txHash],
      [""],
      ["Differences: 1"],
      [""],
    ]);

    const asJson = await runAudit(chainSettings, "--chain", "--json");
    expect(asJson.code).toBe(1);
    expect(JSON.parse(asJson.stdout)).toMatchObject({
      networks: [{ network: "base-sepolia", transferCount: 0, failure: null }],
      differences: [{ kind: "unrecorded_transfer", walletId, chainAtomic: "7", ledgerAtomic: "0", txHash }],
    });
  }, 120_000);

  it("fails if a network is unavailable, or if none is configured", async () => {
    const unavailable = await runAudit({ ...settings, SANDBOX: "0", RPC_URL_BASE: "http://127.0.0.1:9" }, "--chain");
    expect([unavailable.code, unavailable.stderr]).toEqual([
      1,
      expect.stringContaining("base: not audited completely."),
    ]);
    const unconfigured = await runAudit({ ...settings, SANDBOX: "0" }, "--chain");
    expect([unconfigured.code, unconfigured.stderr]).toEqual([1, expect.stringContaining("No network is configured.")]);
  }, 120_000);
});

it("fails with the reason if there is no database, or if its schema is not migrated", async () => {
  const missingDir = join(folder, "nowhere");
  const onMissing = await runAudit({ DATA_DIR: missingDir });
  expect(onMissing).toEqual({
    code: 1,
    stdout: "",
    stderr: `No database found in ${missingDir}. Set DATA_DIR or DATABASE_URL.\n`,
  });
  expect(existsSync(missingDir)).toBe(false);

  const emptyDir = join(folder, "bare");
  await mkdir(emptyDir);
  const onEmpty = await runAudit({ DATA_DIR: emptyDir });
  expect(onEmpty).toEqual({
    code: 1,
    stdout: "",
    stderr: `No database found in ${emptyDir}. Set DATA_DIR or DATABASE_URL.\n`,
  });
  expect(await readdir(emptyDir)).toEqual([]);

  const unmigratedDir = join(folder, "empty");
  await (await openDatabase({ dataDir: unmigratedDir })).close();
  const onUnmigrated = await runAudit({ DATA_DIR: unmigratedDir });
  expect([onUnmigrated.code, onUnmigrated.stdout, onUnmigrated.stderr]).toEqual([
    1,
    "",
    expect.stringContaining("npm run migrate"),
  ]);
}, 120_000);
