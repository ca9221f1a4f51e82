import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { TOKEN_PROGRAM_ID } from "@solana/spl-token";
import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from "@solana/web3.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodeBase58 } from "../../../src/platform/crypto/base58.ts";
import { ChainUnavailableError, type SolanaChain, TransferFailedError } from "../../../src/wallet/chain.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import { createSolanaChain } from "../../../src/wallet/solana/chain.ts";
import { forward, startProxy } from "../rpc-proxy.ts";
import { openSolanaRoom } from "./room.ts";

const NETWORK = NETWORKS["solana-devnet"];
let room: Awaited<ReturnType<typeof openSolanaRoom>>;
let chain: SolanaChain;

beforeAll(async () => {
  room = await openSolanaRoom();
  chain = createSolanaChain(NETWORK, room.rpcUrl);
});
afterAll(() => room.close());

const transfer = (amount: bigint, payer?: Keypair) => room.transfer(chain, amount, payer);

/** A block height that has passed. */
const passed = async () => (await chain.latestBlockhash()).lastValidBlockHeight - 200;

describe("a transfer signed by its payer", () => {
  it("is open while it can still land, then dead", async () => {
    const { query } = await transfer(1n);
    expect(await chain.transferState(query)).toEqual({ state: "open" });
    expect(await chain.transferState({ ...query, lastValidBlockHeight: await passed() })).toEqual({ state: "dead" });
    // A day and more later the RPC must also show that it still has those days.
    const longAgo = (await passed()) - 500_000;
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
    expect(await chain.transferState({ ...two.query, lastValidBlockHeight: await passed() })).toMatchObject({
      state: "used",
      txHash: two.signature,
    });
    for (const claimedTxHash of [one.signature, two.signature, three.signature, "nonsense", null]) {
      expect(await chain.transferState({ ...one.query, claimedTxHash })).toEqual(used);
      expect(await chain.transferState({ ...three.query, claimedTxHash })).toEqual({ state: "open" });
    }
  });

  it("is not taken to be dead while the RPC hides a transaction it has listed", async () => {
    const { query, signed, payer } = await transfer(1n);
    await chain.broadcast(signed);
    const poor = await startProxy(async (body) => {
      const { id, method } = JSON.parse(body) as { id: string; method: string };
      return method === "getTransaction"
        ? JSON.stringify({ jsonrpc: "2.0", id, result: null })
        : forward(room.rpcUrl, body);
    });
    const state = createSolanaChain(NETWORK, poor.url).transferState({
      ...query,
      payer: payer.publicKey.toBase58(),
      lastValidBlockHeight: await passed(),
    });
    await expect(state).rejects.toThrow(ChainUnavailableError);
    await poor.close();
  });

  it("that landed and failed took nothing", async () => {
    const rich = await transfer(1_000n);
    const { query, signed, signature } = await transfer(999n, rich.payer);
    await chain.broadcast(rich.signed);
    // Past the simulation, as a fee payer may send it.
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "sendTransaction",
      params: [signed, { encoding: "base64", skipPreflight: true }],
    });
    await forward(room.rpcUrl, body);
    expect(await chain.signatureState(signature, query.lastValidBlockHeight)).toBe("reverted");
    expect(await chain.transferState(query)).toEqual({ state: "open" });
    expect(
      await chain.transferState({ ...query, claimedTxHash: signature, lastValidBlockHeight: await passed() }),
    ).toEqual({ state: "dead" });
  });
});

