// @module-tag postgresql
/** The audit of an EVM network, on a chain of its own: transfers, closed permits, reorganisations, deposits, limits of RPCs. */
import { randomBytes, randomUUID } from "node:crypto";
import { bytesToHex, concat, type Hex, numberToHex, pad, toEventSelector } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { Database } from "../../../src/platform/database/connection.ts";
import { newId } from "../../../src/platform/ids.ts";
import { auditNetwork } from "../../../src/wallet/chain-audit/audit-network.ts";
import { compareBalances } from "../../../src/wallet/chain-audit/compare-balances.ts";
import type { ChainAuditDeps } from "../../../src/wallet/chain-audit/deps.ts";
import { recordDifferences } from "../../../src/wallet/chain-audit/differences.ts";
import { createChains } from "../../../src/wallet/chains.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { startTestEvmChain } from "../evm/test-chain.ts";
import { logSpanBlocks, startRejectingRpc } from "../rpc-proxy.ts";

const NETWORK = "base-sepolia";
const HOUR_MS = 3_600_000;
const warnings: unknown[] = [];
const logger = { warn: (fields: unknown) => void warnings.push(fields), error: () => {} } as ChainAuditDeps["logger"];

let chain: Awaited<ReturnType<typeof startTestEvmChain>>;
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  [chain, database] = await Promise.all([startTestEvmChain(), createTestDatabase()]);
  db = database.db;
});
afterAll(() => Promise.all([chain.close(), database.close()]));
beforeEach(async () => {
  const tables = ["networks", "checkpoints", "balances"].map((name) => `chain_audit_${name}`);
  await db.executeSql(
    `TRUNCATE accounts, wallets, transactions, chain_transfers, chain_differences, ${tables} CASCADE`,
  );
});

type Signer = Awaited<ReturnType<typeof chain.createSigner>>;

function createDeps({
  rpcUrl = chain.rpcUrl,
  ...settings
}: Partial<ChainAuditDeps["chainAudit"]> & { rpcUrl?: string } = {}): ChainAuditDeps {
  const chainAudit = { confirmations: 0, since: null, maxRequests: 1_000, ...settings };
  return { db, logger, chains: createChains({ rpcUrls: { [NETWORK]: rpcUrl } }), chainAudit };
}

const audit = (deps = createDeps()) => auditNetwork(deps, NETWORK);

/** Creates an account whose wallet has the address of a new key with funds. The wallet exists before the funds. */
async function createWallet(usdcAtomic = 0n) {
  const signer = await chain.createSigner();
  const accountId = randomUUID();
  const walletId = newId("wal");
  const sealed = { sealedKeys: new Uint8Array(1), wrappedDataKey: new Uint8Array(1), kekId: "kek" };
  // A day ago, because the chain's clock and this one may differ.
  const createdAt = new Date(Date.now() - 24 * HOUR_MS);
  await db.prisma.account.create({ data: { id: accountId, createdAt } });
  await db.prisma.wallet.create({
    data: { id: walletId, accountId, evmAddress: signer.address, solanaAddress: walletId, createdAt, ...sealed },
  });
  if (usdcAtomic > 0n) await fund(signer, usdcAtomic);
  return { ...signer, accountId, walletId };
}
type TestWallet = Awaited<ReturnType<typeof createWallet>>;

async function fund({ address }: Signer, amount: bigint): Promise<Hex> {
  const source = await chain.createSigner(amount);
  return await source.callUsdc("transfer", [address, amount]);
}

/** Adds a ledger row that settled now or, with `isOld`, an hour ago. Only old rows must have their transfer already. */
async function addRow(
  { accountId, walletId }: TestWallet,
  row: {
    txHash: string | null;
    atomic: bigint;
    payTo: string;
    status?: string;
    permit?: boolean;
    isOld?: boolean;
  },
) {
  const { txHash, atomic, payTo, status = "settled", permit = false, isOld = false } = row;
  const settledAtomic = status === "settled" ? atomic.toString() : null;
  const at = new Date(Date.now() - (isOld ? HOUR_MS : 0));
  const { id } = await db.prisma.transaction.create({
    data: {
      ...{
        id: newId("tx"),
        accountId,
        walletId,
        type: "x402",
        status,
        direction: "out",
        network: NETWORK,
        asset: chain.usdc,
      },
      ...{
        amountAtomic: permit ? "50000" : atomic.toString(),
        amountMicroUsd: atomic,
        settledAtomic,
        settledMicroUsd: atomic,
      },
      ...{
        budgetIds: [],
        budgetDay: at,
        scheme: permit ? "upto" : "exact",
        payTo,
        txHash,
        createdAt: at,
        settledAt: settledAtomic && at,
      },
      authorization: { authorization: { kind: permit ? "permit" : "eip3009" } },
      nextCheckAt: status === "signed" ? at : null,
    },
  });
  return id;
}

