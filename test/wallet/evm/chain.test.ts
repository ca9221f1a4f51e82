import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { bytesToHex, encodeFunctionData, erc20Abi, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChainUnavailableError, type EvmChain, TransferFailedError } from "../../../src/wallet/chain.ts";
import { createEvmChain } from "../../../src/wallet/evm/chain.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import { forward, startRpcProxy } from "../rpc-proxy.ts";
import { startTestEvmChain } from "./test-chain.ts";

let testChain: Awaited<ReturnType<typeof startTestEvmChain>>;
let chain: EvmChain;
let facilitator: Awaited<ReturnType<typeof testChain.createSigner>>;
let payTo: Hex;

beforeAll(async () => {
  testChain = await startTestEvmChain();
  chain = createEvmChain(NETWORKS["base-sepolia"], testChain.rpcUrl);
  facilitator = await testChain.createSigner();
  payTo = (await testChain.createSigner()).address;
});
afterAll(() => testChain.close());

const randomNonce = () => bytesToHex(randomBytes(32));

describe("balances", () => {
  it("of many callers are read in one call and cached briefly", async () => {
    const owners = await Promise.all(Array.from({ length: 20 }, (_, i) => testChain.createSigner(BigInt(i))));
    const bodies: string[] = [];
    const proxy = await startRpcProxy(async (body) => {
      bodies.push(body);
      return forward(testChain.rpcUrl, body);
    });
    const countedChain = createEvmChain(NETWORKS["base-sepolia"], proxy.url);
    const readBalances = () =>
      Promise.all(
        owners.flatMap(({ address }) => [
          countedChain.tokenBalanceAtomic(testChain.usdc, address),
          countedChain.nativeBalanceAtomic(address),
        ]),
      );
    const balances = await readBalances();
    expect(balances.filter((_, i) => i % 2 === 0)).toEqual(owners.map((_, i) => BigInt(i)));
    expect(balances.every((balance, i) => i % 2 === 0 || balance > 0n)).toBe(true);
    expect(bodies).toHaveLength(1);
    expect(await readBalances()).toEqual(balances);
    expect(bodies).toHaveLength(1);

    const [, sender] = owners;
    await sender?.callUsdc("transfer", [payTo, 1n]);
    countedChain.invalidateBalances((sender?.address ?? "").toLowerCase());
    expect(await countedChain.tokenBalanceAtomic(testChain.usdc, sender?.address ?? "")).toBe(0n);
    expect(bodies).toHaveLength(2);
    await proxy.close();
  });

  it("are read again after the cache expires", async () => {
    const owner = await testChain.createSigner(5n);
    expect(await chain.tokenBalanceAtomic(testChain.usdc, owner.address)).toBe(5n);
    await owner.callUsdc("transfer", [payTo, 2n]);
    await expect.poll(() => chain.tokenBalanceAtomic(testChain.usdc, owner.address)).toBe(3n);
  });
});

function transferCall(from: `0x${string}`, amountAtomic: bigint) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [payTo, amountAtomic] });
  return { from, to: testChain.usdc, data };
}

describe("a call", () => {
  it("is prepared, broadcast idempotently and mined", async () => {
    const sender = await testChain.createSigner(10n);
    const prepared = await chain.prepareCall(transferCall(sender.address, 10n));
    expect(prepared).toMatchObject({ type: "eip1559", chainId: 84532, nonce: 0, to: testChain.usdc, value: 0n });
    const signed = await sender.account.signTransaction(prepared);
    const txHash = await chain.broadcast(signed);
    expect(await chain.broadcast(signed)).toBe(txHash);
    await expect.poll(() => chain.transactionState(txHash)).toBe("succeeded");
    expect(await chain.transactionState(randomNonce())).toBe("unknown");
    // Another transaction with the same nonce can never be mined.
    const conflicting = await sender.account.signTransaction({ ...prepared, data: "0x" });
    await expect(chain.broadcast(conflicting)).rejects.toThrow(TransferFailedError);
  });

  it("is reported as reverted if it fails when it is mined", async () => {
    const sender = await testChain.createSigner(10n);
    const signed = await sender.account.signTransaction(await chain.prepareCall(transferCall(sender.address, 10n)));
    await facilitator.callUsdc(
      "permit",
      await testChain.permit(sender, facilitator.address, 1n, 0n, (await testChain.now()) + 60n),
    );
    await facilitator.callUsdc("transferFrom", [sender.address, payTo, 1n]);
    await testChain.rpc("evm_setAutomine", [false]);
    const txHash = await chain.broadcast(signed).finally(() => testChain.rpc("evm_setAutomine", [true]));
    expect(await chain.broadcast(signed)).toBe(txHash);
    await testChain.mine(1);
    await expect.poll(() => chain.transactionState(txHash)).toBe("reverted");
  });

  it("is rejected before signing if the balance does not cover it", async () => {
    const { address: from } = await testChain.createSigner(1n);
    await expect(chain.prepareCall(transferCall(from, 10n ** 30n))).rejects.toThrow(TransferFailedError);
  });
});

describe("a failing RPC", () => {
  const SECRET = "s3cret-rpc-key";
  const address = "0x00000000000000000000000000000000000ca5e1";

  it.each([
    ["responds with 500", (): Promise<string> => Promise.reject(new Error())],
    ["responds with invalid JSON", async () => "<html>"],
    [
      "responds with an error",
      async () => JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32005, message: `limit of ${SECRET}` } }),
    ],
    ["serves another chain", async (body: string) => forward(testChain.rpcUrl, body)],
  ])("that %s causes a ChainUnavailableError without the RPC's URL", async (_, respond) => {
    const proxy = await startRpcProxy(respond);
    const broken = createEvmChain(NETWORKS.base, `${proxy.url}/${SECRET}`);
    const nonce = randomNonce();
    const query = { asset: testChain.usdc, from: address, to: payTo, valueAtomic: 1n, nonce, validBefore: 1n } as const;
    const error = await broken.transferAuthorizationState(query).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ChainUnavailableError);
    expect(error).toMatchObject({ code: "chain_unavailable", network: "base" });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(SECRET);
    await proxy.close();
  });

  it("that is unreachable causes a ChainUnavailableError on every call", async () => {
    const broken = createEvmChain(NETWORKS.base, `http://127.0.0.1:1/${SECRET}`);
    await expect(broken.tokenBalanceAtomic(testChain.usdc, address)).rejects.toThrow(ChainUnavailableError);
    await expect(broken.prepareCall(transferCall(address, 1n))).rejects.toThrow(ChainUnavailableError);
    await expect(broken.broadcast("0x00")).rejects.toThrow(ChainUnavailableError);
  });
});