describe("broadcasting", () => {
  it("twice is once, and its signature's state can be watched", async () => {
    const { signed, signature, query } = await transfer(1_000n);
    expect(await chain.signatureState(signature, query.lastValidBlockHeight)).toBe("pending");
    expect(await chain.signatureState(signature, await passed())).toBe("expired");
    expect(await chain.broadcast(signed)).toBe(signature);
    expect(await chain.broadcast(signed)).toBe(signature);
    expect(await chain.signatureState(signature, query.lastValidBlockHeight)).toBe("succeeded");
  });

  it("of what the balance does not cover is refused", async () => {
    const { signed } = await transfer(1_001n);
    await expect(chain.broadcast(signed)).rejects.toThrow(TransferFailedError);
  });

  it("with a blockhash the node does not know leaves the outcome unknown", async () => {
    const message = new TransactionMessage({
      payerKey: room.feePayer.publicKey,
      recentBlockhash: encodeBase58(randomBytes(32)),
      instructions: [
        SystemProgram.transfer({ fromPubkey: room.feePayer.publicKey, toPubkey: room.payTo.publicKey, lamports: 1 }),
      ],
    }).compileToV0Message();
    const transaction = new VersionedTransaction(message);
    transaction.sign([room.feePayer]);
    const signed = Buffer.from(transaction.serialize()).toString("base64");
    await expect(chain.broadcast(signed)).rejects.toThrow(ChainUnavailableError);
  });
});

describe("reading", () => {
  it("tells a mint's program and decimals, and refuses what is no mint", async () => {
    expect(await chain.mint(NETWORK.usdc.address)).toEqual({ tokenProgram: TOKEN_PROGRAM_ID.toBase58(), decimals: 6 });
    await expect(chain.mint(Keypair.generate().publicKey.toBase58())).rejects.toThrow(ChainUnavailableError);
  });

  it("gives a blockhash that is fresh, and the same to all who ask within a moment", async () => {
    const [one, two] = await Promise.all([chain.latestBlockhash(), chain.latestBlockhash()]);
    expect(one).toBe(two);
    await expect.poll(async () => (await chain.latestBlockhash()).blockhash).not.toBe(one.blockhash);
  });

  it("batches the balances of many callers, keeps them for a moment and forgets on demand", async () => {
    const owners = Array.from({ length: 20 }, () => Keypair.generate().publicKey.toBase58());
    for (const [i, owner] of owners.entries())
      await room.fund(owner, { nativeAtomic: 10n ** 9n + BigInt(i), ...(i > 0 ? { usdcAtomic: BigInt(i) } : {}) });
    const methods: string[] = [];
    const proxy = await startProxy(async (body) => {
      methods.push((JSON.parse(body) as { method: string }).method);
      return forward(room.rpcUrl, body);
    });
    const watched = createSolanaChain(NETWORK, proxy.url);
    await watched.mint(NETWORK.usdc.address);
    methods.length = 0;
    const ask = () =>
      Promise.all(
        owners.flatMap((owner) => [
          watched.tokenBalanceAtomic(NETWORK.usdc.address, owner),
          watched.nativeBalanceAtomic(owner),
        ]),
      );
    const balances = await ask();
    expect(balances).toEqual(owners.flatMap((_, i) => [BigInt(i), 10n ** 9n + BigInt(i)]));
    expect(await ask()).toEqual(balances);
    expect(methods).toEqual(["getMultipleAccounts"]);
    const richer = owners[0] ?? "";
    await room.fund(richer, { usdcAtomic: 5n });
    watched.forgetBalances(richer);
    expect(await watched.tokenBalanceAtomic(NETWORK.usdc.address, richer)).toBe(5n);
    await proxy.close();
  });
});

it("an RPC that fails makes the chain unavailable, without showing its URL or its words", async () => {
  const SECRET = "s3cret-rpc-key";
  const answers: (() => Promise<string>)[] = [
    () => Promise.reject(new Error()),
    async () => `<html>${SECRET}</html>`,
    async () => JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32005, message: `limit of ${SECRET}` } }),
  ];
  const payer = Keypair.generate().publicKey.toBase58();
  const { signed, query } = await transfer(1n);
  for (const answer of answers) {
    const proxy = await startProxy(answer);
    const broken = createSolanaChain(NETWORK, `${proxy.url}/${SECRET}`);
    const questions = [
      () => broken.nativeBalanceAtomic(payer),
      () => broken.latestBlockhash(),
      () => broken.broadcast(signed),
      () => broken.transferState(query),
    ];
    for (const ask of questions) {
      const error = await ask().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ChainUnavailableError);
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(SECRET);
    }
    await proxy.close();
  }
});
