import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransferCheckedInstruction, getAssociatedTokenAddressSync } from "@solana/spl-token";
import { Connection, Keypair, PublicKey, Transaction } from "@solana/web3.js";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { sellerSolana } from "../../sandbox/identities.ts";
import { NETWORKS } from "../../sandbox/networks.ts";
import { createSolanaClock, SLOT_MS } from "../../sandbox/solana/clock.ts";
import { type Sandbox, startSandbox } from "../../sandbox/start.ts";
import { postJson } from "./payers.ts";

const MINT = new PublicKey(NETWORKS["solana-devnet"].usdc);
const dataDir = mkdtempSync(join(tmpdir(), "sandbox-solana-"));
const owner = Keypair.generate();
const source = getAssociatedTokenAddressSync(MINT, owner.publicKey);
const destination = getAssociatedTokenAddressSync(MINT, new PublicKey(sellerSolana.address));
let sandbox: Sandbox;
let connection: Connection;

beforeAll(async () => {
  sandbox = await startSandbox({ dataDir, networks: ["solana-devnet"] });
  connection = new Connection(sandbox.endpoints.networks["solana-devnet"]?.rpcUrl ?? "", "confirmed");
  const solanaAddress = owner.publicKey.toBase58();
  await postJson(`${sandbox.endpoints.adminUrl}/fund`, { solanaAddress, usdcAtomic: 5_000_000, nativeAtomic: 10 ** 9 });
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(dataDir, { recursive: true });
});
afterEach(() => {
  vi.useRealTimers();
});

function createTransfer(amountAtomic: bigint, blockhash: string): Transaction {
  const instruction = createTransferCheckedInstruction(source, MINT, destination, owner.publicKey, amountAtomic, 6);
  const transaction = new Transaction({ feePayer: owner.publicKey, blockhash, lastValidBlockHeight: 0 }).add(
    instruction,
  );
  transaction.sign(owner);
  return transaction;
}

it("returns balances to @solana/web3.js", async () => {
  expect(await connection.getBalance(owner.publicKey)).toBe(10 ** 9);
  expect((await connection.getTokenAccountBalance(source)).value).toMatchObject({
    amount: "5000000",
    uiAmountString: "5",
  });
  const parsed = await connection.getParsedTokenAccountsByOwner(owner.publicKey, { mint: MINT });
  expect(parsed.value[0]?.account.data.parsed.info).toMatchObject({ owner: owner.publicKey.toBase58() });
  expect((await connection.getTokenSupply(MINT)).value.decimals).toBe(6);
  expect(await connection.getAccountInfo(Keypair.generate().publicKey)).toBeNull();
  expect(await connection.getGenesisHash()).toBe(NETWORKS["solana-devnet"].genesisHash);
});

it("raises lamports to the requested balance, at most 1,000 SOL, and rejects an invalid address", async () => {
  const { publicKey } = Keypair.generate();
  const solanaAddress = publicKey.toBase58();
  const fund = (body: object) => postJson(`${sandbox.endpoints.adminUrl}/fund`, body);
  for (const nativeAtomic of ["5000000", "5000000", "4000000"]) await fund({ solanaAddress, nativeAtomic });
  expect(await connection.getBalance(publicKey)).toBe(5_000_000);
  await fund({ solanaAddress, nativeAtomic: "1000000000000000000" });
  expect(await connection.getBalance(publicKey)).toBe(10 ** 12);
  expect((await fund({ solanaAddress: "0OIl", nativeAtomic: 1 })).status).toBe(400);
});

it("tops USDC up to the requested balance", async () => {
  const { publicKey } = Keypair.generate();
  const solanaAddress = publicKey.toBase58();
  const topUp = (usdcAtomic: number) =>
    postJson(`${sandbox.endpoints.adminUrl}/fund`, { solanaAddress, usdcAtomic, topUp: true });
  for (const usdcAtomic of [5_000_000, 5_000_000, 4_000_000, 7_000_000]) await topUp(usdcAtomic);
  const { value } = await connection.getParsedTokenAccountsByOwner(publicKey, { mint: MINT });
  expect(value.map(({ account }) => account.data.parsed.info.tokenAmount.amount)).toEqual(["7000000"]);
});

