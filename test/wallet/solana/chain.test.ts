import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { TOKEN_PROGRAM_ID } from "@solana/spl-token";
import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from "@solana/web3.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeBase58 } from "../../../src/platform/crypto/base58.ts";
import { ChainUnavailableError, type SolanaChain, TransferFailedError } from "../../../src/wallet/chain.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import { createSolanaChain } from "../../../src/wallet/solana/chain.ts";
import { forward, startRpcProxy } from "../rpc-proxy.ts";
import { startTestSolanaChain } from "./test-chain.ts";

const NETWORK = NETWORKS["solana-devnet"];
let testChain: Awaited<ReturnType<typeof startTestSolanaChain>>;
let chain: SolanaChain;

beforeAll(async () => {
  testChain = await startTestSolanaChain();
  chain = createSolanaChain(NETWORK, testChain.rpcUrl);
});
afterAll(() => testChain.close());

const transfer = (amount: bigint, payer?: Keypair) => testChain.transfer(chain, amount, payer);

/** Returns a past block height. */
const expiredBlockHeight = async () => (await chain.latestBlockhash()).lastValidBlockHeight - 200;

describe("a transfer signed by its payer", () => {
  it("is open until its blockhash expires, then dead", async () => {
    const { query } = await transfer(1n);
    expect(await chain.transferState(query)).toEqual({ state: "open" });
    expect(await chain.transferState({ ...query, lastValidBlockHeight: await expiredBlockHeight() })).toEqual({
      state: "dead",
    });
    // After more than one day the RPC must also prove that it still serves the blocks of that time.
    const longAgo = (await expiredBlockHeight()) - 500_000;
    expect(await chain.transferState({ ...query, lastValidBlockHeight: longAgo })).toEqual({ state: "dead" });
  });

  it("is found by the payer's signature among the payer's other transactions", async () => {
    const one = await transfer(100n);
    const two = await transfer(101n, one.payer);
    const three = await transfer(102n, one.payer);
    await chain.broadcast(one.signed);
    await chain.broadcast(two.signed);
    const used = { state: "used", txHash: one.signature, chargedAtomic: 100n };
    expect(await chain.transferState(one.query)).toEqual(used);
    expect(await chain.transferState({ ...two.query, lastValidBlockHeight: await expiredBlockHeight() })).toMatchObject(
      {
        state: "used",
        txHash: two.signature,
      },
    );
    for (const claimedTxHash of [one.signature, two.signature, three.signature, "nonsense", null]) {
      expect(await chain.transferState({ ...one.query, claimedTxHash })).toEqual(used);
      expect(await chain.transferState({ ...three.query, claimedTxHash })).toEqual({ state: "open" });
    }
  });

  it("is not reported as dead while the RPC lists a transaction that it does not return", async () => {
    const { query, signed, payer } = await transfer(1n);
    await chain.broadcast(signed);
    const proxy = await startRpcProxy(async (body) => {
      const { id, method } = JSON.parse(body) as { id: string; method: string };
      return method === "getTransaction"
        ? JSON.stringify({ jsonrpc: "2.0", id, result: null })
        : forward(testChain.rpcUrl, body);
    });
    const state = createSolanaChain(NETWORK, proxy.url).transferState({
      ...query,
      payer: payer.publicKey.toBase58(),
      lastValidBlockHeight: await expiredBlockHeight(),
    });
    await expect(state).rejects.toThrow(ChainUnavailableError);
    await proxy.close();
  });

  it("is not used by a transaction that failed on chain", async () => {
    const first = await transfer(1_000n);
    const { query, signed, signature } = await transfer(999n, first.payer);
    await chain.broadcast(first.signed);
    // A fee payer can send a transaction without the simulation.
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "sendTransaction",
      params: [signed, { encoding: "base64", skipPreflight: true }],
    });
    await forward(testChain.rpcUrl, body);
    expect(await chain.signatureState(signature, query.lastValidBlockHeight)).toBe("reverted");
    expect(await chain.transferState(query)).toEqual({ state: "open" });
    expect(
      await chain.transferState({
        ...query,
        claimedTxHash: signature,
        lastValidBlockHeight: await expiredBlockHeight(),
      }),
    ).toEqual({ state: "dead" });
  });
});