const readOpen = () =>
  db.prisma.chainDifference.findMany({ where: { resolvedAt: null }, orderBy: { kind: "asc" } }).then((rows) =>
    rows.map(({ kind, walletId, txHash, chainAtomic, ledgerAtomic }) => ({
      ...{
        kind,
        walletId,
        txHash,
        chainAtomic: BigInt(chainAtomic.toFixed(0)),
        ledgerAtomic: BigInt(ledgerAtomic.toFixed(0)),
      },
    })),
  );

/** Code of a contract that logs a Transfer from and to the addresses of its call data, with the rest as data. */
const LOGGING_TOKEN = concat([
  "0x604036036040600037602035600035",
  "0x7f",
  toEventSelector("Transfer(address,address,uint256)"),
  "0x604036036000a300",
]);

async function logTransfer(token: Hex, from: Hex, data: Hex): Promise<void> {
  const sender = "0x00000000000000000000000000000000000000aa";
  await chain.rpc("anvil_setBalance", [sender, numberToHex(10n ** 18n)]);
  await chain.rpc("anvil_impersonateAccount", [sender]);
  const call = { from: sender, to: token, data: concat([pad(from), pad(payee()), data]) };
  await chain.rpc("eth_sendTransaction", [call]);
}

const payee = () => bytesToHex(randomBytes(20));

describe("transfers of wallets", () => {
  it("agree with the ledger, with deposits apart", async () => {
    const wallet = await createWallet(1_000_000n);
    const to = payee();
    const txHash = await wallet.callUsdc("transfer", [to, 300n]);
    // The ledger has checksummed addresses as well as addresses in lower case.
    await addRow(wallet, { txHash, atomic: 300n, payTo: to.toUpperCase().replace("0X", "0x") });
    expect(await audit()).toEqual({ network: NETWORK, addedCount: 2, isCaughtUp: true });
    expect(await readOpen()).toEqual([]);
    const [balance] = await db.prisma.chainAuditBalance.findMany();
    expect([balance?.inAtomic.toFixed(0), balance?.outAtomic.toFixed(0)]).toEqual(["1000000", "300"]);
    // A second run reads nothing again.
    expect(await audit()).toMatchObject({ addedCount: 0 });
  });

  it("differ if a transfer has no row, and the difference is resolved by its row", async () => {
    const wallet = await createWallet(1_000n);
    const to = payee();
    const txHash = await wallet.callUsdc("transfer", [to, 7n]);
    await audit();
    expect(await readOpen()).toEqual([
      { kind: "unrecorded_transfer", walletId: wallet.walletId, txHash, chainAtomic: 7n, ledgerAtomic: 0n },
    ]);
    await addRow(wallet, { txHash, atomic: 7n, payTo: to });
    await audit();
    expect(await readOpen()).toEqual([]);
    expect(await db.prisma.chainDifference.findFirst()).toMatchObject({ resolvedAt: expect.any(Date) });
  });

  it("differ if a settled row has another amount or no transfer", async () => {
    const wallet = await createWallet(1_000n);
    const to = payee();
    const txHash = await wallet.callUsdc("transfer", [to, 7n]);
    await addRow(wallet, { txHash, atomic: 8n, payTo: to, isOld: true });
    await addRow(wallet, { txHash: bytesToHex(randomBytes(32)), atomic: 5n, payTo: to, isOld: true });
    await audit();
    expect((await readOpen()).map(({ kind, chainAtomic, ledgerAtomic }) => [kind, chainAtomic, ledgerAtomic])).toEqual(
      expect.arrayContaining([
        ["amount", 7n, 8n],
        ["amount", 0n, 5n],
      ]),
    );
  });

  it("are in flight while a signed row explains them, and differ once it is released", async () => {
    const wallet = await createWallet(1_000n);
    const to = payee();
    await wallet.callUsdc("transfer", [to, 7n]);
    const id = await addRow(wallet, { txHash: null, atomic: 7n, payTo: to, status: "signed" });
    await audit();
    expect(await readOpen()).toEqual([]);
    await db.prisma.transaction.update({ where: { id }, data: { status: "released", nextCheckAt: null } });
    await audit();
    expect(await readOpen()).toMatchObject([{ kind: "unrecorded_transfer", chainAtomic: 7n }]);
  });

  it("of zero, which anyone can log, are no difference", async () => {
    const wallet = await createWallet(1_000n);
    const other = await chain.createSigner();
    await other.callUsdc("transferFrom", [wallet.address, other.address, 0n]);
    await audit();
    expect(await readOpen()).toEqual([]);
  });
});

