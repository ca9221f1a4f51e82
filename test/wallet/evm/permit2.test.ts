/** Invariant: a payment is charged what the call with its own nonce moved, whatever else of the same people is in its block. */
import { randomBytes } from "node:crypto";
import { bytesToHex, type Hex, hexToBigInt } from "viem";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { EvmChain } from "../../../src/wallet/chain.ts";
import { createEvmChain } from "../../../src/wallet/evm/chain.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";
import { startRefusingRpc } from "../rpc-proxy.ts";
import { MULTICALL3, openEvmRoom, PERMIT2, UPTO_SPENDER } from "./room.ts";

const CAP = 10_000n;
const AMOUNTS = [100n, 9_000n, 300n];

let room: Awaited<ReturnType<typeof openEvmRoom>>;
let chain: EvmChain;
let payer: Awaited<ReturnType<typeof room.person>>;
let payTo: Hex;

beforeAll(async () => {
  room = await openEvmRoom();
  chain = createEvmChain(NETWORKS["base-sepolia"], room.rpcUrl);
  payer = await room.person(1_000_000n);
  await payer.callUsdc("approve", [PERMIT2, 1_000_000n]);
  payTo = (await room.person()).address;
});
afterAll(() => room.close());

async function payment(amount: bigint, facilitator: Hex) {
  const nonce = hexToBigInt(bytesToHex(randomBytes(32)));
  const deadline = (await room.now()) + 300n;
  const args = await room.upto(payer, { facilitator, to: payTo }, CAP, amount, nonce, deadline);
  const owner = payer.address;
  const query = { asset: room.usdc, owner, spender: UPTO_SPENDER, nonce, deadline, payTo, valueAtomic: CAP } as const;
  return { amount, args, query };
}

/** The same chain through an RPC that refuses some questions. */
async function refusing(isRefused: Parameters<typeof startRefusingRpc>[1]) {
  const proxy = await startRefusingRpc(room.rpcUrl, isRefused);
  return { chain: createEvmChain(NETWORKS["base-sepolia"], proxy.url), close: proxy.close };
}

/** Reads the state of a block that is not the latest. */
const isOfOldState = ({ method, params }: { method: string; params: readonly unknown[] }) =>
  method.startsWith("debug_") || (method === "eth_call" && params[1] !== "latest");

it("several that settle in one block are each charged what they moved, with a true claim, a false one or none", async () => {
  const facilitators = await Promise.all(AMOUNTS.map(() => room.person()));
  const payments = await Promise.all(AMOUNTS.map((amount, i) => payment(amount, facilitators[i]?.address as Hex)));
  const stranger = await room.person();
  const direct = payments.map(
    ({ args }, i) =>
      () =>
        facilitators[i]?.settleUpto(args) as Promise<Hex>,
  );
  const empty = () => stranger.callUsdc("transferFrom", [payer.address, payTo, 0n]);
  const own = () => payer.callUsdc("transfer", [payTo, 9_500n]);
  const hashes = await room.inOneBlock([...direct, empty, own]);
  const pruned = await refusing(isOfOldState);
  for (const [i, { query, amount }] of payments.entries()) {
    const used = { state: "used", txHash: hashes[i], chargedAtomic: amount };
    for (const claimedTxHash of [null, ...hashes]) {
      expect(await chain.permit2State({ ...query, claimedTxHash })).toEqual(used);
    }
    // What the call itself shows needs no state of an old block.
    expect(await pruned.chain.permit2State(query)).toEqual(used);
  }
  await pruned.close();
});

it("several that a contract settles in one transaction are looked for in its trace; without traces none costs more than the largest", async () => {
  const facilitator = await room.person();
  const batched = await Promise.all(AMOUNTS.map((amount) => payment(amount, MULTICALL3)));
  const alone = await payment(9_900n, facilitator.address);
  const bystander = await room.person();
  const [batch, single] = await room.inOneBlock([
    () => bystander.settleManyUpto(batched.map(({ args }) => args)),
    () => facilitator.settleUpto(alone.args),
  ]);
  const traceless = await refusing(({ method }) => method.startsWith("debug_"));
  const pruned = await refusing(isOfOldState);
  const used = (txHash: Hex | undefined, chargedAtomic: bigint) => ({ state: "used", txHash, chargedAtomic });
  for (const { query, amount } of batched) {
    expect(await chain.permit2State(query)).toEqual(used(batch, amount));
    expect(await chain.permit2State({ ...query, claimedTxHash: batch as Hex })).toEqual(used(batch, amount));
    expect(await traceless.chain.permit2State(query)).toEqual(used(batch, 9_000n));
    expect(await pruned.chain.permit2State(query)).toEqual({ state: "used", txHash: null, chargedAtomic: null });
  }
  expect(await chain.permit2State(alone.query)).toEqual(used(single, 9_900n));
  await traceless.close();
  await pruned.close();
});
