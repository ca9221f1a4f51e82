/** The audit of a Solana network, on the sandbox's VM: transfers, deposits, differences, several runs. */
import { randomUUID } from "node:crypto";
import { Keypair } from "@solana/web3.js";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Database } from "../../../src/platform/database/connection.ts";
import { newId } from "../../../src/platform/ids.ts";
import { auditNetwork } from "../../../src/wallet/chain-audit/audit-network.ts";
import type { ChainAuditDeps } from "../../../src/wallet/chain-audit/deps.ts";
import { readOpenDifferences } from "../../../src/wallet/chain-audit/differences.ts";
import { createChains } from "../../../src/wallet/chains.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { startTestSolanaChain } from "../solana/test-chain.ts";

const NETWORK = "solana-devnet";
const HOUR_MS = 3_600_000;

let chain: Awaited<ReturnType<typeof startTestSolanaChain>>;
let database: TestDatabase;
let db: Database;
let chains: ReturnType<typeof createChains>;

beforeAll(async () => {
  [chain, database] = await Promise.all([startTestSolanaChain(), createTestDatabase()]);
  db = database.db;
  chains = createChains({ rpcUrls: { [NETWORK]: chain.rpcUrl } });
});
afterAll(() => Promise.all([chain.close(), database.close()]));
beforeEach(async () => {
  const tables = ["networks", "accounts", "balances"].map((name) => `chain_audit_${name}`);
  await db.executeSql(
    `TRUNCATE accounts, wallets, transactions, chain_transfers, chain_differences, ${tables} CASCADE`,
  );
});

function audit(settings: Partial<ChainAuditDeps["chainAudit"]> = {}) {
  const chainAudit = { confirmations: null, since: null, maxRequests: 1_000, ...settings };
  const logger = { warn() {}, error() {} } as unknown as ChainAuditDeps["logger"];
  return auditNetwork({ db, chains, logger, chainAudit }, NETWORK);
}

/** Creates an account whose wallet is a new key with 1,000 atomic USDC. */
async function createWallet(createdAt = new Date(Date.now() - 24 * HOUR_MS)) {
  const key = Keypair.generate();
  const [accountId, walletId, solanaAddress] = [randomUUID(), newId("wal"), key.publicKey.toBase58()];
  const sealed = { sealedKeys: new Uint8Array(1), wrappedDataKey: new Uint8Array(1), kekId: "kek" };
  await db.prisma.account.create({ data: { id: accountId } });
  await db.prisma.wallet.create({
    data: { id: walletId, accountId, evmAddress: walletId, solanaAddress, createdAt, ...sealed },
  });
  await chain.fund(solanaAddress, { usdcAtomic: 1_000n });
  return { key, accountId, walletId };
}
type TestWallet = Awaited<ReturnType<typeof createWallet>>;

async function pay({ key }: TestWallet, atomic: bigint): Promise<string> {
  const { signed } = await chain.transfer(chains.solana(NETWORK), atomic, key);
  return await chains.solana(NETWORK).broadcast(signed);
}

async function addRow({ accountId, walletId }: TestWallet, txHash: string, atomic: bigint, settledAt = new Date()) {
  await db.prisma.transaction.create({
    data: {
      ...{ id: newId("tx"), accountId, walletId, type: "x402", status: "settled", direction: "out", network: NETWORK },
      ...{
        asset: NETWORKS[NETWORK].usdc.address,
        amountAtomic: atomic.toString(),
        amountMicroUsd: atomic,
        scheme: "exact",
      },
      ...{ settledAtomic: atomic.toString(), settledMicroUsd: atomic, budgetIds: [], budgetDay: settledAt, txHash },
      ...{ payTo: chain.payTo.publicKey.toBase58(), createdAt: settledAt, settledAt },
    },
  });
}

const readOpen = () =>
  db.prisma.chainDifference
    .findMany({ where: { resolvedAt: null }, orderBy: { txHash: "asc" } })
    .then((rows) =>
      rows.map(({ kind, walletId, txHash, chainAtomic, ledgerAtomic }) => [
        kind,
        walletId,
        txHash,
        `${chainAtomic}`,
        `${ledgerAtomic}`,
      ]),
    );

it("includes a deposit in the second in which the first wallet was created", async () => {
  // The chain's clock may be a moment behind.
  const second = Math.floor((Date.now() - 200) / 1_000) * 1_000;
  await createWallet(new Date(second + 999));
  expect(await audit()).toMatchObject({ addedCount: 1 });
  expect(await readOpenDifferences(db)).toEqual([]);
});

it("agrees with the ledger, with deposits apart", async () => {
  const wallet = await createWallet();
  await addRow(wallet, await pay(wallet, 7n), 7n);
  expect(await audit()).toEqual({ network: NETWORK, addedCount: 2, isCaughtUp: true });
  expect(await readOpen()).toEqual([]);
  const [out] = await db.prisma.chainTransfer.findMany({ where: { direction: "out" } });
  expect(out).toMatchObject({ counterparty: chain.payTo.publicKey.toBase58(), transactionId: expect.any(String) });
  expect(await audit()).toMatchObject({ addedCount: 0 });
});

it("finds transfers without a row, and rows without a transfer or with another amount", async () => {
  const wallet = await createWallet();
  const unrecorded = await pay(wallet, 7n);
  const old = new Date(Date.now() - HOUR_MS);
  const smaller = await pay(wallet, 8n);
  await addRow(wallet, smaller, 9n, old);
  await addRow(wallet, "a", 5n, old);
  await audit();
  const { walletId } = wallet;
  expect(await readOpen()).toEqual(
    [
      ["unrecorded_transfer", walletId, unrecorded, "7", "0"],
      ["amount", walletId, smaller, "8", "9"],
      ["amount", walletId, "a", "0", "5"],
    ].sort(([, , a = ""], [, , b = ""]) => (a < b ? -1 : 1)),
  );
});

it("reads the other accounts although one has more transactions than a run can read", async () => {
  const flooded = await createWallet();
  for (let amount = 1n; amount <= 12n; amount++) await addRow(flooded, await pay(flooded, amount), amount);
  const other = await createWallet();
  await audit({ maxRequests: 4 });
  await audit({ maxRequests: 4 });
  const accounts = await db.prisma.chainAuditAccount.findMany({ where: { checkedAt: { not: null } } });
  expect(accounts.map(({ walletId }) => walletId)).toEqual([other.walletId]);
});

it("continues over several runs within its requests, and finds a change that no transaction explains", async () => {
  const wallet = await createWallet();
  for (const amount of [1n, 2n, 3n, 4n, 5n, 6n]) await addRow(wallet, await pay(wallet, amount), amount);
  const runs = [await audit({ maxRequests: 5 })];
  while (!runs.at(-1)?.isCaughtUp && runs.length < 20) runs.push(await audit({ maxRequests: 5 }));
  expect(runs.length).toBeGreaterThan(1);
  expect(runs.reduce((sum, { addedCount }) => sum + addedCount, 0)).toBe(7);
  expect(await readOpen()).toEqual([]);
  await db.executeSql("UPDATE chain_audit_balances SET in_atomic = in_atomic + 1");
  await audit();
  expect(await readOpen()).toEqual([["balance", wallet.walletId, null, "979", "980"]]);
});