it("finds what a spender draws under a version 1 permit that the ledger has closed, to the atomic unit", async () => {
  const wallet = await createWallet(1_000_000n);
  const spender = await chain.createSigner();
  const to = payee();
  await spender.callUsdc(
    "permit",
    await chain.permit(wallet, spender.address, 50_000n, 0n, (await chain.now()) + 600n),
  );
  const first = await spender.callUsdc("transferFrom", [wallet.address, to, 1_000n]);
  // The ledger closed the permit with its first draw.
  await addRow(wallet, { txHash: first, atomic: 1_000n, payTo: to, permit: true });
  await audit();
  expect(await readOpen()).toEqual([]);
  const second = await spender.callUsdc("transferFrom", [wallet.address, to, 49_000n]);
  await audit();
  expect(await readOpen()).toEqual([
    { kind: "unrecorded_transfer", walletId: wallet.walletId, txHash: second, chainAtomic: 49_000n, ledgerAtomic: 0n },
  ]);
});

it("adds up several draws of one permit", async () => {
  const wallet = await createWallet(1_000_000n);
  const spender = await chain.createSigner();
  const to = payee();
  await spender.callUsdc(
    "permit",
    await chain.permit(wallet, spender.address, 50_000n, 0n, (await chain.now()) + 600n),
  );
  const first = await spender.callUsdc("transferFrom", [wallet.address, to, 1_000n]);
  await spender.callUsdc("transferFrom", [wallet.address, to, 2_000n]);
  const id = await addRow(wallet, { txHash: null, atomic: 3_000n, payTo: to, permit: true, status: "signed" });
  await audit();
  expect(await readOpen()).toEqual([]);
  const settled = {
    status: "settled",
    settledAtomic: "3000",
    txHash: first,
    settledAt: new Date(),
    nextCheckAt: null,
  };
  await db.prisma.transaction.update({ where: { id }, data: settled });
  await audit();
  expect(await readOpen()).toEqual([]);
  expect(await db.prisma.chainTransfer.count({ where: { transactionId: id } })).toBe(2);
});

it("compares balances: a transfer that the RPC withheld shows as a difference", async () => {
  const wallet = await createWallet(1_000n);
  const hidden = payee();
  const txHash = await wallet.callUsdc("transfer", [hidden, 400n]);
  await audit();
  await db.prisma.$executeRaw`DELETE FROM chain_transfers WHERE tx_hash = ${txHash}`;
  await db.prisma.$executeRaw`UPDATE chain_audit_balances SET out_atomic = 0`;
  await audit();
  expect(await readOpen()).toMatchObject([{ kind: "balance", chainAtomic: 600n, ledgerAtomic: 1_000n }]);
});

it("reads on after a traded token logs amounts that no sum can hold", async () => {
  const wallet = await createWallet(1_000n);
  const token = payee();
  await chain.rpc("anvil_setCode", [token, LOGGING_TOKEN]);
  await audit();
  await db.prisma.$executeRaw`UPDATE chain_audit_networks SET assets = array_append(assets, ${token})`;
  const maximum = 2n ** 256n - 1n;
  for (let count = 0; count < 10; count++) await logTransfer(token, wallet.address, pad(numberToHex(maximum)));
  await logTransfer(token, wallet.address, pad("0x1", { size: 64 }));
  const txHash = await wallet.callUsdc("transfer", [payee(), 7n]);
  expect(await audit()).toMatchObject({ addedCount: 11, isCaughtUp: true });
  expect(await readOpen()).toEqual(
    expect.arrayContaining([expect.objectContaining({ kind: "unrecorded_transfer", txHash })]),
  );
});

it("records a trade whose token logged amounts that no column can hold", async () => {
  const { walletId } = await createWallet();
  const amounts = { chainAtomic: -20n * 2n ** 256n, ledgerAtomic: 1n };
  const trade = {
    kind: "bought",
    subject: "tx_1",
    walletId,
    asset: payee(),
    txHash: null,
    transactionId: "tx_1",
  } as const;
  await recordDifferences(db, NETWORK, { kinds: ["bought"], examined: null }, [{ ...trade, ...amounts }]);
  expect(await readOpen()).toMatchObject([{ kind: "bought", chainAtomic: 1n - 10n ** 78n, ledgerAtomic: 1n }]);
});