it("executes a repeated transfer once and returns it from its history", async () => {
  const { blockhash } = await connection.getLatestBlockhash();
  const wire = createTransfer(1_000_000n, blockhash).serialize();
  const signature = await connection.sendRawTransaction(wire);
  await connection.sendRawTransaction(wire, { skipPreflight: true });

  expect((await connection.getTokenAccountBalance(source)).value.amount).toBe("4000000");
  const { value } = await connection.getSignatureStatus(signature);
  expect(value).toMatchObject({ err: null, confirmationStatus: "finalized" });
  const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 });
  expect(parsed?.transaction.message.instructions[0]).toMatchObject({
    program: "spl-token",
    parsed: { type: "transferChecked", info: { tokenAmount: { amount: "1000000" } } },
  });
  const raw = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  const keys = raw?.transaction.message.getAccountKeys().staticAccountKeys.map((key) => key.toBase58());
  const at = keys?.indexOf(source.toBase58());
  const amountIn = (balances: { accountIndex: number; uiTokenAmount: { amount: string } }[] | null | undefined) =>
    balances?.find(({ accountIndex }) => accountIndex === at)?.uiTokenAmount.amount;
  expect(amountIn(raw?.meta?.preTokenBalances)).toBe("5000000");
  expect(amountIn(raw?.meta?.postTokenBalances)).toBe("4000000");
  const history = await connection.getSignaturesForAddress(source);
  expect(history.map((entry) => entry.signature)).toContain(signature);
});

it("rejects an unfunded or forged transfer with the reason", async () => {
  const { blockhash } = await connection.getLatestBlockhash();
  const before = (await connection.getTokenAccountBalance(source)).value.amount;
  await expect(connection.sendRawTransaction(createTransfer(10n ** 12n, blockhash).serialize())).rejects.toThrow(
    /custom program error|Custom/i,
  );

  const unsigned = createTransfer(1n, blockhash);
  unsigned.signatures = [{ publicKey: owner.publicKey, signature: Buffer.alloc(64, 1) }];
  const forged = unsigned.serialize({ requireAllSignatures: false, verifySignatures: false });
  await expect(connection.sendRawTransaction(forged, { skipPreflight: true })).rejects.toThrow(
    /signature verification/,
  );

  const landed = await connection.sendRawTransaction(createTransfer(10n ** 12n, blockhash).serialize(), {
    skipPreflight: true,
  });
  expect((await connection.getSignatureStatus(landed)).value?.err).toEqual({ InstructionError: [0, { Custom: 1 }] });
  expect((await connection.getTokenAccountBalance(source)).value.amount).toBe(before);
});

it("rejects an unknown or expired blockhash", async () => {
  const unknown = createTransfer(1n, Keypair.generate().publicKey.toBase58());
  await expect(connection.sendRawTransaction(unknown.serialize())).rejects.toThrow(
    /BlockhashNotFound|Blockhash not found/,
  );

  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const clock = createSolanaClock("any");
  const blockhash = clock.blockhash(clock.slot());
  vi.setSystemTime(Date.now() + 149 * SLOT_MS);
  expect(clock.isValid(blockhash)).toBe(true);
  vi.setSystemTime(Date.now() + 3 * SLOT_MS);
  expect(clock.isValid(blockhash)).toBe(false);
  expect(clock.isValid(clock.blockhash(clock.slot() + 5))).toBe(false);
});

it("airdrops lamports in a separate transaction", async () => {
  const { publicKey } = Keypair.generate();
  const signature = await connection.requestAirdrop(publicKey, 2 * 10 ** 9);
  expect((await connection.getSignatureStatus(signature)).value?.err).toBeNull();
  expect(await connection.getBalance(publicKey)).toBe(2 * 10 ** 9);
});
