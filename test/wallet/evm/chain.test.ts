import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { bytesToHex, encodeFunctionData, erc20Abi, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ChainUnavailableError, type EvmChain, TransferFailedError } from "../../../src/wallet/chain.ts";
import { createEvmChain } from "../../../src/wallet/evm/chain.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import { forward, startProxy } from "../rpc-proxy.ts";
import { openEvmRoom } from "./room.ts";

let room: Awaited<ReturnType<typeof openEvmRoom>>;
let chain: EvmChain;
let facilitator: Awaited<ReturnType<typeof room.person>>;
let payTo: Hex;

beforeAll(async () => {
  room = await openEvmRoom();
  chain = createEvmChain(NETWORKS["base-sepolia"], room.rpcUrl);
  facilitator = await room.person();
  payTo = (await room.person()).address;
});
afterAll(() => room.close());

const randomNonce = () => bytesToHex(randomBytes(32));

describe("balances", () => {
  it("of many callers travel in one call and are kept for a moment", async () => {
    const people = await Promise.all(Array.from({ length: 20 }, (_, i) => room.person(BigInt(i))));
    const bodies: string[] = [];
    const proxy = await startProxy(async (body) => {
      bodies.push(body);
      return forward(room.rpcUrl, body);
    });
    const watched = createEvmChain(NETWORKS["base-sepolia"], proxy.url);
    const ask = () =>
      Promise.all(
        people.flatMap(({ address }) => [
          watched.tokenBalanceAtomic(room.usdc, address),
          watched.nativeBalanceAtomic(address),
        ]),
      );
    const balances = await ask();
    expect(balances.filter((_, i) => i % 2 === 0)).toEqual(people.map((_, i) => BigInt(i)));
    expect(balances.every((balance, i) => i % 2 === 0 || balance > 0n)).toBe(true);
    expect(bodies).toHaveLength(1);
    expect(await ask()).toEqual(balances);
    expect(bodies).toHaveLength(1);

    const [, poorer] = people;
    await poorer?.callUsdc("transfer", [payTo, 1n]);
    watched.forgetBalances((poorer?.address ?? "").toLowerCase());
    expect(await watched.tokenBalanceAtomic(room.usdc, poorer?.address ?? "")).toBe(0n);
    expect(bodies).toHaveLength(2);
    await proxy.close();
  });

  it("are read again after the moment has passed", async () => {
    const someone = await room.person(5n);
    expect(await chain.tokenBalanceAtomic(room.usdc, someone.address)).toBe(5n);
    await someone.callUsdc("transfer", [payTo, 2n]);
    await expect.poll(() => chain.tokenBalanceAtomic(room.usdc, someone.address)).toBe(3n);
  });
});

function transferOf(from: `0x${string}`, amountAtomic: bigint) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [payTo, amountAtomic] });
  return { from, to: room.usdc, data };
}

describe("a call", () => {
  it("of tokens is prepared, broadcast twice, and seen through", async () => {
    const sender = await room.person(10n);
    const prepared = await chain.prepareCall(transferOf(sender.address, 10n));
    expect(prepared).toMatchObject({ type: "eip1559", chainId: 84532, nonce: 0, to: room.usdc, value: 0n });
    const signed = await sender.account.signTransaction(prepared);
    const txHash = await chain.broadcast(signed);
    expect(await chain.broadcast(signed)).toBe(txHash);
    await expect.poll(() => chain.transactionState(txHash)).toBe("succeeded");
    expect(await chain.transactionState(randomNonce())).toBe("unknown");
    // Another transfer under the same nonce can never be mined.
    const rival = await sender.account.signTransaction({ ...prepared, data: "0x" });
    await expect(chain.broadcast(rival)).rejects.toThrow(TransferFailedError);
  });

  it("that waits is pending, and one that fails is reverted", async () => {
    const sender = await room.person(10n);
    const signed = await sender.account.signTransaction(await chain.prepareCall(transferOf(sender.address, 10n)));
    await facilitator.callUsdc(
      "permit",
      await room.permit(sender, facilitator.address, 1n, 0n, (await room.now()) + 60n),
    );
    await facilitator.callUsdc("transferFrom", [sender.address, payTo, 1n]);
    await room.rpc("evm_setAutomine", [false]);
    const txHash = await chain.broadcast(signed).finally(() => room.rpc("evm_setAutomine", [true]));
    expect(await chain.broadcast(signed)).toBe(txHash);
    await room.mine(1);
    await expect.poll(() => chain.transactionState(txHash)).toBe("reverted");
  });

  it("that the balance does not cover is refused before anything is signed", async () => {
    const { address: from } = await room.person(1n);
    await expect(chain.prepareCall(transferOf(from, 10n ** 30n))).rejects.toThrow(TransferFailedError);
  });
});

describe("an RPC that fails", () => {
  const SECRET = "s3cret-rpc-key";
  const address = "0x00000000000000000000000000000000000ca5e1";

  it.each([
    ["answers 500", (): Promise<string> => Promise.reject(new Error())],
    ["answers nonsense", async () => "<html>"],
    [
      "answers an error",
      async () => JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32005, message: `limit of ${SECRET}` } }),
    ],
    ["is another chain", async (body: string) => forward(room.rpcUrl, body)],
  ])("because it %s makes the chain unavailable, without showing its URL", async (_, answer) => {
    const proxy = await startProxy(answer);
    const broken = createEvmChain(NETWORKS.base, `${proxy.url}/${SECRET}`);
    const nonce = randomNonce();
    const query = { asset: room.usdc, from: address, to: payTo, valueAtomic: 1n, nonce, validBefore: 1n } as const;
    const error = await broken.transferAuthorizationState(query).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ChainUnavailableError);
    expect(error).toMatchObject({ code: "chain_unavailable", network: "base" });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(SECRET);
    await proxy.close();
  });

  it("because nobody listens makes the chain unavailable, and is asked again next time", async () => {
    const broken = createEvmChain(NETWORKS.base, `http://127.0.0.1:1/${SECRET}`);
    await expect(broken.tokenBalanceAtomic(room.usdc, address)).rejects.toThrow(ChainUnavailableError);
    await expect(broken.prepareCall(transferOf(address, 1n))).rejects.toThrow(ChainUnavailableError);
    await expect(broken.broadcast("0x00")).rejects.toThrow(ChainUnavailableError);
  });
});