it("finds a transfer behind 50,000 that a hostile token logged before", async () => {
  const { walletId, ...wallet } = await createWallet(1_000n);
  const token = payee();
  await audit();
  await db.prisma.$executeRaw`UPDATE chain_audit_networks SET assets = array_append(assets, ${token})`;
  await db.prisma.$executeRaw`
    INSERT INTO chain_transfers (network, tx_hash, log_index, wallet_id, direction, asset, counterparty, amount_atomic, block_number)
    SELECT ${NETWORK}, '0x1', n, ${walletId}, 'out', ${token}, '', 1, 1 FROM generate_series(1, 50000) AS n`;
  const txHash = await wallet.callUsdc("transfer", [payee(), 7n]);
  await audit();
  expect(await db.prisma.chainDifference.count({ where: { kind: "unrecorded_transfer", txHash } })).toBe(1);
});

it("rolls back to the common ancestor after a reorganisation", async () => {
  const wallet = await createWallet(1_000n);
  await audit();
  await chain.mine(1);
  await audit();
  const snapshot = await chain.rpc("evm_snapshot", []);
  const to = payee();
  await wallet.callUsdc("transfer", [to, 7n]);
  await audit();
  expect(await readOpen()).toMatchObject([{ kind: "unrecorded_transfer", chainAtomic: 7n }]);
  await chain.rpc("evm_revert", [snapshot]);
  const replacement = await wallet.callUsdc("transfer", [to, 9n]);
  await addRow(wallet, { txHash: replacement, atomic: 9n, payTo: to });
  warnings.length = 0;
  await audit();
  expect(warnings).toMatchObject([{ network: NETWORK }]);
  expect(await readOpen()).toEqual([]);
  const out = await db.prisma.chainTransfer.findMany({ where: { direction: "out" } });
  expect(out.map(({ txHash, transactionId }) => [txHash, transactionId !== null])).toEqual([[replacement, true]]);
  expect(await db.prisma.chainAuditBalance.findFirst()).toMatchObject({ network: NETWORK });
});

it("continues over several runs within its requests, on an RPC that limits the span of logs", async () => {
  const wallet = await createWallet(1_000n);
  await audit();
  await chain.mine(60);
  const txHash = await wallet.callUsdc("transfer", [payee(), 7n]);
  const proxy = await startRejectingRpc(chain.rpcUrl, (call) => (logSpanBlocks(call) ?? 0n) > 10n);
  onTestFinished(() => proxy.close());
  const deps = createDeps({ rpcUrl: proxy.url, maxRequests: 40 });
  const runs = [await audit(deps)];
  while (!runs.at(-1)?.isCaughtUp && runs.length < 20) runs.push(await audit(deps));
  expect(runs.length).toBeGreaterThan(1);
  expect(runs.at(-1)).toMatchObject({ isCaughtUp: true });
  expect(await readOpen()).toMatchObject([{ kind: "unrecorded_transfer", txHash, chainAtomic: 7n }]);
});

it("starts at the configured time with the balances that wallets had", async () => {
  const wallet = await createWallet(1_000n);
  await wallet.callUsdc("transfer", [payee(), 400n]);
  await chain.advanceTime(60n);
  const since = new Date(Number(await chain.now()) * 1_000);
  const to = payee();
  await chain.advanceTime(60n);
  const txHash = await wallet.callUsdc("transfer", [to, 5n]);
  await db.prisma.wallet.updateMany({ data: { createdAt: new Date(since.getTime() - HOUR_MS) } });
  await audit(createDeps({ since }));
  expect(await readOpen()).toMatchObject([{ txHash }]);
  await wallet.callUsdc("transfer", [to, 6n]);
  await audit(createDeps({ since }));
  expect((await readOpen()).map(({ kind }) => kind)).toEqual(["unrecorded_transfer", "unrecorded_transfer"]);
});

it("stores each transfer once when two nodes run it at the same time", async () => {
  const wallet = await createWallet(1_000n);
  await wallet.callUsdc("transfer", [payee(), 7n]);
  await Promise.all([audit(), audit(), audit()]);
  await audit();
  const [balance] = await db.prisma.chainAuditBalance.findMany();
  expect([balance?.inAtomic.toFixed(0), balance?.outAtomic.toFixed(0)]).toEqual(["1000", "7"]);
  expect((await readOpen()).map(({ kind }) => kind)).toEqual(["unrecorded_transfer"]);
});

it("leaves out balances of another block than the transfers that another run has read", async () => {
  const { walletId } = await createWallet(1_000n);
  await audit();
  const { blockNumber } = await db.prisma.chainAuditNetwork.findFirstOrThrow();
  const asset = chain.usdc.toLowerCase();
  await compareBalances(db, NETWORK, asset, new Map([[walletId, 999n]]), blockNumber - 1n);
  expect(await readOpen()).toEqual([]);
  await compareBalances(db, NETWORK, asset, new Map([[walletId, 999n]]), blockNumber);
  expect(await readOpen()).toMatchObject([{ kind: "balance", chainAtomic: 999n, ledgerAtomic: 1_000n }]);
});