describe("broadcast", () => {
  it("is idempotent, and the state of the signature can be read", async () => {
    const { signed, signature, query } = await transfer(1_000n);
    expect(await chain.signatureState(signature, query.lastValidBlockHeight)).toBe("pending");
    expect(await chain.signatureState(signature, await expiredBlockHeight())).toBe("expired");
    expect(await chain.broadcast(signed)).toBe(signature);
    expect(await chain.broadcast(signed)).toBe(signature);
    expect(await chain.signatureState(signature, query.lastValidBlockHeight)).toBe("succeeded");
  });

  it("fails for a transfer above the balance", async () => {
    const { signed } = await transfer(1_001n);
    await expect(chain.broadcast(signed)).rejects.toThrow(TransferFailedError);
  });

  it("reports an unknown outcome for a blockhash that the node does not know", async () => {
    const message = new TransactionMessage({
      payerKey: testChain.feePayer.publicKey,
      recentBlockhash: encodeBase58(randomBytes(32)),
      instructions: [
        SystemProgram.transfer({
          fromPubkey: testChain.feePayer.publicKey,
          toPubkey: testChain.payTo.publicKey,
          lamports: 1,
        }),
      ],
    }).compileToV0Message();
    const transaction = new VersionedTransaction(message);
    transaction.sign([testChain.feePayer]);
    const signed = Buffer.from(transaction.serialize()).toString("base64");
    await expect(chain.broadcast(signed)).rejects.toThrow(ChainUnavailableError);
  });
});

describe("reads", () => {
  it("return the program and decimals of a mint, and fail for an unknown mint", async () => {
    expect(await chain.mint(NETWORK.usdc.address)).toEqual({ tokenProgram: TOKEN_PROGRAM_ID.toBase58(), decimals: 6 });
    await expect(chain.mint(Keypair.generate().publicKey.toBase58())).rejects.toThrow(ChainUnavailableError);
  });

  it("return a recent blockhash, cached for concurrent callers", async () => {
    const [one, two] = await Promise.all([chain.latestBlockhash(), chain.latestBlockhash()]);
    expect(one).toBe(two);
    await expect.poll(async () => (await chain.latestBlockhash()).blockhash).not.toBe(one.blockhash);
  });

  it("batch the balances of many callers, cache them briefly and discard them on request", async () => {
    const owners = Array.from({ length: 20 }, () => Keypair.generate().publicKey.toBase58());
    for (const [i, owner] of owners.entries())
      await testChain.fund(owner, { nativeAtomic: 10n ** 9n + BigInt(i), ...(i > 0 ? { usdcAtomic: BigInt(i) } : {}) });
    const methods: string[] = [];
    const proxy = await startRpcProxy(async (body) => {
      methods.push((JSON.parse(body) as { method: string }).method);
      return forward(testChain.rpcUrl, body);
    });
    const countedChain = createSolanaChain(NETWORK, proxy.url);
    await countedChain.mint(NETWORK.usdc.address);
    methods.length = 0;
    const readBalances = () =>
      Promise.all(
        owners.flatMap((owner) => [
          countedChain.tokenBalanceAtomic(NETWORK.usdc.address, owner),
          countedChain.nativeBalanceAtomic(owner),
        ]),
      );
    const balances = await readBalances();
    expect(balances).toEqual(owners.flatMap((_, i) => [BigInt(i), 10n ** 9n + BigInt(i)]));
    expect(await readBalances()).toEqual(balances);
    expect(methods).toEqual(["getMultipleAccounts"]);
    const funded = owners[0] ?? "";
    await testChain.fund(funded, { usdcAtomic: 5n });
    countedChain.invalidateBalances(funded);
    expect(await countedChain.tokenBalanceAtomic(NETWORK.usdc.address, funded)).toBe(5n);
    await proxy.close();
  });
});

it("a failing RPC causes a ChainUnavailableError without the RPC's URL or messages", async () => {
  const SECRET = "s3cret-rpc-key";
  const responses: (() => Promise<string>)[] = [
    () => Promise.reject(new Error()),
    async () => `<html>${SECRET}</html>`,
    async () => JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32005, message: `limit of ${SECRET}` } }),
  ];
  const payer = Keypair.generate().publicKey.toBase58();
  const { signed, query } = await transfer(1n);
  for (const response of responses) {
    const proxy = await startRpcProxy(response);
    const broken = createSolanaChain(NETWORK, `${proxy.url}/${SECRET}`);
    const calls = [
      () => broken.nativeBalanceAtomic(payer),
      () => broken.latestBlockhash(),
      () => broken.broadcast(signed),
      () => broken.transferState(query),
    ];
    for (const call of calls) {
      const error = await call().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ChainUnavailableError);
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(SECRET);
    }
    await proxy.close();
  }
});
